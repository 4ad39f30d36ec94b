import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Search, Trash2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { PagedList } from '../../../blocks/paged-list.tsx'
import { formatAgo } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { listQuery } from '../list/cache.ts'
import { archiveChats, trashChats } from '../list/changes.ts'
import { useText } from 'virtual:words/chat'

/** `/archive`: chats that were put aside. */
export function ArchivePage() {
  const t = useText('chat')
  useTitle(t('chat-list:archivePage'))
  const [words, setWords] = useState('')
  const q = useDeferredValue(words.trim())
  const list = useInfiniteQuery(listQuery(q ? { archived: 'true', q } : { archived: 'true' }))
  const chats = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <header>
          <h1 className="text-xl font-semibold tracking-tight">{t('chat-list:archivePage')}</h1>
          <p className="text-muted">{t('archivePage.note')}</p>
        </header>
        <Input
          type="search"
          icon={<Search />}
          aria-label={t('chat-list:list.search')}
          placeholder={t('chat-list:list.search')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <PagedList
          pages={list}
          failed={t('chat-list:list.failed')}
          empty={
            <EmptyState icon={<Archive />} title={q ? t('chat-list:list.noHits') : t('archivePage.nothing')}>
              {q ? t('chat-list:list.noHitsHint') : t('archivePage.nothingHint')}
            </EmptyState>
          }
        >
          {chats.map((chat) => (
            <li key={chat.id} className="flex items-center gap-1 pe-2">
              <Link
                to={links.chat(chat.id)}
                className="flex min-w-0 flex-1 items-baseline gap-3 px-3.5 py-2.5 hover:bg-hover"
              >
                <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
                  {chat.title}
                </span>
                <span className="shrink-0 text-sm text-muted">{formatAgo(chat.updatedAt)}</span>
              </Link>
              <IconButton
                label={t('chat-list:unarchive')}
                icon={<ArchiveRestore />}
                onClick={() => void archiveChats([chat.id], false)}
              />
              <IconButton label={t('chat-list:delete')} icon={<Trash2 />} onClick={() => void trashChats([chat.id])} />
            </li>
          ))}
        </PagedList>
      </div>
    </div>
  )
}
