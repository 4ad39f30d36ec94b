import { useEffect, useState } from 'react'
import { codeOf, Problem } from '../../api/errors.ts'

/** Whole seconds until the server takes another try after a refusal for too many; 0 where none is wanted, or it is over. */
export function useWait(error: unknown): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const end = Date.now() + waitOf(error)
    const tell = () => setLeft(Math.ceil(Math.max(0, end - Date.now()) / 1000))
    tell()
    if (waitOf(error) === 0) return
    const timer = setInterval(() => {
      tell()
      if (Date.now() >= end) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [error])
  return left
}

/** How many milliseconds a refusal for too many tries asks to wait. */
export const waitOf = (error: unknown): number =>
  error instanceof Problem && codeOf(error) === 'rate_limited' ? (error.retryAfterMs ?? 0) : 0
