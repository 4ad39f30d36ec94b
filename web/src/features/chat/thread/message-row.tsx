import type { Message } from '@atrium/contract/chat'
import { Pin } from 'lucide-react'
import { type KeyboardEvent, memo, type MouseEvent } from 'react'
import { usePreferences } from '../../../api/account.ts'
import { Boundary } from '../../../blocks/boundary.tsx'
import { modelName } from '../../../blocks/models.ts'
import { dayName } from '../../../blocks/timeline/days.ts'
import { copyText } from '../../../lib/copy.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatTime } from '../../../lib/format.ts'
import { toast } from '../../../ui/toaster.tsx'
import { regenerateAnswer } from '../open/ask.ts'
import { pinMessage, showSibling } from '../open/edit.ts'
import { useText } from 'virtual:words/chat'
import { asMarkdown } from '../sources/as-markdown.ts'
import { Answer } from './answer.tsx'
import { useThread } from './context.ts'
import { Question } from './question.tsx'
import { SummaryCard } from './summary-card.tsx'
import { useQuote } from './use-quote.ts'

export interface RowProps {
  message: Message
  /** The first message of its day. */
  newDay: boolean
  isLast: boolean
  /** It is being written. */
  live: boolean
  flash: boolean
  /** The one row that Tab reaches. */
  tabbable: boolean
}

/** One message with its heading, its day where a new one begins, and its actions. */
export const MessageRow = memo(function MessageRow({ message, newDay, isLast, live, flash, tabbable }: RowProps) {
  const t = useText('chat')
  const thread = useThread()
  const { quote } = useQuote()
  const document = usePreferences().messageStyle === 'document'
  const who =
    message.role === 'user'
      ? (thread.ownerName ?? t('row.you'))
      : message.role === 'summary'
        ? t('summary.title')
        : modelName(thread.models, message.selection) || t('row.model')
  const source = (
    <div className="rounded-lg border border-line bg-sunken p-3">
      <p className="mb-2 text-sm text-muted">{t('row.broken')}</p>
      <pre dir="auto" className="text-sm whitespace-pre-wrap">
        {message.content}
      </pre>
    </div>
  )

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return
    const key = event.key.toLowerCase()
    const own = thread.ownerName === null
    if (own && key === 'e' && !live && message.role !== 'summary') thread.edit(message.id)
    else if (key === 'c' && !live)
      void copyText(asMarkdown(message)).then(
        () => toast(t('copied')),
        () => toast(t('copyRefused'), { tone: 'danger' }),
      )
    else if (own && key === 'q' && !live && message.content) quote(message.id, message.content)
    else if (own && key === 'p' && message.role !== 'summary')
      thread.attempt(() => pinMessage(thread.chat, message.id, !message.pinned))
    else if (own && key === 'r' && !live && message.role === 'assistant')
      thread.attempt(() => regenerateAnswer(thread.chat, message))
    else if (own && key === '[' && message.siblingIndex > 0)
      thread.attempt(() => showSibling(thread.chat, message, message.siblingIndex - 1))
    else if (own && key === ']' && message.siblingIndex < message.siblingCount - 1)
      thread.attempt(() => showSibling(thread.chat, message, message.siblingIndex + 1))
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      className={classNames(
        'mx-auto w-full max-w-[calc(var(--text-column)+2rem)] px-4',
        message.role === 'user' ? 'pb-2' : 'pb-6',
      )}
    >
      {newDay && (
        <p role="separator" className="flex items-center gap-3 pt-1 pb-4 text-xs font-medium text-muted">
          <span className="h-px flex-1 bg-line" />
          {dayName(message.createdAt, Date.now())}
          <span className="h-px flex-1 bg-line" />
        </p>
      )}
      <article
        data-message={message.id}
        id={isLast && message.role === 'assistant' ? 'last-answer' : undefined}
        tabIndex={tabbable ? 0 : -1}
        aria-labelledby={`who-${message.id}`}
        aria-busy={live || undefined}
        onKeyDown={onKeyDown}
        onMouseDown={leaveToKeys}
        className={classNames(
          'group/row rounded-lg outline-offset-4 focus-visible:outline-2 focus-visible:outline-ring',
          flash && 'anim-flash',
          message.summarised && 'opacity-85',
        )}
      >
        <h2 id={`who-${message.id}`} className="sr-only">
          {t('row.heading', { who, time: formatTime(message.createdAt) })}
        </h2>
        {message.pinned && (
          <p
            className={classNames(
              'mb-1 flex items-center gap-1 text-xs text-muted',
              message.role === 'user' && !document && 'justify-end',
            )}
          >
            <Pin aria-hidden className="size-3" />
            {t('row.pinned')}
          </p>
        )}
        <Boundary about={message} fallback={source}>
          {message.role === 'user' && <Question message={message} isLast={isLast} />}
          {message.role === 'assistant' && <Answer message={message} live={live} isLast={isLast} who={who} />}
          {message.role === 'summary' && <SummaryCard message={message} />}
        </Boundary>
      </article>
    </div>
  )
})

/** A click leaves no focus on a message: what is typed after it is meant for the box, and not for the keys of the message. */
function leaveToKeys({ currentTarget }: MouseEvent<HTMLElement>) {
  // The browser gives the focus after this event.
  setTimeout(() => {
    if (document.activeElement === currentTarget) currentTarget.blur()
  })
}
