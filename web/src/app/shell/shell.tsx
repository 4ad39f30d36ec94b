import { Outlet, useRouterState } from '@tanstack/react-router'
import { Minimize } from 'lucide-react'
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { usePreferences } from '../../api/account.ts'
import { useReading } from '../../blocks/read-aloud/state.ts'
import { useIsTalking } from '../../blocks/voice-mode/state.ts'
import { announce } from '../../lib/announce.ts'
import { usePhone } from '../../lib/media.ts'
import { registerSettings } from '../../lib/settings.ts'
import { useText } from '../../lib/texts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { features } from '../features.ts'
import { useTheme } from '../theme.ts'
import { Dialogs } from './dialogs.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { hasOpenLayer, useKeys, useKeysOf } from './keys.ts'
import { PaneSlot } from './pane-slot.tsx'
import { Rail } from './rail.tsx'
import { Sidebar } from './sidebar.tsx'
import { SkipLinks } from './skip-links.tsx'
import { Strip } from './strip.tsx'
import { useAccountStream } from './stream.ts'
import { setView, useView } from './view.ts'
import { useShellActions } from './shell-actions.ts'

const MiniPlayer = lazy(() =>
  import('../../blocks/read-aloud/mini-player.tsx').then((module) => ({ default: module.MiniPlayer })),
)
const TalkWindow = lazy(() =>
  import('../../blocks/voice-mode/talk-window.tsx').then((module) => ({ default: module.TalkWindow })),
)

registerSettings(() => import('./sections.ts').then((module) => module.settings))

/** Rail, sidebar, page and right pane; on phones a drawer and a bottom bar in their place. */
export function Shell() {
  const t = useText('app')
  const preferences = usePreferences()
  const phone = usePhone()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { focus, drawer } = useView()
  const isReading = useReading() !== null
  const isTalking = useIsTalking()
  useTheme(preferences)
  useAccountStream()
  useKeys(preferences)
  useShellActions()
  useEffect(() => {
    setView({ drawer: false, panel: null })
    // The page names itself first; then those who cannot see it hear where they are.
    const timer = setTimeout(() => announce(document.title), 300)
    return () => clearTimeout(timer)
  }, [path])

  const owner = features.find((feature) => feature.rail?.owns(path) && feature.sidebar)
  const List = owner?.sidebar
  const bare = focus && !phone
  return (
    <div className="flex h-dvh flex-col">
      <SkipLinks />
      <Strip />
      <div className="flex min-h-0 flex-1">
        {!phone && !bare && <Rail path={path} listHidden={Boolean(List) && !preferences.layout.sidebarOpen} />}
        {!phone && !bare && List && preferences.layout.sidebarOpen && (
          <Sidebar width={preferences.layout.sidebarWidth} label={t(owner?.rail?.name ?? '')}>
            <List onDone={() => {}} />
          </Sidebar>
        )}
        <main
          id="main"
          tabIndex={-1}
          className="relative flex min-w-0 flex-1 flex-col bg-surface outline-none tab:my-2 tab:me-2 tab:overflow-hidden tab:rounded-xl tab:border tab:border-line"
        >
          <Outlet />
        </main>
        {!bare && <PaneSlot width={preferences.layout.paneWidth} />}
      </div>
      {isReading && (
        <Suspense fallback={null}>
          <MiniPlayer />
        </Suspense>
      )}
      {isTalking && (
        <Suspense fallback={null}>
          <TalkWindow />
        </Suspense>
      )}
      {bare && <LeaveFocus />}
      {phone && <BottomBar path={path} hasList={Boolean(List)} />}
      {phone && List && (
        <Sheet
          open={drawer}
          onOpenChange={(open) => setView({ drawer: open })}
          title={t(owner?.rail?.name ?? '')}
          hideTitle
          side="start"
          className="bg-canvas"
        >
          <List onDone={() => setView({ drawer: false })} />
        </Sheet>
      )}
      <Dialogs />
    </div>
  )
}

/** The visible way out of focus mode; Escape is the other. */
function LeaveFocus() {
  const t = useText('app')
  const keys = useKeysOf()
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !hasOpenLayer()) setView({ focus: false })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <IconButton
      label={t('shell.leaveFocus')}
      keys={keys('focus.toggle')}
      icon={<Minimize />}
      className="fixed end-4 bottom-4 z-20 border border-line bg-surface opacity-60 hover:opacity-100 focus-visible:opacity-100"
      tooltipSide="top"
      onClick={() => setView({ focus: false })}
    />
  )
}
