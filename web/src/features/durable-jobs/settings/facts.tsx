import type { InstanceJob } from '@atrium/contract/durable-jobs'
import { formatDateTime, formatNumber, formatSpan } from '../../../lib/format.ts'
import { Fact, Facts } from '../../../ui/expandable-row.tsx'
import { adviceOf } from './advice.ts'
import { useText } from 'virtual:words/durable-jobs'

/** What may be known of a job; of a failed one also what to do. */
export function JobFacts({ job }: { job: InstanceJob }) {
  const t = useText('durable-jobs')
  return (
    <Facts>
      {job.failure && (
        <Fact name={t('fact.failure')}>
          <span dir="auto">{job.failure.detail}</span> <code className="text-muted">{job.failure.code}</code>
        </Fact>
      )}
      {job.failure && <Fact name={t('fact.advice')}>{t(`advice.${adviceOf(job.failure.code)}`)}</Fact>}
      <Fact name={t('fact.attempts')}>
        {t('attempts', { tried: formatNumber(job.attempts), most: formatNumber(job.maxAttempts) })}
      </Fact>
      {job.everyMs !== null && <Fact name={t('fact.every')}>{formatSpan(job.everyMs)}</Fact>}
      {job.nextRunAt && <Fact name={t('fact.next')}>{formatDateTime(job.nextRunAt)}</Fact>}
      <Fact name={t('fact.created')}>{formatDateTime(job.createdAt)}</Fact>
      {job.startedAt && <Fact name={t('fact.started')}>{formatDateTime(job.startedAt)}</Fact>}
      {job.finishedAt && <Fact name={t('fact.finished')}>{formatDateTime(job.finishedAt)}</Fact>}
      {job.process && (
        <Fact name={t('fact.process')}>
          <ProcessName {...job.process} />
        </Fact>
      )}
      <Fact name={t('fact.id')}>
        <code>{job.id}</code>
      </Fact>
    </Facts>
  )
}

/** Where it is on the network; only its id where it is not there any more. */
export function ProcessName({ id, host, pid }: { id: string; host: string | null; pid: number | null }) {
  return <code dir="ltr">{host ? `${host} · ${pid}` : id}</code>
}
