import type { MessagePreview } from '@atrium/contract/chat'
import { Split } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { showMessage } from '../open/edit.ts'
import type { OpenChat } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat-branches'

/** Messages of a chat, in whichever branch they are; each leads to its place. */
export function MessageList({
  chat,
  label,
  items,
  onShown,
  end,
}: {
  chat: OpenChat
  label: string
  items: readonly MessagePreview[]
  onShown: () => void
  /** Stands behind a message. */
  end?: (message: MessagePreview) => ReactNode
}) {
  const t = useText('chat-branches')
  const { attempt } = useThread()
  return (
    <ol aria-label={label} className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised">
      {items.map((message) => (
        <li key={message.id} className="flex items-start gap-1 pe-1 hover:bg-hover">
          <button
            type="button"
            className="min-w-0 flex-1 px-3 py-2 text-start focus-visible:-outline-offset-2"
            onClick={() =>
              attempt(async () => {
                await showMessage(chat, message.id)
                onShown()
              })
            }
          >
            {message.branchName !== null && (
              <span dir="auto" className="block font-medium [overflow-wrap:anywhere]">
                {message.branchName}
              </span>
            )}
            <span dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
              {message.words || t('wordless')}
            </span>
            <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
              <span>
                {message.role === 'user' ? t('you') : t('answer')}
                {' · '}
                <time dateTime={message.createdAt} title={formatDateTime(message.createdAt)}>
                  {formatAgo(message.createdAt)}
                </time>
              </span>
              {!message.active && (
                <span className="inline-flex items-center gap-1">
                  <Split aria-hidden className="size-3" />
                  {t('elsewhere')}
                </span>
              )}
            </span>
          </button>
          {end?.(message)}
        </li>
      ))}
    </ol>
  )
}
