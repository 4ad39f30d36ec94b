import { lazy, type ReactNode, Suspense } from 'react'
import { WindowComing } from './early-keys.tsx'
import { loadLayers } from './idle-parts.ts'

const Window = lazy(() => loadLayers().then((module) => ({ default: module.SheetWindow })))

export interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  hideTitle?: boolean
  side?: 'start' | 'end' | 'bottom'
  className?: string
  children: ReactNode
}

/** A panel that slides over the page from one edge: drawers, menus on phones, the right pane when it is narrow. */
export function Sheet(props: SheetProps) {
  if (!props.open) return null
  return (
    <Suspense fallback={<WindowComing onClose={() => props.onOpenChange(false)} />}>
      <Window {...props} />
    </Suspense>
  )
}
