import { documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { Check, FolderOpen, Users } from 'lucide-react'
import { onAccountEvent } from '../../../api/account-events.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { classNames } from '../../../lib/class-names.ts'
import { useText } from 'virtual:words/chat-knowledge'

onAccountEvent('collections-changed', () => void refresh(documentsRoutes.collections))

/** Collections that questions look in, own and shared, to be put on and off. */
export function Collections({
  chosen,
  without = null,
  hint,
  onChange,
}: {
  chosen: readonly string[]
  /** One that is left out, because it counts anyway. */
  without?: string | null
  /** What choosing them means, where there are any. */
  hint?: string
  onChange: (ids: string[]) => void
}) {
  const t = useText('chat-knowledge')
  const list = useQuery(queryOf(documentsRoutes.collections, { query: { limit: 200 } }))
  const collections = (list.data?.items ?? []).filter(({ id }) => id !== without)
  // One that is shared no more cannot be seen; it goes with the next change.
  const here = chosen.filter((id) => collections.some((collection) => collection.id === id))
  return (
    <div role="group" aria-labelledby="chat-collections" className="flex flex-col gap-1.5">
      <p id="chat-collections" className="text-sm font-medium">
        {t('collections')}
      </p>
      {list.isError && <p className="text-xs text-danger-ink">{wordsOf(list.error)}</p>}
      {list.isSuccess && collections.length === 0 && <p className="text-xs text-muted">{t('noCollections')}</p>}
      {collections.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {collections.map(({ id, name, documentCount, shared, ownerName }) => {
            const on = here.includes(id)
            return (
              <li key={id} className="max-w-full">
                <button
                  type="button"
                  aria-pressed={on}
                  onClick={() => onChange(on ? here.filter((other) => other !== id) : [...here, id])}
                  className={classNames(
                    'hit flex h-control-small max-w-full items-center gap-1.5 rounded-full border px-2.5 text-sm',
                    on
                      ? 'border-accent-line bg-accent-soft text-accent-ink'
                      : 'border-line text-muted hover:bg-hover hover:text-ink',
                  )}
                >
                  {on ? (
                    <Check aria-hidden className="size-3.5 shrink-0" />
                  ) : shared ? (
                    <Users aria-hidden className="size-3.5 shrink-0" />
                  ) : (
                    <FolderOpen aria-hidden className="size-3.5 shrink-0" />
                  )}
                  <span dir="auto" className="truncate">
                    {name}
                  </span>
                  <span className="shrink-0 text-xs">
                    {shared && ownerName
                      ? t('ofOwner', { name: ownerName, count: documentCount })
                      : t('holds', { count: documentCount })}
                  </span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {hint && collections.length > 0 && <p className="text-xs text-muted">{hint}</p>}
    </div>
  )
}
