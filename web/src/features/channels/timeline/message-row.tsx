import type { ChannelMessage } from '@atrium/contract/channels'
import { CornerDownRight, Pin } from 'lucide-react'
import { type KeyboardEvent, memo } from 'react'
import { MakerMark } from '../../../blocks/maker-mark/maker-mark.tsx'
import { makerOfModel } from '../../../blocks/maker-mark/makers.ts'
import { PersonPicture } from '../../../blocks/presence/person-picture.tsx'
import { Boundary } from '../../../blocks/boundary.tsx'
import { copyText } from '../../../lib/copy.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatDateTime, formatTime } from '../../../lib/format.ts'
import { ContextMenu } from '../../../ui/menu.tsx'
import { Monogram } from '../../../ui/monogram.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { AnswerBody, AskedBy } from '../answers/answer-body.tsx'
import { markThreadUnreadFrom } from '../followed/data.ts'
import { partsOfName } from '../names.ts'
import { togglePin, useRemoving } from '../open/changes.ts'
import type { OutgoingMessage } from '../open/outbox.ts'
import { markUnreadFrom } from '../open/read-mark.ts'
import { canEdit, canPin, canReact } from '../rules.ts'
import { useText } from 'virtual:words/channels'
import { ForwardedQuote } from '../later/forwarded-quote.tsx'
import { useChannel } from './context.ts'
import { EditBox } from './edit-box.tsx'
import { MessageFiles } from './files.tsx'
import { MessageText } from './message-text.tsx'
import { Reactions } from './reactions.tsx'
import { MessageMenu, RowActions } from './row-actions.tsx'
import { ThreadLink } from './thread-link.tsx'
import { OutgoingNote } from './outgoing-note.tsx'

export interface MessageRowProps {
  message: ChannelMessage
  /** It is on its way, waits, or was refused. */
  unsent?: OutgoingMessage | undefined
  /** By the same person as the one before, right after it. */
  continued: boolean
  inThread?: boolean
  flash: boolean
  /** The one row that Tab reaches. */
  tabbable: boolean
}

/** One message: who, when, what, and what others did with it. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, unsent, continued, inThread = false, flash, tabbable } = props
  const t = useText('channels')
  const { channel, me, editing, edit, react, openThread } = useChannel()
  const removing = useRemoving(({ ids }) => ids.has(message.id))
  const isGone = removing || message.deletedAt !== null
  const { author, answer } = message
  const { shown: who, handle } = answer
    ? { shown: answer.name, handle: answer.name }
    : partsOfName(author?.name || t('nobody'))
  const id = `${inThread ? 'thread-' : ''}who-${message.id}`

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey || unsent) return
    const key = event.key.toLowerCase()
    if (key === 'e' && canEdit(channel, message, me.id)) edit(message.id)
    else if (key === 'r' && canReact(channel, message)) react(message.id)
    else if (key === 't' && !inThread && channel.isMember) openThread(message)
    else if (key === 'p' && canPin(channel, message)) void togglePin(message)
    else if (key === 'u' && channel.isMember) void (inThread ? markThreadUnreadFrom(message) : markUnreadFrom(message))
    else if (key === 'c' && message.content)
      void copyText(message.content).then(
        () => toast(t('row.copied')),
        () => toast(t('blocks:copyRefused'), { tone: 'danger' }),
      )
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const row = (
    <article
      data-message={message.id}
      tabIndex={tabbable ? 0 : -1}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      className={classNames(
        'group/row relative flex gap-3 px-4 outline-offset-[-2px] hover:bg-hover/60 focus-visible:outline-2 focus-visible:outline-ring',
        continued ? 'py-0.5' : 'pt-2 pb-0.5',
        flash && 'anim-flash',
        message.pinnedAt && !isGone && 'bg-warn-soft/40',
      )}
    >
      <div className="w-9 shrink-0 pt-0.5">
        {continued ? (
          <time
            aria-hidden
            dateTime={message.createdAt}
            title={formatDateTime(message.createdAt)}
            className="flex justify-end pt-1 text-2xs whitespace-nowrap text-muted tabular-nums opacity-0 group-hover/row:opacity-100"
          >
            {formatTime(message.createdAt)}
          </time>
        ) : answer ? (
          <MakerMark maker={makerOfModel(answer.model, answer.name)} className="size-9" />
        ) : author ? (
          <PersonPicture userId={author.id} name={who} picture={author.avatar} className="size-9 text-sm" large />
        ) : (
          <Monogram name={who} className="size-9 text-sm" />
        )}
      </div>
      <div className="min-w-0 flex-1">
        <h3 id={id} className="sr-only">
          {t('row.heading', { who, time: formatTime(message.createdAt) })}
        </h3>
        {message.pinnedAt && !isGone && (
          <p className="flex items-center gap-1 text-xs text-warn-ink">
            <Pin aria-hidden className="size-3" />
            {t('row.pinned')}
          </p>
        )}
        {message.parentId !== null && !inThread && !isGone && (
          <button
            type="button"
            onClick={() => openThread(message)}
            className="flex items-center gap-1 text-xs text-muted hover:text-ink hover:underline"
          >
            <CornerDownRight aria-hidden className="size-3" />
            {t('row.fromThread')}
          </button>
        )}
        {!continued && (
          <p aria-hidden className="flex items-baseline gap-2">
            <bdi className="truncate font-semibold">{who}</bdi>
            {handle !== who && <bdi className="truncate text-sm text-muted">{handle}</bdi>}
            {answer && <AskedBy answer={answer} />}
            <time
              dateTime={message.createdAt}
              title={formatDateTime(message.createdAt)}
              className="shrink-0 text-xs text-muted tabular-nums"
            >
              {formatTime(message.createdAt)}
            </time>
          </p>
        )}
        <Boundary about={message} fallback={<Broken message={message} />}>
          {isGone ? (
            <p className="text-base text-muted italic">{t('row.deleted')}</p>
          ) : editing === message.id ? (
            <EditBox message={message} />
          ) : (
            <>
              {answer ? (
                <AnswerBody message={message} answer={answer} />
              ) : (
                message.content && <MessageText message={message} meId={me.id} />
              )}
              {message.forwarded && <ForwardedQuote forwarded={message.forwarded} />}
              {message.editedAt && (
                <span title={formatDateTime(message.editedAt)} className="text-xs text-muted">
                  ({t('row.edited')})
                </span>
              )}
              <MessageFiles files={message.attachments} />
              <Reactions message={message} />
            </>
          )}
        </Boundary>
        {unsent && <OutgoingNote unsent={unsent} />}
        {!inThread && message.replyCount > 0 && <ThreadLink message={message} />}
      </div>
      {!unsent && !isGone && editing !== message.id && <RowActions message={message} inThread={inThread} />}
    </article>
  )
  if (unsent || isGone) return row
  return (
    <ContextMenu items={<MessageMenu message={message} inThread={inThread} />} label={t('row.more')}>
      {row}
    </ContextMenu>
  )
})

function Broken({ message }: { message: ChannelMessage }) {
  const t = useText('channels')
  return (
    <div className="rounded-lg border border-line bg-sunken p-3">
      <p className="mb-2 text-sm text-muted">{t('row.broken')}</p>
      <pre dir="auto" className="text-sm whitespace-pre-wrap">
        {message.content}
      </pre>
    </div>
  )
}
