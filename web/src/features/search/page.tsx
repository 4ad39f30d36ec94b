/** `/search`: one field, one list. */
import { type Found, searchRoutes } from '@atrium/contract/search'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { Search, TextSearch, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { HitIcon, hitLink, HitSnippet } from '../../blocks/search-hit/search-hit.tsx'
import { unknownTags } from '../../blocks/search-operators/operators.ts'
import { useTagNames } from '../../blocks/search-operators/use-operator-values.ts'
import { isComposing } from '../../lib/composing.ts'
import { formatAgo } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/search'
import { Begin, Filters } from './operator-list.tsx'
import { Suggestions } from './suggestions.tsx'

const most = 50

export function SearchPage() {
  const t = useText('search')
  useTitle(t('title'))
  const navigate = useNavigate()
  const router = useRouter()
  const { q: addressed = '' } = useSearch({ strict: false }) as { q?: string }
  const [typed, setTyped] = useState(addressed)
  const q = useDeferredValue(typed.trim())
  const field = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const found = useQuery({
    ...queryOf(searchRoutes.everything, { query: { q, limit: most } }),
    enabled: q !== '',
    placeholderData: (before) => before,
  })

  useEffect(() => field.current?.focus(), [])
  // The address follows, so that going back from a hit comes to the same list.
  useEffect(() => {
    const later = setTimeout(() => {
      // Whoever goes to a hit meanwhile is not called back.
      if (q !== addressed && router.latestLocation.pathname === links.search())
        void navigate({ to: links.search(q), replace: true })
    }, 300)
    return () => clearTimeout(later)
  }, [q, addressed, navigate, router])

  function walk(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || isComposing(event.nativeEvent)) return
    const hits = [...(box.current?.querySelectorAll<HTMLElement>('[data-step]') ?? [])]
    const at = hits.findIndex((hit) => hit === document.activeElement)
    const next = at + step
    event.preventDefault()
    if (next < 0) field.current?.focus()
    else hits[next]?.focus()
  }
  const type = (words: string) => {
    setTyped(words)
    field.current?.focus()
  }
  const add = (operator: string) => type(`${typed.trimEnd()} ${operator}`.trimStart())

  const items = q === '' ? [] : (found.data?.items ?? [])
  // An operator whose value is being typed was not meant yet.
  const unknown = (found.data?.unknown ?? []).filter((operator) => !(operator.endsWith(':') && q.endsWith(operator)))
  const tags = useTagNames(/(?:^|\s)tag:/i.test(q))
  const [noTag] = tags ? unknownTags(q, tags) : []
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the arrows walk between field and links
    <div ref={box} className="flex h-full flex-col overflow-y-auto" onKeyDown={walk}>
      <div className="page-column">
        <h1 className="text-xl font-semibold tracking-tight">{t('title')}</h1>
        <Input
          ref={field}
          type="search"
          icon={<Search />}
          aria-label={t('field')}
          placeholder={t('field')}
          maxLength={400}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !typed) return
            event.stopPropagation()
            setTyped('')
          }}
          className="[&_input]:[&::-webkit-search-cancel-button]:hidden"
          end={
            typed && (
              <IconButton label={t('clear')} icon={<X />} size="small" tooltipSide="none" onClick={() => type('')} />
            )
          }
        />
        <p role="status" className="sr-only">
          {found.isSuccess && q !== '' && t('count', { count: items.length })}
        </p>
        <Suggestions typed={typed} onTake={type}>
          {q === '' ? <Begin onAdd={add} /> : <Filters onAdd={add} />}
        </Suggestions>
        {q !== '' && unknown.length > 0 && (
          <p className="text-sm text-muted">{t('unknown', { operators: unknown.join(', ') })}</p>
        )}
        {found.data?.incomplete && q !== '' && <p className="text-sm text-muted">{t('incomplete')}</p>}
        {q !== '' && found.isPending && <Skeleton lines={5} />}
        {q !== '' && found.isError && (
          <ErrorCard title={t('failed')} onRetry={() => void found.refetch()}>
            {wordsOf(found.error)}
          </ErrorCard>
        )}
        {q !== '' && found.isSuccess && items.length === 0 && (
          <EmptyState icon={<TextSearch />} title={t('nothing')}>
            {noTag === undefined ? t('nothingHint') : t('noTag', { name: noTag })}
          </EmptyState>
        )}
        {items.length > 0 && (
          // A hit may be opened before the address has followed.
          <ul
            onClickCapture={() => q !== addressed && void navigate({ to: links.search(q), replace: true })}
            className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised"
          >
            {items.map((hit) => (
              <Hit key={`${hit.kind} ${hit.id} ${hit.startChar ?? ''}`} hit={hit} />
            ))}
          </ul>
        )}
        {items.length === most && <p className="text-sm text-muted">{t('more', { count: most })}</p>}
      </div>
    </div>
  )
}

function Hit({ hit }: { hit: Found }) {
  const t = useText('search')
  return (
    <li>
      <Link
        to={hitLink(hit)}
        data-step
        className="flex gap-3 px-3.5 py-2.5 hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="mt-0.5 shrink-0 text-muted [&_svg]:size-4">
          <HitIcon kind={hit.kind} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-3">
            <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
              {hit.title}
            </span>
            {hit.ownerName !== null && (
              <span className="max-w-2/5 shrink-0 truncate text-sm text-muted">{t('by', { name: hit.ownerName })}</span>
            )}
            <span className="shrink-0 text-sm text-muted">{formatAgo(hit.time)}</span>
          </span>
          {hit.snippet !== '' && (
            <span className="line-clamp-2 text-sm text-muted" dir="auto">
              {hit.location && <span className="font-medium">{hit.location.label} · </span>}
              <HitSnippet hit={hit} />
            </span>
          )}
          {hit.more !== undefined && <span className="text-sm text-muted">{t('moreHere', { count: hit.more })}</span>}
        </span>
      </Link>
    </li>
  )
}
