import type { Message } from '@atrium/contract/chat'
import { Link } from '@tanstack/react-router'
import {
  CirclePause,
  CirclePlay,
  CircleSlash,
  FileWarning,
  Hourglass,
  RefreshCw,
  Scissors,
  ShieldAlert,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { formatTime, formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { i18n } from '../../../lib/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { regenerateAnswer, continueAnswer } from '../open/ask.ts'
import { compactChat } from '../open/edit.ts'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'
import { diagnose } from './failures.ts'
import { useSecondsUntil } from './waiting.tsx'

/** How an answer ended, where it did not simply end: said in words, with the ways on. */
export function Ending({ message, isLast }: { message: Message; isLast: boolean }) {
  const t = useText('chat')
  const { chat, attempt, ownerName } = useThread()
  const onward = isLast && ownerName === null && (
    <>
      {(message.content || message.toolCalls.some((call) => call.round !== undefined)) && (
        <Button
          size="small"
          icon={<CirclePlay className="size-3.5" />}
          onClick={() => attempt(() => continueAnswer(chat, message))}
        >
          {t('ending.continue')}
        </Button>
      )}
      <Button
        size="small"
        tone="quiet"
        icon={<RefreshCw className="size-3.5" />}
        onClick={() => attempt(() => regenerateAnswer(chat, message))}
      >
        {t('ending.retry')}
      </Button>
    </>
  )
  if (isUnreadable(message)) return <Unreadable />
  switch (message.status) {
    case 'failed':
      return <Failure message={message} isLast={isLast && ownerName === null} />
    case 'interrupted':
      return (
        <Line icon={<CirclePause />} actions={onward}>
          {interrupted(t, message)}
        </Line>
      )
    case 'cancelled':
      return (
        <Line icon={<CircleSlash />} actions={onward}>
          {t('ending.cancelled')}
        </Line>
      )
    case 'waiting':
      return <Line icon={<Hourglass />}>{t(ownerName === null ? 'ending.waiting' : 'ending.waitingForOwner')}</Line>
    case 'running':
      // Running by its own word, but not followed: it belongs to a page that was left, or it is lost.
      return null
    case 'complete':
      if (message.finishReason === 'length')
        return (
          <Line icon={<Scissors />} actions={onward}>
            {t('ending.length')}
          </Line>
        )
      if (message.finishReason === 'content_filter') return <Line icon={<ShieldAlert />}>{t('ending.filtered')}</Line>
      if (!message.content && message.toolCalls.length + message.attachments.length === 0 && !message.making)
        return (
          <Line icon={<CircleSlash />} actions={onward}>
            {t('ending.empty')}
          </Line>
        )
      return null
  }
}

/** Whether the server could not read what it stored of this message; it then has no words. */
export const isUnreadable = ({ failure }: Message): boolean => failure?.code === 'unreadable'

/** In the place of a message whose stored form is damaged. */
export function Unreadable() {
  const t = useText('chat')
  return <Line icon={<FileWarning />}>{t('ending.unreadable')}</Line>
}

function Failure({ message, isLast }: { message: Message; isLast: boolean }) {
  const t = useText('chat')
  const { chat, attempt, pickModelFor } = useThread()
  const code = message.failure?.code ?? 'provider_failed'
  const { blame, remedies } = diagnose(code)
  const details = [code, message.failure?.detail, `message ${message.id}`].filter(Boolean).join('\n')
  const wait = useSecondsUntil(message.failure?.retryAt)
  // English takes the server's own sentence, which is the more exact one.
  const own = i18n.language.startsWith('en') ? message.failure?.detail : undefined
  return (
    <ErrorCard
      className="mt-3"
      title={t(`failure.${blame}`)}
      details={details}
      onRetry={isLast && remedies.includes('retry') ? () => attempt(() => regenerateAnswer(chat, message)) : undefined}
      retryLabel={wait > 0 ? t('failure.retryIn', { count: wait }) : undefined}
      actions={
        isLast && (
          <>
            {message.content && remedies.includes('retry') && (
              <Button size="small" onClick={() => attempt(() => continueAnswer(chat, message))}>
                {t('ending.continue')}
              </Button>
            )}
            {remedies.includes('compact') && (
              <Button size="small" onClick={() => attempt(() => compactChat(chat))}>
                {t('gauge.compact')}
              </Button>
            )}
            {remedies.includes('model') && (
              <Button size="small" onClick={() => pickModelFor(message)}>
                {t('failure.switchModel')}
              </Button>
            )}
            {remedies.includes('budgets') && (
              <Button size="small" asChild>
                <Link to={links.settings('usage', 'budgets')}>{t('failure.budgets')}</Link>
              </Button>
            )}
            {remedies.includes('connections') && (
              <Button size="small" asChild>
                <Link to={links.settings('connections')}>{t('failure.connections')}</Link>
              </Button>
            )}
          </>
        )
      }
    >
      {own || (i18n.exists(`errors:${code}`) ? t(`errors:${code}`) : t('failure.unknown'))}
    </ErrorCard>
  )
}

function Line({ icon, actions, children }: { icon: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-sunken px-3 py-1.5 text-sm">
      <span aria-hidden className="text-muted [&_svg]:size-4">
        {icon}
      </span>
      <p className="min-w-40 flex-1">{children}</p>
      {actions}
    </div>
  )
}

/** “Interrupted at 14:02, 812 tokens”. */
function interrupted(t: ReturnType<typeof useText>, message: Message): string {
  const tokens = message.usage?.outputTokens ?? Math.ceil(message.content.length / 4)
  const time = formatTime(message.editedAt ?? message.createdAt)
  return t('ending.interrupted', { time, count: tokens, tokens: formatNumber(tokens) })
}
