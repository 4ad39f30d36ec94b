import { Link, useNavigate } from '@tanstack/react-router'
import { MessagesSquare, Plus, Search, UserRound } from 'lucide-react'
import { type ComponentProps, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { useAfterFirstView } from '../../lib/first-view.ts'
import { links } from '../../lib/links.ts'
import { useText } from '../../lib/texts.ts'
import { runAction } from '../../lib/actions.ts'
import { usePanelTrigger } from './panel-trigger.ts'
import { shownEntries } from './rail-entries.ts'
import { useRailChoice, useRailEntries } from './use-rail.ts'
import { setView } from './view.ts'

/** The rail of a phone. It makes room while the keyboard is up. */
export function BottomBar({ path, hasList }: { path: string; hasList: boolean }) {
  const t = useText('app')
  const navigate = useNavigate()
  const onPhones = shownEntries(useRailEntries(), useRailChoice()).filter((entry) => entry.onPhones)
  const typing = useKeyboardUp()
  const afterFirstView = useAfterFirstView()
  const triggerOf = usePanelTrigger(path)
  if (typing) return null
  return (
    <nav
      aria-label={t('shell.areas')}
      className={classNames(
        'grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)]',
        onPhones.length > 2 && '*:text-2xs',
      )}
    >
      <Entry
        icon={<MessagesSquare />}
        label={t('bar.chats')}
        onClick={() => (hasList ? setView({ drawer: true }) : void navigate({ to: links.newChat() }))}
      />
      <Entry icon={<Search />} label={t('bar.search')} onClick={() => setView({ dialog: 'palette' })} />
      <Entry
        icon={<Plus />}
        label={t('bar.new')}
        here={path === '/'}
        onClick={() => runAction('chat.new', (to) => void navigate({ to })) || void navigate({ to: links.newChat() })}
      />
      {onPhones.map((entry) => {
        const { name, nameOnPhones = name, icon: Icon, to, owns, badge: Badge } = entry
        return (
          <Link
            key={to}
            to={to}
            aria-current={owns(path) ? 'page' : undefined}
            {...triggerOf(entry)}
            className={classNames(entryLook, owns(path) && 'text-accent-ink')}
          >
            <span className="relative">
              <Icon aria-hidden />
              {Badge && afterFirstView && (
                <Suspense>
                  <Badge />
                </Suspense>
              )}
            </span>
            {t(nameOnPhones)}
          </Link>
        )
      })}
      <Link
        to={links.settings()}
        aria-current={path.startsWith('/settings') ? 'page' : undefined}
        className={classNames(entryLook, path.startsWith('/settings') && 'text-accent-ink')}
      >
        <UserRound aria-hidden />
        {t('bar.me')}
      </Link>
    </nav>
  )
}

function Entry({
  icon,
  label,
  here,
  ...rest
}: { icon: ReactNode; label: string; here?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-current={here ? 'page' : undefined}
      className={classNames(entryLook, here && 'text-accent-ink')}
      {...rest}
    >
      {icon}
      {label}
    </button>
  )
}

const entryLook =
  'flex min-h-14 flex-col items-center justify-center gap-0.5 text-xs font-medium text-muted active:bg-hover [&_svg]:size-5'

/** Whether the keyboard of the phone covers a good part of the window. */
function useKeyboardUp(): boolean {
  return useSyncExternalStore(
    (changed) => {
      visualViewport?.addEventListener('resize', changed)
      return () => visualViewport?.removeEventListener('resize', changed)
    },
    () => (visualViewport ? visualViewport.height < screen.height * 0.62 && screen.height > screen.width : false),
  )
}
