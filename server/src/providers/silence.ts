/** Ends a call when nothing comes: one deadline for the first piece, then one for every silence. */
import { ProviderFailure } from './types.ts'

export interface Silence {
  /** Aborted by the caller, by a deadline, or by `abort`. */
  readonly signal: AbortSignal
  /** A bound for the layers below, which know only one kind of silence. */
  readonly longestMs: number
  /** Bytes came; `piece`: and something of the answer was in them. */
  heard(piece: boolean): void
  /** The failure, once a deadline has passed. */
  late(): ProviderFailure | null
  abort(): void
  stop(): void
}

const defaults = { firstTokenMs: 5 * 60_000, idleMs: 2 * 60_000 }

export function watchSilence(call: {
  readonly signal: AbortSignal
  readonly firstTokenMs?: number
  readonly idleMs?: number
}): Silence {
  const { signal, firstTokenMs = defaults.firstTokenMs, idleMs = defaults.idleMs } = call
  const own = new AbortController()
  let begun = false
  let late: ProviderFailure | null = null
  const expire = (): void => {
    const words = begun ? 'fell silent in the middle of the answer' : 'did not begin to answer in time'
    late = new ProviderFailure('timeout', `The provider ${words}.`)
    own.abort()
  }
  const abort = (): void => own.abort()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  let timer = setTimeout(expire, firstTokenMs)
  return {
    signal: own.signal,
    longestMs: Math.max(firstTokenMs, idleMs) + 1000,
    heard(piece) {
      if (begun) {
        timer.refresh()
      } else if (piece) {
        begun = true
        clearTimeout(timer)
        timer = setTimeout(expire, idleMs)
      }
    },
    late: () => late,
    abort,
    stop() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
