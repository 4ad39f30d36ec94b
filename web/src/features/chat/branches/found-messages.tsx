import { chatRoutes } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { OpenChat } from '../open/store.ts'
import { useText } from 'virtual:words/chat-branches'
import { MessageList } from './message-list.tsx'
import { useFresh } from './use-fresh.ts'

/** The messages of all branches that contain these words. */
export function FoundMessages({ chat, words, onShown }: { chat: OpenChat; words: string; onShown: () => void }) {
  const t = useText('chat-branches')
  const found = useQuery({
    ...queryOf(chatRoutes.findInBranches, { params: { sessionId: chat.id }, query: { q: words } }),
    staleTime: 0,
    placeholderData: (last) => last,
  })
  useFresh(chatRoutes.findInBranches, chat.id)
  if (found.isError && !found.data) {
    return (
      <ErrorCard title={t('find.failed')} details={detailsOf(found.error)} onRetry={() => void found.refetch()}>
        {wordsOf(found.error)}
      </ErrorCard>
    )
  }
  if (found.isPending) return <Skeleton lines={4} />
  const { items, total } = found.data
  return (
    <>
      <p role="status" className="text-sm text-muted">
        {total === 0 ? t('find.none') : t('find.count', { count: total })}
      </p>
      {items.length > 0 && <MessageList chat={chat} label={t('find.label')} items={items} onShown={onShown} />}
    </>
  )
}
