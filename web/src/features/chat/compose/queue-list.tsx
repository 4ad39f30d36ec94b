import type { QueueEntry } from '@atrium/contract/chat'
import {
  ArrowDown,
  ArrowUp,
  Check,
  Globe,
  ListOrdered,
  Pause,
  Pencil,
  Play,
  SendHorizontal,
  Trash2,
  WandSparkles,
  X,
} from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../../api/account.ts'
import { draftOf } from '../../../blocks/composer/draft.ts'
import { isComposing } from '../../../lib/composing.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { moveQueued, resumeQueue, rewriteQueued, sendQueuedNow, takeQueued } from '../open/queue.ts'
import type { OpenChat } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat'
import { restoreMaking } from '../media/make-mode.ts'
import { restoreWebMode } from './web-mode.ts'

/** Prompts that wait for their turn, above the box. */
export function QueueList({ chat, queue, paused }: { chat: OpenChat; queue: readonly QueueEntry[]; paused: boolean }) {
  const t = useText('chat')
  const { attempt } = useThread()
  if (queue.length === 0) return null
  return (
    <section aria-label={t('queue.title')} className="mb-2 rounded-xl border border-line bg-sunken p-2">
      <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1 px-1 pb-1">
        <h3 className="flex min-w-0 items-center gap-1.5 text-xs font-medium text-muted">
          {paused ? (
            <Pause aria-hidden className="size-3.5 shrink-0" />
          ) : (
            <ListOrdered aria-hidden className="size-3.5 shrink-0" />
          )}
          {paused ? t('queue.paused', { count: queue.length }) : t('queue.title')}
          <span role="status" className="font-normal">
            {paused ? t('queue.pausedNote') : t('queue.note')}
          </span>
        </h3>
        {paused && (
          <Button size="small" icon={<Play className="size-3.5" />} onClick={() => attempt(() => resumeQueue(chat))}>
            {t('queue.resume')}
          </Button>
        )}
      </div>
      <ol className="flex max-h-44 flex-col gap-1 overflow-y-auto">
        {queue.map((entry, index) => (
          <Entry key={entry.id} chat={chat} entry={entry} first={index === 0} last={index === queue.length - 1} />
        ))}
      </ol>
    </section>
  )
}

function Entry({ chat, entry, first, last }: { chat: OpenChat; entry: QueueEntry; first: boolean; last: boolean }) {
  const t = useText('chat')
  const me = useMe()
  const { attempt } = useThread()
  const [edited, setEdited] = useState<string | null>(null)
  const save = () => {
    const content = edited?.trim()
    setEdited(null)
    if (content && content !== entry.content) attempt(() => rewriteQueued(chat, entry.id, content))
  }
  const putBack = (taken: QueueEntry) => {
    // What it quotes is in its text already.
    draftOf(me.id, chat.id).putBack({ ...taken, quotes: [], attachments: restoreMaking(chat.id, taken) })
    restoreWebMode(chat.id, taken.webSearch)
  }
  const remove = () =>
    attempt(async () => {
      const taken = await takeQueued(chat, entry.id)
      toast(t('queue.removed'), { action: { label: t('queue.backToBox'), onClick: () => putBack(taken) } })
    })
  if (edited !== null) {
    return (
      <li className="flex items-end gap-1 rounded-lg bg-raised p-1">
        <TextArea
          autoFocus
          rows={1}
          maxRows={6}
          dir="auto"
          aria-label={t('queue.edit')}
          value={edited}
          onChange={(event) => setEdited(event.target.value)}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent)) return
            if (event.key === 'Escape') setEdited(null)
            else if (event.key === 'Enter' && !event.shiftKey) save()
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
        <IconButton label={t('cancel')} icon={<X />} size="small" onClick={() => setEdited(null)} />
        <IconButton label={t('edit.save')} icon={<Check />} size="small" tone="primary" onClick={save} />
      </li>
    )
  }
  return (
    <li className="flex items-center gap-0.5 rounded-lg bg-raised ps-2.5">
      {entry.webSearch && (
        <span className="me-1 shrink-0 text-accent-ink" title={t('queue.web')}>
          <Globe aria-hidden className="size-3.5" />
          <span className="sr-only">{t('queue.web')}</span>
        </span>
      )}
      {entry.make && (
        <span className="me-1 shrink-0 text-accent-ink" title={t(`queue.make.${entry.make.kind}`)}>
          <WandSparkles aria-hidden className="size-3.5" />
          <span className="sr-only">{t(`queue.make.${entry.make.kind}`)}</span>
        </span>
      )}
      <p dir="auto" className="min-w-0 flex-1 truncate text-base">
        {entry.content || entry.attachments.map((file) => file.name).join(', ')}
      </p>
      <IconButton
        label={t('queue.up')}
        icon={<ArrowUp />}
        size="small"
        disabled={first}
        tooltipSide="top"
        onClick={() => attempt(() => moveQueued(chat, entry.id, -1))}
      />
      <IconButton
        label={t('queue.down')}
        icon={<ArrowDown />}
        size="small"
        disabled={last}
        tooltipSide="top"
        onClick={() => attempt(() => moveQueued(chat, entry.id, 1))}
      />
      <IconButton
        label={t('queue.edit')}
        icon={<Pencil />}
        size="small"
        tooltipSide="top"
        onClick={() => setEdited(entry.content)}
      />
      <IconButton label={t('queue.remove')} icon={<Trash2 />} size="small" tooltipSide="top" onClick={remove} />
      <IconButton
        label={t('queue.now')}
        icon={<SendHorizontal />}
        size="small"
        tooltipSide="top"
        onClick={() => attempt(() => sendQueuedNow(chat, entry.id, putBack))}
      />
    </li>
  )
}
