import { lazy, Suspense, useEffect } from 'react'
import { setView, useView } from './view.ts'

const loadPalette = () => import('../palette/palette.tsx')
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })))
const ShortcutList = lazy(() =>
  import('../palette/shortcut-list.tsx').then((module) => ({ default: module.ShortcutList })),
)

const SupportNotice = lazy(() =>
  import('../../blocks/support-access/notice.tsx').then((module) => ({ default: module.SupportNotice })),
)

/** The windows that can be opened from anywhere, loaded when they are. */
export function Dialogs() {
  const { dialog } = useView()
  useEffect(() => {
    // Once the page has come to rest, so that the first Mod+K opens at once. Offline it is fetched when it is needed.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), 3000)
    return () => clearTimeout(timer)
  }, [])
  const close = () => setView({ dialog: null })
  return (
    <Suspense>
      {dialog === 'palette' && <Palette onClose={close} />}
      <SupportNotice />
      {dialog === 'shortcuts' && <ShortcutList onClose={close} />}
    </Suspense>
  )
}
