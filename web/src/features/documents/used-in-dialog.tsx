import { chatRoutes } from '@atrium/contract/chat'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MessageSquareQuote } from 'lucide-react'
import { useEffect } from 'react'
import { onAccountEvent } from '../../api/account-events.ts'
import { pagesOf } from '../../api/pages.ts'
import { refresh } from '../../api/query.ts'
import { PagedList } from '../../blocks/paged-list.tsx'
import { formatAgo } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useText } from 'virtual:words/documents'

/** The reader’s own chats that cite a document; each leads to its latest answer that does. */
export function UsedInDialog({ documentId, onClose }: { documentId: string; onClose: () => void }) {
  const t = useText('documents')
  const chats = useInfiniteQuery({ ...pagesOf(chatRoutes.citing, { params: { documentId } }), staleTime: 0 })
  useEffect(() => {
    const again = () => void refresh(chatRoutes.citing)
    const ends = [onAccountEvent('chat-changed', again), onAccountEvent('chat-removed', again)]
    return () => ends.forEach((end) => end())
  }, [])
  return (
    <Dialog open onOpenChange={onClose} title={t('usedIn.title')} description={t('usedIn.text')}>
      <div className="flex flex-col gap-3">
        <PagedList
          pages={chats}
          label={t('usedIn.title')}
          failed={t('usedIn.notLoaded')}
          empty={
            <EmptyState icon={<MessageSquareQuote />} title={t('usedIn.none')}>
              {t('usedIn.noneText')}
            </EmptyState>
          }
        >
          {(chats.data ?? []).map((chat) => (
            <li key={chat.chatId}>
              <Link
                to={links.chat(chat.chatId, chat.messageId)}
                onClick={onClose}
                className="flex min-h-row flex-wrap items-center gap-x-3 px-3 py-2 hover:bg-hover"
              >
                <span dir="auto" className="min-w-0 flex-1 basis-40 truncate font-medium">
                  {chat.title}
                </span>
                <span className="text-sm text-muted">
                  {t('usedIn.answers', { count: chat.answers })} · {formatAgo(chat.answeredAt)}
                </span>
              </Link>
            </li>
          ))}
        </PagedList>
      </div>
    </Dialog>
  )
}
