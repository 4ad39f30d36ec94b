import { accessRoutes } from '@atrium/contract/access'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { onAccountEvent } from '../../api/account-events.ts'
import { useMe } from '../../api/account.ts'
import { refresh } from '../../api/query.ts'
import { supportSessionsQuery } from '../../blocks/support-access/support-sessions-query.ts'
import { useAfterFirstView } from '../../lib/first-view.ts'
import { WindowComing } from '../../ui/early-keys.tsx'
import { useRailEntries } from './use-rail.ts'
import { setView, useView } from './view.ts'

const loadPalette = () => import('../palette/palette.tsx')
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })))
const ShortcutList = lazy(() =>
  import('../palette/shortcut-list.tsx').then((module) => ({ default: module.ShortcutList })),
)

const SupportNotice = lazy(() =>
  import('../../blocks/support-access/notice.tsx').then((module) => ({ default: module.SupportNotice })),
)

const close = () => setView({ dialog: null, panel: null })

const startOffline = (accountId: string): Promise<void> =>
  import('../../blocks/offline/offline.ts').then(
    (module) => module.startOffline(accountId).catch(() => undefined),
    // Without a network, what is kept stays as it is.
    () => undefined,
  )

/** The windows that can be opened from anywhere, loaded when they are. */
export function Dialogs() {
  const { dialog, panel } = useView()
  const Panel = useRailEntries().find(({ to }) => to === panel)?.panel
  const afterFirstView = useAfterFirstView()
  const me = useMe()
  useEffect(() => {
    if (!afterFirstView) return
    // Once the page has come to rest, so that the first Mod+K opens at once. Offline it is fetched when it is needed.
    const timer = setTimeout(() => {
      void loadPalette().catch(() => undefined)
      void startOffline(me.id)
    }, 3000)
    return () => clearTimeout(timer)
  }, [afterFirstView, me.id])
  useEffect(() => onAccountEvent('support-access-changed', () => void refresh(accessRoutes.breakGlass)), [])
  const unread = useQuery({ ...supportSessionsQuery, enabled: afterFirstView }).data?.items.findLast(
    ({ seen }) => !seen,
  )
  return (
    <>
      <Suspense fallback={<WindowComing onClose={close} />}>
        {dialog === 'palette' && <Palette onClose={close} />}
        {dialog === 'shortcuts' && <ShortcutList onClose={close} />}
        {Panel && <Panel anchor={document.querySelector(`[data-panel="${panel}"]`)} onClose={close} />}
      </Suspense>
      <Suspense>{unread && <SupportNotice session={unread} />}</Suspense>
    </>
  )
}
