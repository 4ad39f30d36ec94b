import { durableJobsRoutes, type InstanceJob, type Job } from '@atrium/contract/durable-jobs'
import { jobKinds, type JobKind } from '@atrium/contract/jobs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { pagesOf } from '../../../api/pages.ts'
import { useJobKind } from '../../../blocks/job-kind/job-kind.ts'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { JobEntry } from './entry.tsx'
import { useLiveJobs } from './state.ts'
import { Summary } from './summary.tsx'
import { useText } from 'virtual:words/durable-jobs'

const states = ['all', 'failed', 'running', 'queued', 'succeeded', 'cancelled'] as const
type State = (typeof states)[number]

/** The jobs of everybody: the whole of the queue, then each, newest first. */
export function Jobs() {
  const t = useText('durable-jobs')
  const kindOf = useJobKind()
  useLiveJobs()
  const [state, setState] = useState<State>('all')
  const [kind, setKind] = useState<JobKind | 'all'>('all')
  const query = {
    all: 'true' as const,
    limit: 50,
    ...(state === 'all' ? {} : { state }),
    ...(kind === 'all' ? {} : { kind }),
  }
  const pages = useInfiniteQuery({
    ...pagesOf(durableJobsRoutes.list, { query }),
    staleTime: 0,
  })
  const kinds = jobKinds.map((value) => ({ value, label: kindOf(value) }))
  const jobs = (pages.data ?? []).filter(isInstanceJob)
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <Summary />
      <section id="list" aria-label={t('entry.list')} className="-mx-3 mt-8 rounded-lg px-3">
        <h2 className="mb-2 text-md font-semibold">{t('entry.list')}</h2>
        <div className="flex flex-wrap items-end gap-3">
          <Field label={t('stateLabel')}>
            <Select
              value={state}
              onChange={setState}
              options={states.map((value) => ({ value, label: t(`state.${value}`) }))}
            />
          </Field>
          <Field label={t('kindLabel')}>
            <Select
              value={kind}
              onChange={setKind}
              options={[
                { value: 'all' as const, label: t('everyKind') },
                ...kinds.sort((a, b) => a.label.localeCompare(b.label)),
              ]}
            />
          </Field>
        </div>
        <QueryView query={pages} title={t('notLoaded')} lines={8}>
          {() =>
            jobs.length === 0 ? (
              <EmptyState
                icon={<ListChecks />}
                title={t('none')}
                action={
                  (state !== 'all' || kind !== 'all') && (
                    <Button
                      onClick={() => {
                        setState('all')
                        setKind('all')
                      }}
                    >
                      {t('showAll')}
                    </Button>
                  )
                }
              >
                {t('noneText')}
              </EmptyState>
            ) : (
              <ul className="mt-3">
                {jobs.map((job) => (
                  <JobEntry key={job.id} job={job} />
                ))}
              </ul>
            )
          }
        </QueryView>
        <MoreButton pages={pages} className="mt-3" />
      </section>
    </>
  )
}

const isInstanceJob = (job: Job | InstanceJob): job is InstanceJob => 'process' in job
