import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ChevronLeft, Folder } from 'lucide-react'
import { useState } from 'react'
import { codeOf } from '../../../api/errors.ts'
import { PagedList } from '../../../blocks/paged-list.tsx'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ChatItem } from '../list/chat-item.tsx'
import { FolderGone } from '../list/folder-gone.tsx'
import { sharedFolderQuery } from './data.ts'
import { LeaveDialog } from '../../../blocks/shared-with-me/leave.tsx'
import { type SharedResource, sharedQuery } from '../../../blocks/shared-with-me/data.ts'
import { useShareFacts } from '../../../blocks/shared-with-me/facts.ts'
import { useText } from 'virtual:words/chat-shared'
import { useText as useShareWords } from 'virtual:words/shared-with-me'

/** `/shared/folders/<id>`: the chats of a folder of somebody else. */
export function SharedFolderPage() {
  const t = useText('chat-shared')
  const words = useShareWords('shared-with-me')
  const factsOf = useShareFacts()
  const navigate = useNavigate()
  const { folderId } = useParams({ strict: false }) as { folderId: string }
  const list = useInfiniteQuery(sharedFolderQuery(folderId))
  const shares = useInfiniteQuery(sharedQuery('folder')).data
  const [leaving, setLeaving] = useState<SharedResource | null>(null)
  const folder = list.data?.pages[0]
  useTitle(folder?.name ?? t('chat-list:sharedWithMe'))
  const gone = codeOf(list.error) === 'folder_not_found'
  const share = shares?.find((thing) => thing.resourceId === folderId)
  const chats = list.data?.pages.flatMap(({ items }) => items) ?? []
  if (gone) {
    return (
      <FolderGone title={t('folderGone')} to={links.shared()} place={t('chat-list:sharedWithMe')} primary>
        {t('folderGoneText')}
      </FolderGone>
    )
  }
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="page-column">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <div className="min-w-48 flex-1">
            <Link to={links.shared()} className="mb-1 inline-flex items-center gap-1 text-sm text-muted hover:text-ink">
              <ChevronLeft aria-hidden className="size-4" />
              {t('chat-list:sharedWithMe')}
            </Link>
            <h1 className="flex items-center gap-2 text-xl font-semibold tracking-tight">
              <Folder aria-hidden className="size-5 shrink-0 text-muted" />
              <bdi className="min-w-0 truncate">{folder?.name ?? ''}</bdi>
            </h1>
            {share ? (
              <p className="text-muted">{factsOf(share)}</p>
            ) : (
              folder?.ownerName && <p className="text-muted">{words('by', { name: folder.ownerName })}</p>
            )}
          </div>
          {share && <Button onClick={() => setLeaving(share)}>{words('leave')}</Button>}
        </header>
        <PagedList
          pages={list}
          failed={t('folderNotLoaded')}
          empty={
            <EmptyState icon={<Folder />} title={t('folderEmpty')}>
              {t('folderEmptyHint', { name: folder?.ownerName ?? '' })}
            </EmptyState>
          }
        >
          {chats.map((chat) => (
            <ChatItem key={chat.id} chat={{ ...chat, shared: false }} />
          ))}
        </PagedList>
      </div>
      {leaving && (
        <LeaveDialog
          resource={leaving}
          onClose={() => setLeaving(null)}
          onLeft={() => void navigate({ to: links.shared() })}
        />
      )}
    </div>
  )
}
