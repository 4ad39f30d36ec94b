import { type ReactNode, useEffect, useRef } from 'react'

/** Something that opens below what was pressed: it comes into sight by itself. */
export function ScrollIntoView({ className, children }: { className?: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={box} className={className}>
      {children}
    </div>
  )
}
