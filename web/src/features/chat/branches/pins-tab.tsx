import { chatRoutes } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { Pin, PinOff, Split } from 'lucide-react'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { pinMessage, showMessage } from '../open/edit.ts'
import type { OpenChat } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat-branches'
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
    <ol
      aria-label={t('pins.label')}
      className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised"
    >
      {pins.data.items.map(({ id, role, words, active, createdAt }) => (
        <li key={id} className="flex items-start gap-1 pe-1 hover:bg-hover">
          <button
            type="button"
            className="min-w-0 flex-1 px-3 py-2 text-start focus-visible:-outline-offset-2"
            onClick={() =>
              attempt(async () => {
                await showMessage(chat, id, active)
                onShown()
              })
            }
          >
            <span dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
              {words || t('wordless')}
            </span>
            <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
              {role === 'user' ? t('you') : t('answer')} ·
              <time dateTime={createdAt} title={formatDateTime(createdAt)}>
                {formatAgo(createdAt)}
              </time>
              {!active && (
                <span className="inline-flex items-center gap-1">
                  <Split aria-hidden className="size-3" />
                  {t('pins.elsewhere')}
                </span>
              )}
            </span>
          </button>
          <IconButton
            label={t('pins.unpin', { words: words || t('wordless') })}
            icon={<PinOff />}
            size="small"
            className="mt-1.5"
            onClick={() => attempt(() => pinMessage(chat, id, false))}
          />
        </li>
      ))}
    </ol>
  )
}
