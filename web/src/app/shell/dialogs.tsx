import { lazy, Suspense } from 'react'
import { setView, useView } from './view.ts'

const Palette = lazy(() => import('../palette/palette.tsx').then((module) => ({ default: module.Palette })))
const ShortcutList = lazy(() =>
  import('../palette/shortcut-list.tsx').then((module) => ({ default: module.ShortcutList })),
)

/** The windows that can be opened from anywhere, loaded when they are. */
export function Dialogs() {
  const { dialog } = useView()
  const close = () => setView({ dialog: null })
  return (
    <Suspense>
      {dialog === 'palette' && <Palette onClose={close} />}
      {dialog === 'shortcuts' && <ShortcutList onClose={close} />}
    </Suspense>
  )
}
