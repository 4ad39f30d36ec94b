import { durableJobsRoutes, type InstanceJob } from '@atrium/contract/durable-jobs'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { useJobKind } from '../../../blocks/job-kind/job-kind.ts'
import { formatAgo, formatDateTime, formatDuration, formatNumber } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ExpandableRow, Fact, Facts } from '../../../ui/expandable-row.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/durable-jobs'

const tones = {
  queued: 'plain',
  failing: 'warn',
  running: 'info',
  stopping: 'warn',
  succeeded: 'ok',
  cancelled: 'plain',
  failed: 'danger',
} as const

/** Finer than the state that it has on the server. */
const stateOf = (job: InstanceJob): keyof typeof tones =>
  job.cancelRequested && job.finishedAt === null
    ? 'stopping'
    : job.state === 'queued' && job.failure
      ? 'failing'
      : job.state

/** One job; the rest of what may be known of it opens below. */
export function JobEntry({ job }: { job: InstanceJob }) {
  const t = useText('durable-jobs')
  const [asking, setAsking] = useState(false)
  const params = { params: { id: job.id } }
  const settled = {
    onSettled: () => {
      setAsking(false)
      void refresh(durableJobsRoutes.list)
    },
    onError: (error: Error) => toast(wordsOf(error), { tone: 'danger' }),
  }
  const retry = useMutation({ mutationFn: () => call(durableJobsRoutes.retry, params), ...settled })
  const stop = useMutation({ mutationFn: () => call(durableJobsRoutes.stop, params), ...settled })
  const state = stateOf(job)
  const mayStop = job.finishedAt === null && job.everyMs === null
  const kind = useJobKind()(job.kind)
  const whose = job.account ? (job.account.name ?? t('goneAccount')) : t('instance')
  const [when, told] = latest(job)
  return (
    <li className="flex flex-wrap items-start gap-x-3 border-b border-line">
      <ExpandableRow
        name={kind}
        about={whose}
        end={
          <>
            <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>
            <time dateTime={when} title={formatDateTime(when)} className="text-sm text-muted">
              {t(told, { when: formatAgo(when) })}
            </time>
          </>
        }
      >
        <Facts>
          {job.failure && (
            <Fact name={t('fact.failure')}>
              <span dir="auto">{job.failure.detail}</span> <code className="text-muted">{job.failure.code}</code>
            </Fact>
          )}
          <Fact name={t('fact.attempts')}>
            {t('attempts', { tried: formatNumber(job.attempts), most: formatNumber(job.maxAttempts) })}
          </Fact>
          {job.everyMs !== null && <Fact name={t('fact.every')}>{formatDuration(job.everyMs)}</Fact>}
          {job.nextRunAt && <Fact name={t('fact.next')}>{formatDateTime(job.nextRunAt)}</Fact>}
          <Fact name={t('fact.created')}>{formatDateTime(job.createdAt)}</Fact>
          {job.startedAt && <Fact name={t('fact.started')}>{formatDateTime(job.startedAt)}</Fact>}
          {job.finishedAt && <Fact name={t('fact.finished')}>{formatDateTime(job.finishedAt)}</Fact>}
          {job.process && (
            <Fact name={t('fact.process')}>
              <code>{job.process.host ? `${job.process.host} · ${job.process.pid}` : job.process.id}</code>
            </Fact>
          )}
          <Fact name={t('fact.id')}>
            <code>{job.id}</code>
          </Fact>
        </Facts>
      </ExpandableRow>
      <span className="py-1.5 max-tab:ps-7 max-tab:empty:hidden">
        {job.state === 'failed' && (
          <Button
            size="small"
            busy={retry.isPending}
            onClick={() => retry.mutate()}
            aria-label={t('retryOf', { kind })}
          >
            {t('retry')}
          </Button>
        )}
        {mayStop && (
          <Button
            size="small"
            disabled={job.cancelRequested}
            onClick={() => setAsking(true)}
            aria-label={t('cancelOf', { kind })}
          >
            {t('cancel')}
          </Button>
        )}
      </span>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('cancelTitle')}
        confirm={t('cancelConfirm')}
        danger
        busy={stop.isPending}
        onConfirm={() => stop.mutate()}
      >
        {t('cancelText', { kind, whose })}
      </ConfirmDialog>
    </li>
  )
}

/** What happened to it last, or happens next, and the words for it. */
const latest = (job: InstanceJob): [time: string, words: 'ended' | 'started' | 'next' | 'added'] =>
  job.finishedAt
    ? [job.finishedAt, 'ended']
    : job.state === 'running' && job.startedAt
      ? [job.startedAt, 'started']
      : job.nextRunAt
        ? [job.nextRunAt, 'next']
        : [job.createdAt, 'added']
