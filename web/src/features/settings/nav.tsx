import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronRight, Search } from 'lucide-react'
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useIsAdmin } from '../../api/account.ts'
import { classNames } from '../../lib/class-names.ts'
import { links } from '../../lib/links.ts'
import { matchesQuery } from '../../lib/match.ts'
import { settingsGroups, type WholeSection } from '../../lib/settings.ts'
import { Input } from '../../ui/input.tsx'
import { useText } from 'virtual:words/settings'

/** The sections, or what a search finds in them; Enter goes to the first hit. */
export function SettingsNav({ sections, current }: { sections: WholeSection[]; current: string | null }) {
  const t = useText('settings')
  const admin = useIsAdmin()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const hits = query.trim()
    ? sections.flatMap((section) =>
        section.entries
          .filter((entry) => admin || !entry.adminOnly)
          .filter((entry) =>
            matchesQuery(query, t(section.name), t(entry.name), entry.words && t(entry.words, { defaultValue: '' })),
          )
          .map((entry) => ({ section, entry })),
      )
    : null

  function onKeyDown(event: KeyboardEvent) {
    const first = hits?.[0]
    if (event.key !== 'Enter' || !first) return
    event.preventDefault()
    void navigate({ to: links.settings(first.section.id), hash: first.entry.id })
  }
  return (
    <>
      <div className="px-3 py-3">
        <Input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          icon={<Search />}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <nav aria-label={t('title')} className="px-2 pb-6">
        {hits ? (
          <ul>
            {hits.map(({ section, entry }) => (
              <li key={`${section.id} ${entry.id}`}>
                <Link
                  to={links.settings(section.id)}
                  hash={entry.id}
                  className={classNames(row, 'flex-col items-start! gap-0! py-1.5')}
                >
                  <span className="w-full truncate">{t(entry.name)}</span>
                  <span className="text-xs text-muted">{t(section.name)}</span>
                </Link>
              </li>
            ))}
            {hits.length === 0 && <p className="px-2.5 py-3 text-sm text-muted">{t('noHits')}</p>}
          </ul>
        ) : (
          settingsGroups.map((group) => {
            const own = sections.filter((section) => section.group === group)
            return (
              own.length > 0 && (
                <section key={group} aria-labelledby={`settings-${group}`}>
                  <h2 id={`settings-${group}`} className="px-2.5 pt-3 pb-1 text-xs font-medium text-muted">
                    {t(`group.${group}`)}
                  </h2>
                  <ul className="flex flex-col gap-px">
                    {own.map((section) => (
                      <SectionRow key={section.id} section={section} here={section.id === current} />
                    ))}
                  </ul>
                </section>
              )
            )
          })
        )}
      </nav>
    </>
  )
}

function SectionRow({ section, here }: { section: WholeSection; here: boolean }) {
  const t = useText('settings')
  const element = useRef<HTMLLIElement>(null)
  // Whoever came by a link sees where in the list that is.
  useEffect(() => {
    if (here) element.current?.scrollIntoView({ block: 'nearest' })
  }, [here])
  return (
    <li ref={element}>
      <Link
        to={links.settings(section.id)}
        aria-current={here ? 'page' : undefined}
        className={classNames(row, here && 'bg-accent-soft! font-medium text-accent-ink!')}
      >
        <section.icon aria-hidden className={classNames('size-4 shrink-0', !here && 'text-muted')} />
        <span className="min-w-0 flex-1 truncate">{t(section.name)}</span>
        {section.badge && (
          <Suspense>
            <section.badge />
          </Suspense>
        )}
        <ChevronRight aria-hidden className="size-4 text-faint tab:hidden" />
      </Link>
    </li>
  )
}

const row = 'flex min-h-row items-center gap-2.5 rounded-md px-2.5 hover:bg-hover max-tab:min-h-12 max-tab:text-md'
