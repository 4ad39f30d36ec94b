/** What the runtime works at for this person: followed from its beginning to its end, however short it is. */
import { durableJobsRoutes, type Job } from '@atrium/contract/durable-jobs'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient, queryOf, refresh } from '../../../api/query.ts'

const followed = ['runtime-tasks']

/** Has a job followed on screen, even when it has ended before the list of jobs is loaded again. */
export function watchTask(job: Job): void {
  queryClient.setQueryData<Job[]>(followed, (before = []) =>
    before.some(({ id }) => id === job.id) ? before : [job, ...before],
  )
}

/** Its end was told: the page that shows it lets go of it. */
export function leaveTask(id: string): void {
  queryClient.setQueryData<Job[]>(followed, (before = []) => before.filter((job) => job.id !== id))
  void refresh(durableJobsRoutes.list)
}

/** The jobs to show: those that were started here, and those that the server still works at. */
export function useTasks(): Job[] {
  const jobs = useQuery({ ...queryOf(durableJobsRoutes.list, { query: { limit: 50 } }), staleTime: 5000 })
  const shown = useQuery<Job[]>({ queryKey: followed, queryFn: () => [], enabled: false, initialData: [] })
  useEffect(() => {
    for (const job of jobs.data?.items ?? []) if (isOurs(job) && runs(job)) watchTask(job)
  }, [jobs.data])
  return shown.data
}

const runs = (job: Job) => job.state === 'queued' || job.state === 'running'
const isOurs = (job: Job) => job.kind.startsWith('local-runtime.')
export const pullsAll = (job: Job) => job.kind === 'local-runtime.pull-all'
export const createsModel = (job: Job) => job.kind === 'local-runtime.create'
