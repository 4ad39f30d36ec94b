import { Link } from '@tanstack/react-router'
import { PanelLeft, Search } from 'lucide-react'
import { Suspense } from 'react'
import { runAction } from '../../lib/actions.ts'
import { useAfterFirstView } from '../../lib/first-view.ts'
import { links } from '../../lib/links.ts'
import { useText } from '../../lib/texts.ts'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { WorkspaceMark } from '../../ui/workspace-mark.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useKeysOf } from './keys.ts'
import { usePanelTrigger } from './panel-trigger.ts'
import { shownEntries } from './rail-entries.ts'
import { useRailChoice, useRailEntries } from './use-rail.ts'
import { AccountMenu } from './account-menu.tsx'
import { setView } from './view.ts'

/** One icon for each area, the palette, and the account at the foot. */
export function Rail({ path, listHidden }: { path: string; listHidden: boolean }) {
  const t = useText('app')
  const keys = useKeysOf()
  const entries = shownEntries(useRailEntries(), useRailChoice())
  const afterFirstView = useAfterFirstView()
  const triggerOf = usePanelTrigger(path)
  const side = document.documentElement.dir === 'rtl' ? 'left' : 'right'
  return (
    <nav aria-label={t('shell.areas')} className="flex w-13 shrink-0 flex-col items-center gap-1 py-2.5">
      <Tooltip text={t('shell.home')} side={side}>
        <Link
          to={links.newChat()}
          aria-label={t('shell.home')}
          className="mb-2 grid size-9 shrink-0 place-items-center rounded-lg text-ink hover:bg-hover"
        >
          <WorkspaceMark size={22} longest={34} />
        </Link>
      </Tooltip>
      {/* In a low window the areas scroll: squeezed, they could not be hit. */}
      <div className="-mt-1 flex min-h-0 w-full flex-col items-center gap-1 overflow-y-auto pt-1 [scrollbar-width:none]">
        {entries.map((entry) => {
          const { icon: Icon, badge: Badge } = entry
          const here = entry.owns(path)
          return (
            <Tooltip key={entry.to} text={t(entry.name)} side={side}>
              <Link
                to={entry.to}
                aria-current={here ? 'page' : undefined}
                {...triggerOf(entry)}
                className={classNames(
                  'relative grid size-9 shrink-0 place-items-center rounded-lg text-muted hover:bg-hover hover:text-ink',
                  here && 'bg-accent-soft text-accent-ink! hover:bg-accent-soft',
                )}
              >
                <Icon className="size-4.5" aria-hidden />
                <span className="sr-only">{t(entry.name)}</span>
                {Badge && afterFirstView && (
                  <Suspense>
                    <Badge />
                  </Suspense>
                )}
                {here && <span aria-hidden className="absolute inset-y-2 -start-2 w-0.75 rounded-full bg-accent" />}
              </Link>
            </Tooltip>
          )
        })}
      </div>
      <IconButton
        label={t('shell.search')}
        keys={keys('palette.open')}
        icon={<Search />}
        tooltipSide={side}
        className="size-9 shrink-0 rounded-lg [&_svg]:size-4.5!"
        onClick={() => setView({ dialog: 'palette' })}
      />
      {listHidden && (
        <IconButton
          label={t('shell.showSidebar')}
          keys={keys('sidebar.toggle')}
          icon={<PanelLeft />}
          tooltipSide={side}
          className="size-9 shrink-0 rounded-lg [&_svg]:size-4.5!"
          onClick={() => void runAction('sidebar.toggle', () => {})}
        />
      )}
      <div className="mt-auto">
        <AccountMenu side={side} />
      </div>
    </nav>
  )
}
