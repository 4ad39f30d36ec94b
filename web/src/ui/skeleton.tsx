import { type ReactNode, useEffect, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import { useUiWords } from './words.tsx'

/** True once `ms` have passed; keeps quick answers from flickering. */
export function useAfter(ms: number): boolean {
  const [passed, setPassed] = useState(ms <= 0)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return passed
}

/** Grey lines in place of what is being loaded, shown after 150 ms. */
export function Skeleton({ lines = 3, className }: { lines?: number; className?: string }) {
  const shown = useAfter(150)
  const words = useUiWords()
  if (!shown) return null
  return (
    <div
      role="status"
      aria-label={words.loading}
      className={classNames('anim-appear flex flex-col gap-2.5', className)}
    >
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="h-4 rounded-sm bg-hover" style={{ width: `${[92, 78, 85, 64][line % 4]}%` }} />
      ))}
    </div>
  )
}

/** Shows its children only when waiting has become noticeable. */
export function DelayedContent({ ms = 150, children }: { ms?: number; children: ReactNode }) {
  return useAfter(ms) ? children : null
}
