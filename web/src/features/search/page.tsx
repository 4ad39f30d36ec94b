/** `/search`: one field, one list. */
import { type Found, searchRoutes } from '@atrium/contract/search'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { Search, TextSearch, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { HitIcon, hitLink, HitSnippet } from '../../blocks/search-hit/search-hit.tsx'
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
  const list = useRef<HTMLUListElement>(null)
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
    const hits = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = hits.findIndex((hit) => hit === document.activeElement)
    const next = at + step
    event.preventDefault()
    if (next < 0) field.current?.focus()
    else hits[next]?.focus()
  }
  const add = (operator: string) => {
    setTyped((words) => `${words.trimEnd()} ${operator}`.trimStart())
    field.current?.focus()
  }

  const items = q === '' ? [] : (found.data?.items ?? [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the arrows walk between field and links
    <div className="flex h-full flex-col overflow-y-auto" onKeyDown={walk}>
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
              <IconButton
                label={t('clear')}
                icon={<X />}
                size="small"
                tooltipSide="none"
                onClick={() => {
                  setTyped('')
                  field.current?.focus()
                }}
              />
            )
          }
        />
        <p role="status" className="sr-only">
          {found.isSuccess && q !== '' && t('count', { count: items.length })}
        </p>
        {q === '' ? <Begin onAdd={add} /> : <Filters onAdd={add} />}
        {q !== '' && found.data && found.data.unknown.length > 0 && (
          <p className="text-sm text-muted">{t('unknown', { operators: found.data.unknown.join(', ') })}</p>
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
            {t('nothingHint')}
          </EmptyState>
        )}
        {items.length > 0 && (
          // A hit may be opened before the address has followed.
          <ul
            ref={list}
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
      <Link to={hitLink(hit)} className="flex gap-3 px-3.5 py-2.5 hover:bg-hover focus-visible:-outline-offset-2">
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

const operators = [
  { name: 'in', examples: ['in:chats', 'in:documents', 'in:gallery', 'in:artifacts', 'in:calendar'] },
  { name: 'from', examples: ['from:me', 'from:model'] },
  { name: 'has', examples: ['has:code', 'has:attachment', 'has:source', 'has:image'] },
  { name: 'is', examples: ['is:pinned', 'is:shared', 'is:archived'] },
  {
    name: 'channels',
    examples: ['in:channels', '#team', '@anna', 'is:mention', 'has:link', 'has:file', 'has:pin', 'has:thread'],
  },
  { name: 'model', examples: ['model:llama'] },
  { name: 'time', examples: ['before:2026-11-01', 'after:2026-10-01'] },
] as const

/** The operators in one row, so that a list that is too long can be narrowed without knowing them. */
function Filters({ onAdd }: { onAdd: (operator: string) => void }) {
  const t = useText('search')
  return (
    <div role="group" aria-label={t('operators')} className="-mt-1 flex flex-wrap gap-1.5">
      {operators
        .flatMap(({ examples }) => examples)
        .map((example) => (
          <Operator key={example} example={example} onAdd={onAdd} />
        ))}
    </div>
  )
}

function Operator({ example, onAdd }: { example: string; onAdd: (operator: string) => void }) {
  return (
    <button
      type="button"
      dir="ltr"
      onClick={() => onAdd(example)}
      className="hit relative min-h-6 rounded-md border border-line bg-sunken px-1.5 font-mono text-xs hover:bg-hover"
    >
      {example}
    </button>
  )
}

function Begin({ onAdd }: { onAdd: (operator: string) => void }) {
  const t = useText('search')
  return (
    <>
      <EmptyState icon={<TextSearch />} title={t('begin')}>
        {t('beginHint')}
      </EmptyState>
      <section aria-label={t('operators')} className="flex flex-col gap-2 text-sm">
        <h2 className="font-semibold">{t('operators')}</h2>
        <dl className="grid gap-x-4 gap-y-2 tab:grid-cols-[auto_1fr]">
          {operators.map(({ name, examples }) => (
            <div key={name} className="contents">
              <dt className="flex flex-wrap content-start items-start gap-1.5">
                {examples.map((example) => (
                  <Operator key={example} example={example} onAdd={onAdd} />
                ))}
              </dt>
              <dd className="m-0 self-center text-muted">{t(`operator.${name}`)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  )
}
