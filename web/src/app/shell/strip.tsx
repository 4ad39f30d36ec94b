import { CloudOff, RefreshCw, Unplug } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { useIsAdmin } from '../../api/account.ts'
import { BannerLines } from '../../blocks/banners/banner-lines.tsx'
import { classNames } from '../../lib/class-names.ts'
import { useAfterFirstView } from '../../lib/first-view.ts'
import { useText } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { useConnection } from './stream.ts'
import { useNewVersion } from './new-version.ts'

const AlertLine = lazy(() =>
  import('../../blocks/alerts/alert-line.tsx').then((module) => ({ default: module.AlertLine })),
)

const NeedsYouLine = lazy(() =>
  import('../../blocks/needs-you/needs-you-line.tsx').then((module) => ({ default: module.NeedsYouLine })),
)

/** The thin line on top: no network, no server, a new version, and for administrators what is wrong with the instance. At most two, the graver first.
 * Below them, what waits for a decision. */
export function Strip() {
  const t = useText('app')
  const online = useOnline()
  const connection = useConnection()
  const newVersion = useNewVersion()
  const admin = useIsAdmin()
  const afterFirstView = useAfterFirstView()
  const lines: ReactNode[] = []
  if (!online) lines.push(<Line key="offline" grave icon={<CloudOff />} text={t('strip.offline')} />)
  else if (connection === 'lost') lines.push(<Line key="lost" grave icon={<Unplug />} text={t('strip.lost')} />)
  if (newVersion) {
    lines.push(
      <Line
        key="version"
        icon={<RefreshCw />}
        text={t('strip.newVersion')}
        action={
          <Button size="small" onClick={newVersion}>
            {t('strip.reload')}
          </Button>
        }
      />,
    )
  }
  return (
    <header aria-label={t('strip.name')} role="banner">
      <div role="status">
        {lines.slice(0, 2)}
        {admin && afterFirstView && lines.length < 2 && (
          <Suspense fallback={null}>
            <AlertLine />
          </Suspense>
        )}
      </div>
      {afterFirstView && (
        <Suspense fallback={null}>
          <NeedsYouLine />
        </Suspense>
      )}
      <Suspense fallback={null}>
        <BannerLines />
      </Suspense>
    </header>
  )
}

function Line({ icon, text, action, grave }: { icon: ReactNode; text: string; action?: ReactNode; grave?: boolean }) {
  return (
    <div
      className={classNames(
        'flex min-h-8 items-center justify-center gap-2.5 px-4 py-1 text-sm [&_svg]:size-4',
        grave ? 'bg-warn-soft text-warn-ink' : 'bg-accent-soft text-accent-ink',
      )}
    >
      {icon}
      <span>{text}</span>
      {action}
    </div>
  )
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('online', changed)
      addEventListener('offline', changed)
      return () => {
        removeEventListener('online', changed)
        removeEventListener('offline', changed)
      }
    },
    // A server on this very machine needs no network.
    () => navigator.onLine || /^(localhost|127\.|\[::1\])/.test(location.hostname),
  )
}
