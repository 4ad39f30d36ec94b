import { X } from 'lucide-react'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useNarrow } from '../lib/media.ts'
import { IconButton } from './icon-button.tsx'
import { Sheet } from './sheet.tsx'
import { useUiWords } from './words.tsx'

let slot: HTMLElement | null = null
let users = 0
const watchers = new Set<() => void>()
const tell = () => {
  for (const watcher of watchers) watcher()
}
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/**
 * The one pane at the end of the shell: beside the page where there is room (from 1100 px), over it elsewhere. At most
 * one is shown; a page gives several contents as tabs.
 */
export function RightPane({
  open,
  onClose,
  title,
  bare = false,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  /** Beside the page, the content has its own head with a way to close it. */
  bare?: boolean
  children: ReactNode
}) {
  const words = useUiWords()
  const narrow = useNarrow()
  const place = useSyncExternalStore(watch, () => slot)
  const beside = open && !narrow
  useEffect(() => {
    if (!beside) return
    users++
    tell()
    return () => {
      users--
      tell()
    }
  }, [beside])
  if (!open) return null
  if (narrow) {
    return (
      <Sheet open onOpenChange={(stays) => stays || onClose()} title={title} side="end">
        {children}
      </Sheet>
    )
  }
  if (!place) return null
  return createPortal(
    <>
      {bare && <h2 className="sr-only">{title}</h2>}
      <header hidden={bare} className="flex h-12 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
        <h2 className="min-w-0 flex-1 truncate text-md font-semibold">{title}</h2>
        <IconButton label={words.close} icon={<X />} onClick={onClose} tooltipSide="none" />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </>,
    place,
  )
}

/** For the shell: whether something wants the pane. */
export const usePaneWanted = (): boolean => useSyncExternalStore(watch, () => users > 0)
/** For the shell: the element that takes the pane's content. */
export function setPaneSlot(node: HTMLElement | null): void {
  slot = node
  tell()
}
