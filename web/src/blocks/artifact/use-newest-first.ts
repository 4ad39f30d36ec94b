import { useEffect, useRef } from 'react'

/** Nobody reads faster. */
const gapMs = 500

/**
 * Tries texts one after the other while they come, always the newest next: a try that takes longer than the next text
 * needs to come is not given up, and at most twice a second. `attempt` shows what is good, and resolves when it is told whether it is.
 */
export function useNewestFirst(text: string, attempt: (text: string, signal: AbortSignal) => Promise<void>): void {
  const state = useRef({ wanted: text, tried: null as string | null, busy: false, attempt })
  const abort = useRef<AbortController>(null)
  state.current.attempt = attempt
  useEffect(() => {
    const own = new AbortController()
    abort.current = own
    return () => own.abort()
  }, [])
  useEffect(() => {
    const now = state.current
    now.wanted = text
    const signal = abort.current?.signal
    if (now.busy || !signal) return
    now.busy = true
    const goOn = async () => {
      while (now.tried !== now.wanted && !signal.aborted) {
        now.tried = now.wanted
        const gap = new Promise((resolve) => setTimeout(resolve, gapMs))
        await now.attempt(now.wanted, signal)
        await gap
      }
      now.busy = false
    }
    void goOn()
  }, [text])
}
