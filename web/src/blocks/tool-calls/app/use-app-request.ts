import { useEffect, useRef, useState } from 'react'
import type { AppRequest } from './app-question.tsx'

/** One question of a page at a time: `ask` gives whether it was allowed; what comes meanwhile is not, nor is anything once the page is gone. */
export function useAppRequest() {
  const [request, setRequest] = useState<AppRequest | null>(null)
  const open = useRef<AppRequest | null>(null)
  useEffect(() => () => open.current?.decide(false), [])
  const ask = (kind: AppRequest['kind'], text: string): Promise<boolean> => {
    if (open.current) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const decide = (allowed: boolean): void => {
      open.current = null
      setRequest(null)
      resolve(allowed)
    }
    open.current = { kind, text, decide }
    setRequest(open.current)
    return promise
  }
  return { request, ask }
}
