import { chatRoutes } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { Pin, PinOff } from 'lucide-react'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { pinMessage } from '../open/edit.ts'
import type { OpenChat } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat-branches'
import { MessageList } from './message-list.tsx'
import { useFresh } from './use-fresh.ts'

/** The pinned messages of a chat, of all branches; each leads to its place. */
export function PinsTab({ chat, onShown }: { chat: OpenChat; onShown: () => void }) {
  const t = useText('chat-branches')
  const { attempt } = useThread()
  const pins = useQuery({ ...queryOf(chatRoutes.pins, { params: { sessionId: chat.id } }), staleTime: 0 })
  useFresh(chatRoutes.pins, chat.id)
  if (pins.isPending) return <Skeleton lines={6} />
  if (pins.isError) {
    return (
      <ErrorCard title={t('pins.failed')} details={detailsOf(pins.error)} onRetry={() => void pins.refetch()}>
        {wordsOf(pins.error)}
      </ErrorCard>
    )
  }
  if (pins.data.items.length === 0) {
    return (
      <EmptyState icon={<Pin />} title={t('pins.none')}>
        {t('pins.noneText')}
      </EmptyState>
    )
  }
  return (
    <MessageList
      chat={chat}
      label={t('pins.label')}
      items={pins.data.items}
      onShown={onShown}
      end={({ id, words }) => (
        <IconButton
          label={t('pins.unpin', { words: words || t('wordless') })}
          icon={<PinOff />}
          size="small"
          className="mt-1.5"
          onClick={() => attempt(() => pinMessage(chat, id, false))}
        />
      )}
    />
  )
}
