import { FilePlusCorner } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

/**
 * Takes what is dropped anywhere on the window while it holds files; gives whether some hover over it just now.
 * `onDrop` must read the transfer before it returns: afterwards the browser gives nothing any more.
 */
export function useFileDrop(onDrop: (transfer: DataTransfer) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useRef(onDrop)
  take.current = onDrop
  useLayoutEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    let depth = 0
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth++
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (hasFiles(event) && --depth <= 0) setOver(false)
    }
    const hover = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setOver(false)
      if (!hasFiles(event) || event.defaultPrevented || !event.dataTransfer) return
      event.preventDefault()
      take.current(event.dataTransfer)
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', hover)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', hover)
      removeEventListener('drop', drop)
    }
  }, [])
  return over
}

/** Lies over the window while files hover above it. */
export function DropCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-scrim p-6">
      <div className="flex max-w-lg flex-col items-center gap-2 rounded-xl border-2 border-dashed border-accent-line bg-raised px-10 py-8 text-center shadow-high">
        <FilePlusCorner aria-hidden className="size-8 text-accent-ink" />
        <p className="text-lg font-semibold">{title}</p>
        {children}
      </div>
    </div>
  )
}
