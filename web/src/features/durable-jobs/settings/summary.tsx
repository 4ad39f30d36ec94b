import { durableJobsRoutes, type InstanceJob, type JobSummary } from '@atrium/contract/durable-jobs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { queryOf } from '../../../api/query.ts'
import { useJobKind } from '../../../blocks/job-kind/job-kind.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatAgo, formatDateTime, formatSpan } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Section } from '../../../ui/section.tsx'
import { JobActions } from './actions.tsx'
import { jobAddress } from './address.ts'
import { ProcessName } from './facts.tsx'
import { Kinds } from './kinds.tsx'
import { stateOf, tones } from './state.ts'
import { useText } from 'virtual:words/durable-jobs'

/** The whole of the queue: by kind, what recurs, and what each process works on. */
export function Summary() {
  const t = useText('durable-jobs')
  const summary = useQuery({ ...queryOf(durableJobsRoutes.summary), staleTime: 0 })
  return (
    <QueryView query={summary} title={t('notLoaded')} lines={8}>
      {({ kinds, recurring, processes, placesPerProcess }) => (
        <>
          <Kinds kinds={kinds} />
          <Recurring jobs={recurring} />
          <Processes processes={processes} places={placesPerProcess} />
        </>
      )}
    </QueryView>
  )
}

function Recurring({ jobs }: { jobs: readonly InstanceJob[] }) {
  const t = useText('durable-jobs')
  const nameOf = useJobKind()
  return (
    <Section id="recurring" title={t('entry.recurring')}>
      {jobs.length === 0 ? (
        <p className="text-sm text-muted">{t('recurringNone')}</p>
      ) : (
        <ul>
          {jobs.map((job) => (
            <li key={job.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
              <span className="min-w-0 flex-1 basis-56">
                <Link to={jobAddress(job.id)} className="font-medium underline-offset-2 hover:underline">
                  {nameOf(job.kind)}
                </Link>
                <span className="block text-sm text-muted">
                  {t('everyTime', { time: formatSpan(job.everyMs ?? 0) })}
                  {job.nextRunAt && (
                    <>
                      {' · '}
                      <time dateTime={job.nextRunAt} title={formatDateTime(job.nextRunAt)}>
                        {t('next', { when: formatAgo(job.nextRunAt) })}
                      </time>
                    </>
                  )}
                </span>
              </span>
              {job.state !== 'queued' || job.failure ? (
                <Badge tone={tones[stateOf(job)]}>{t(`state.${stateOf(job)}`)}</Badge>
              ) : null}
              <JobActions job={job} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Processes({ processes, places }: { processes: JobSummary['processes']; places: number }) {
  const t = useText('durable-jobs')
  const nameOf = useJobKind()
  return (
    <Section id="processes" title={t('entry.processes')}>
      <ul>
        {processes.map((process) => (
          <li key={process.id} className="border-b border-line py-2">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              <ProcessName {...process} />
              <span className="text-sm text-muted">
                {process.host === null
                  ? t('processGone')
                  : t('places', { taken: process.running.length, count: places })}
              </span>
            </span>
            <ul className="ms-4 text-sm empty:hidden">
              {process.running.map((run) => (
                <li key={run.id} className="py-0.5">
                  <Link to={jobAddress(run.id)} className="text-accent-ink underline underline-offset-2">
                    {nameOf(run.kind)}
                  </Link>
                  {run.startedAt && (
                    <time dateTime={run.startedAt} title={formatDateTime(run.startedAt)} className="ms-2 text-muted">
                      {t('started', { when: formatAgo(run.startedAt) })}
                    </time>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  )
}
