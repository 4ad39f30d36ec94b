import { durableJobsRoutes, type InstanceJob, type JobAttempt } from '@atrium/contract/durable-jobs'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queryOf } from '../../../api/query.ts'
import { useJobKind } from '../../../blocks/job-kind/job-kind.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatDateTime, formatDuration, formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { JobActions } from './actions.tsx'
import { JobFacts, ProcessName } from './facts.tsx'
import { stateOf, tones, useLiveJobs } from './state.ts'
import { useText } from 'virtual:words/durable-jobs'

/** One job of anybody at its own address, with its tries. */
export function JobPage({ id }: { id: string }) {
  useLiveJobs()
  const job = useQuery({
    ...queryOf(durableJobsRoutes.attempts, { params: { id } }),
    staleTime: 0,
  })
  return <QueryView query={job}>{(found) => <Loaded {...found} />}</QueryView>
}

function Loaded({ job, attempts }: { job: InstanceJob; attempts: readonly JobAttempt[] }) {
  const t = useText('durable-jobs')
  const navigate = useNavigate()
  const kind = useJobKind()(job.kind)
  useTitle(kind)
  const state = stateOf(job)
  return (
    <>
      <header className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="text-lg font-semibold tracking-tight">{kind}</h3>
          <p className="text-sm text-muted">
            <bdi>{job.account ? (job.account.name ?? t('goneAccount')) : t('instance')}</bdi>
          </p>
        </div>
        <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>
        <JobActions job={job} onDismissed={() => void navigate({ to: links.settings('jobs') })} />
      </header>
      <JobFacts job={job} />
      <Section title={t('tries')}>
        {attempts.length === 0 ? (
          <p className="text-sm text-muted">{t('triesNone')}</p>
        ) : (
          <DataTable
            label={t('tries')}
            rows={attempts}
            keyOf={({ startedAt, number }) => `${startedAt} ${number}`}
            columns={[
              { name: t('column.number'), rowHead: true, cell: ({ number }) => formatNumber(number) },
              { name: t('stateLabel'), cell: ({ outcome }) => t(`outcome.${outcome}`) },
              { name: t('column.code'), cell: ({ code }) => (code ? <code>{code}</code> : '–') },
              { name: t('fact.process'), cell: ({ process }) => <ProcessName {...process} /> },
              { name: t('column.begun'), end: true, cell: ({ startedAt }) => formatDateTime(startedAt) },
              {
                name: t('column.took'),
                end: true,
                cell: ({ startedAt, finishedAt }) =>
                  finishedAt ? formatDuration(Date.parse(finishedAt) - Date.parse(startedAt)) : '–',
              },
            ]}
          />
        )}
      </Section>
    </>
  )
}
