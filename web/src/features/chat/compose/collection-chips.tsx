import { documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { LibraryBig, X } from 'lucide-react'
import { queryOf } from '../../../api/query.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { OpenChat } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat-compose'
import { leaveCollection } from './attach.ts'

/** The collections that questions of a chat look in; each can be taken off. */
export function CollectionChips({ chat, ids }: { chat: OpenChat; ids: readonly string[] }) {
  const t = useText('chat-compose')
  const { attempt } = useThread()
  const list = useQuery(queryOf(documentsRoutes.collections, { query: { limit: 200 } })).data?.items ?? []
  // One that is shared no more cannot be seen.
  const searched = list.filter(({ id }) => ids.includes(id))
  if (searched.length === 0) return null
  return (
    <ul aria-label={t('collections.label')} className="flex flex-wrap gap-2 px-3 pt-3 pb-0.5">
      {searched.map(({ id, name }) => (
        <li
          key={id}
          className="flex max-w-72 items-center gap-1.5 rounded-full border border-accent-line bg-accent-soft ps-2.5 pe-0.5 text-sm text-accent-ink"
        >
          <LibraryBig aria-hidden className="size-3.5 shrink-0" />
          <span className="truncate">
            <bdi>{t('collections.searched', { name })}</bdi>
          </span>
          <IconButton
            label={t('collections.leave', { name })}
            icon={<X />}
            size="small"
            tooltipSide="top"
            className="rounded-full"
            onClick={() => attempt(() => leaveCollection(chat, id))}
          />
        </li>
      ))}
    </ul>
  )
}
