import { durableJobsRoutes, type Job } from '@atrium/contract/durable-jobs'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryOf } from '../../../api/query.ts'

const running = queryOf(durableJobsRoutes.list, { query: { state: 'running', limit: 200 } })

/**
 * The work that is going on, by its id; asked for with one call while something that moves is in sight. A stream for
 * each row would use up the connections that a browser has.
 */
export function useJobs(wanted: boolean): ReadonlyMap<string, Job> {
  const { data } = useQuery({ ...running, enabled: wanted, refetchInterval: wanted ? 1500 : false, staleTime: 0 })
  return useMemo(() => new Map((wanted ? (data?.items ?? []) : []).map((job) => [job.id, job])), [data, wanted])
}
