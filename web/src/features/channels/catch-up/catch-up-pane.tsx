import { type ChannelCatchUp, type ChannelMessage, channelsRoutes as routes } from '@atrium/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleStop, ListChecks, RotateCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { keyOf, queryClient } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import { useNarrow } from '../../../lib/media.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/channels-catch-up'
import { shownName } from '../names.ts'
import { openTimeline } from '../open/store.ts'
import { useChannel } from '../timeline/context.ts'

/** What was missed in the channel, in sentences that lead to their messages, or by mentions and threads. */
export function CatchUpPane() {
  const t = useText('channels-catch-up')
  const { channel } = useChannel()
  // What was new when the channel was opened: reading on does not change the question.
  const [{ afterSeq, lastSeq }] = useState(() => ({
    afterSeq: openTimeline(channel.id).store.getState().newFrom ?? channel.readSeq,
    lastSeq: channel.lastSeq,
  }))
  const input = { params: { channelId: channel.id }, body: { afterSeq } }
  const queryKey = [...keyOf(routes.catchUp), input, lastSeq]
  // Asked once: coming back from a message costs nothing.
  const missed = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(routes.catchUp, input, { signal }),
    staleTime: Infinity,
    retry: false,
  })
  if (missed.data) return <Missed missed={missed.data} />
  if (missed.isError)
    return (
      <div className="p-4">
        <ErrorCard title={t('failed')} details={detailsOf(missed.error)} onRetry={() => void missed.refetch()}>
          {wordsOf(missed.error)}
        </ErrorCard>
      </div>
    )
  return (
    <div role="status" className="flex flex-col items-start gap-3 p-4 text-muted">
      {missed.isFetching ? (
        <>
          <p className="flex items-center gap-2">
            <Spinner />
            {t('reading')}
          </p>
          <Button
            size="small"
            icon={<CircleStop className="size-4" />}
            onClick={() => void queryClient.cancelQueries({ queryKey })}
          >
            {t('stop')}
          </Button>
        </>
      ) : (
        <>
          <p>{t('stopped')}</p>
          <Button size="small" icon={<RotateCw className="size-4" />} onClick={() => void missed.refetch()}>
            {t('again')}
          </Button>
        </>
      )}
    </div>
  )
}

function Missed({ missed }: { missed: ChannelCatchUp }) {
  const t = useText('channels-catch-up')
  const { model, failure, sentences, mentions, threads, messageCount, isComplete } = missed
  if (messageCount === 0)
    return (
      <EmptyState icon={<ListChecks />} title={t('nothing')}>
        {t('nothingText')}
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-4 p-4">
      {model === null ? (
        <p className="text-sm text-muted">
          {t('count', { count: messageCount })}{' '}
          {t(failure === null ? 'noModel' : failure === 'over_budget' ? 'overBudget' : 'modelFailed')}
        </p>
      ) : (
        <section aria-label={t('summary')}>
          <ul className="flex flex-col gap-1">
            {sentences.map(({ text, messageId, parentId }, index) => (
              <li key={index}>
                <Place messageId={messageId} parentId={parentId}>
                  {text}
                </Place>
              </li>
            ))}
          </ul>
          <p className="mt-3 text-xs text-muted">
            {t(isComplete ? 'by' : 'byLatest', { model, count: messageCount })} {t('private')}
          </p>
        </section>
      )}
      {mentions.length > 0 && (
        <Titled title={t('mentions')}>
          {mentions.map((message) => (
            <li key={message.id}>
              <Place messageId={message.id} parentId={message.inChannel ? null : message.parentId}>
                <Said message={message} />
              </Place>
            </li>
          ))}
        </Titled>
      )}
      {threads.length > 0 && (
        <Titled title={t('threads')}>
          {threads.map(({ root, unreadCount }) => (
            <li key={root.id}>
              <Place messageId={root.id} parentId={root.id}>
                <Said message={root} />
                <span className="block text-xs text-muted">{t('replies', { count: unreadCount })}</span>
              </Place>
            </li>
          ))}
        </Titled>
      )}
      {model === null && mentions.length === 0 && threads.length === 0 && (
        <p className="text-sm text-muted">{t('noneOfBoth')}</p>
      )}
    </div>
  )
}

/** Leads to a message; beside the channel, what was missed stays in sight. */
function Place({
  messageId,
  parentId,
  children,
}: {
  messageId: string
  /** In the thread of this message. */
  parentId: string | null
  children: ReactNode
}) {
  const { channel } = useChannel()
  const narrow = useNarrow()
  const to = links.channel(channel.id, { message: messageId, ...(parentId === null ? {} : { thread: parentId }) })
  return (
    <Link
      to={parentId === null && !narrow ? `${to}&pane=catch-up` : to}
      className="block rounded-md px-2 py-1.5 break-words hover:bg-hover"
    >
      <bdi>{children}</bdi>
    </Link>
  )
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="px-2 text-xs font-medium text-muted">{title}</h3>
      <ul className="mt-1 flex flex-col gap-1">{children}</ul>
    </section>
  )
}

function Said({ message: { author, answer, content, attachments } }: { message: ChannelMessage }) {
  const t = useText('channels-catch-up')
  return (
    <span className="line-clamp-3">
      <bdi className="font-semibold">{answer?.name ?? shownName(author?.name || t('nobody'))}</bdi>{' '}
      {content.slice(0, 300) || (attachments[0]?.name ?? '…')}
    </span>
  )
}
