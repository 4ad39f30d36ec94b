import type { InstanceJob } from '@atrium/contract/durable-jobs'
import { Link } from '@tanstack/react-router'
import { useJobKind } from '../../../blocks/job-kind/job-kind.ts'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { ExpandableRow } from '../../../ui/expandable-row.tsx'
import { JobActions } from './actions.tsx'
import { jobAddress } from './address.ts'
import { JobFacts } from './facts.tsx'
import { stateOf, tones } from './state.ts'
import { useText } from 'virtual:words/durable-jobs'

/** One job; the rest of what may be known of it opens below. */
export function JobEntry({ job }: { job: InstanceJob }) {
  const t = useText('durable-jobs')
  const state = stateOf(job)
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
        <JobFacts job={job} />
        <p className="mb-3 ms-7 text-sm">
          <Link to={jobAddress(job.id)} className="text-accent-ink underline underline-offset-2">
            {t('open')}
          </Link>
        </p>
      </ExpandableRow>
      <span className="flex gap-2 py-1.5 max-tab:ps-7 max-tab:empty:hidden">
        <JobActions job={job} />
      </span>
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
