import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft, LogOut } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useIsAdmin, useMe } from '../../api/account.ts'
import { runAction } from '../../lib/actions.ts'
import { links } from '../../lib/links.ts'
import { usePhone } from '../../lib/media.ts'
import { loadSettings } from '../../lib/settings.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SettingsNav } from './nav.tsx'
import { useText } from 'virtual:words/settings'
import { flashTarget } from './flash.ts'

/** List and section side by side; on phones first the one, then the other. */
export function SettingsPage() {
  return (
    <Suspense fallback={<Skeleton className="p-8" lines={6} />}>
      <Loaded />
    </Suspense>
  )
}

function Loaded() {
  const t = useText('settings')
  const phone = usePhone()
  const navigate = useNavigate()
  const { section: wanted, item } = useParams({ strict: false }) as { section?: string; item?: string }
  const all = useSuspenseQuery({ queryKey: ['settings-sections'], queryFn: loadSettings, staleTime: Infinity }).data
  const admin = useIsAdmin()
  const me = useMe()
  const sections = all.filter((section) => admin || !section.adminOnly)
  const section = wanted ? sections.find((one) => one.id === wanted) : phone ? undefined : sections[0]
  // One thing of a section tells its own name.
  useTitle(item ? null : section ? t(section.name) : t('title'))

  // The list with the title of the page stands on a page of its own there.
  const Heading = phone ? 'h1' : 'h2'

  if (phone && !wanted) {
    return (
      <div className="flex h-full flex-col overflow-y-auto">
        <h1 className="px-4 pt-5 pb-1 text-xl font-semibold tracking-tight">{t('title')}</h1>
        <SettingsNav sections={sections} current={null} />
        {/* Elsewhere it is in the menu of the account, for which a phone has no room. */}
        <div className="border-t border-line px-4 py-5">
          <p className="mb-2 truncate text-sm text-muted" dir="auto">
            {me.displayName || me.username}
          </p>
          <Button
            icon={<LogOut className="size-4" />}
            onClick={() => runAction('account.sign-out', (to) => void navigate({ to }))}
          >
            {t('app:action.signOut')}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="flex h-full min-h-0">
      {!phone && (
        <div className="flex w-58 shrink-0 flex-col overflow-y-auto border-e border-line bg-canvas/60">
          <h1 className="px-4 pt-5 pb-1 text-lg font-semibold tracking-tight">{t('title')}</h1>
          <SettingsNav sections={sections} current={section?.id ?? null} />
        </div>
      )}
      <div className="relative min-w-0 flex-1 overflow-y-auto scroll-py-16" key={`${section?.id}/${item}`}>
        {/* One left edge for all sections, however wide they are. */}
        <div className="mx-auto w-full max-w-4xl px-4 pt-4 pb-16 tab:px-8 tab:pt-7">
          {section ? (
            <>
              <header className="mb-3 flex items-center gap-1">
                {(phone || item) && (
                  <IconButton
                    label={item ? t('backTo', { name: t(section.name) }) : t('back')}
                    icon={<ArrowLeft />}
                    tooltipSide="none"
                    className="-ms-2"
                    onClick={() => void navigate({ to: links.settings(item ? section.id : undefined) })}
                  />
                )}
                <Heading className="text-xl font-semibold tracking-tight">{t(section.name)}</Heading>
              </header>
              <div className={section.wide && !item ? undefined : 'max-w-2xl'}>
                <Suspense fallback={<Skeleton lines={6} />}>
                  {item && section.item ? (
                    <section.item key={item} id={item} />
                  ) : (
                    <>
                      {section.page && <section.page />}
                      {section.parts.map(({ order, part: Part }) => (
                        <Part key={order} />
                      ))}
                    </>
                  )}
                  <Arrival />
                </Suspense>
              </div>
            </>
          ) : (
            <EmptyState title={t('noSection')} />
          )}
        </div>
      </div>
    </div>
  )
}

/** Stands after the section, so that it acts once the rows are there. */
function Arrival() {
  const { section } = useParams({ strict: false }) as { section?: string }
  const hash = useHash()
  useEffect(() => flashTarget(hash), [section, hash])
  return null
}

import { useRouterState } from '@tanstack/react-router'
const useHash = () => useRouterState({ select: (state) => `${state.location.hash}|${state.location.state.key ?? ''}` })
