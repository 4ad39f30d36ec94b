import { chatRoutes } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { Pin, PinOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
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
  const { box, leaveRow } = useRowFocus(pins.data?.items)
  if (pins.isError && !pins.data) {
    return (
      <ErrorCard title={t('pins.failed')} details={detailsOf(pins.error)} onRetry={() => void pins.refetch()}>
        {wordsOf(pins.error)}
      </ErrorCard>
    )
  }
  if (pins.isPending) return <Skeleton lines={6} />
  const { items } = pins.data
  return (
    <div ref={box}>
      {items.length === 0 ? (
        <EmptyState icon={<Pin />} title={t('pins.none')}>
          {t('pins.noneText')}
        </EmptyState>
      ) : (
        <MessageList
          chat={chat}
          label={t('pins.label')}
          items={items}
          onShown={onShown}
          end={({ id, words }) => (
            <IconButton
              label={t('pins.unpin', { words: words || t('wordless') })}
              icon={<PinOff />}
              size="small"
              className="mt-1.5"
              onClick={() => {
                leaveRow(items.findIndex((item) => item.id === id))
                attempt(() => pinMessage(chat, id, false))
              }}
            />
          )}
        />
      )}
    </div>
  )
}

/** Keys go on at the button of the row that takes the place of one that goes, or at the panel where no row is left. */
function useRowFocus(items: readonly unknown[] | undefined) {
  const box = useRef<HTMLDivElement>(null)
  const left = useRef<number | null>(null)
  useEffect(() => {
    if (left.current === null || document.activeElement !== document.body) return
    const rows = [...(box.current?.querySelectorAll('li') ?? [])]
    const row = rows[left.current] ?? rows.at(-1)
    const panel = box.current?.closest<HTMLElement>('[role="tabpanel"]')
    const next = row ? [...row.querySelectorAll('button')].at(-1) : panel
    next?.focus()
    left.current = null
  }, [items])
  const leaveRow = (index: number) => {
    left.current = index
  }
  return { box, leaveRow }
}
