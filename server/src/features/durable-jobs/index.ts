/**
 * What an account may see and do with its own jobs: list, read, follow, cancel, try again. Administrators see those of
 * everybody, without what they are about, with their tries; they try failed ones again or dismiss them, cancel others,
 * pause kinds, and have recurring ones run now. It starts no other job.
 */
import { type InstanceJob, durableJobsRoutes as routes } from '@atrium/contract/durable-jobs'
import { jobKinds } from '@atrium/contract/jobs'
import { type Caller, bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/types.ts'
import type { Processes } from '../../platform/processes/index.ts'
import { createSummary } from './summary.ts'

export interface DurableJobsDeps {
  readonly jobs: Pick<Jobs, 'list' | 'read' | 'follow' | 'cancel' | 'retry' | 'administration' | 'concurrency'>
  readonly processes: Pick<Processes, 'list'>
  readonly clock: Pick<Clock, 'now'>
  /** What accounts are called; absent ones are gone. */
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

export const createDurableJobs = ({ jobs, namesOf, processes, clock }: DurableJobsDeps) => {
  const whereOf = (id: string) => {
    const { host = null, pid = null } = processes.list().find((one) => one.id === id) ?? {}
    return { id, host, pid }
  }
  const withNames = async (all: readonly InstanceJob[]): Promise<InstanceJob[]> => {
    const names = await namesOf([...new Set(all.flatMap(({ account }) => account?.id ?? []))])
    return all.map((job) => ({
      ...job,
      process: job.process && whereOf(job.process.id),
      account: job.account && { id: job.account.id, name: names.get(job.account.id) ?? null },
    }))
  }
  const named = async (job: InstanceJob): Promise<InstanceJob> => (await withNames([job]))[0] ?? job

  const summary = createSummary({ jobs, processes, clock, withNames })

  return bindRoutes({
    name: 'durable-jobs',
    routes,
    handlers: {
      async list({ query: { all, ...page } }, { caller }) {
        if (all === 'false') return await jobs.list(caller.accountId, page)
        requireAdministrator(caller)
        const { items, nextCursor } = await jobs.administration.list(page)
        return { items: await withNames(items), nextCursor }
      },
      read: async ({ params }, { caller }) => (await jobs.read(caller.accountId, params.id)) ?? missing(),
      events: async ({ params }, { caller, after, signal }) =>
        (await jobs.follow(caller.accountId, params.id, after, signal)) ?? missing(),
      cancel: async ({ params }, { caller }) => (await jobs.cancel(caller.accountId, params.id)) ?? missing(),
      restart: async ({ params }, { caller }) => (await jobs.retry(caller.accountId, params.id)) ?? missing(),
      summary,
      async attempts({ params }) {
        const { job, attempts } = await jobs.administration.attempts(params.id)
        const where = attempts.map((attempt) => ({ ...attempt, process: whereOf(attempt.process.id) }))
        return { job: await named(job), attempts: where }
      },
      retry: async ({ params }) => await named(await jobs.administration.retry(params.id)),
      stop: async ({ params }) => await named(await jobs.administration.cancel(params.id)),
      async dismiss({ params }) {
        await jobs.administration.dismiss(params.id)
        return {}
      },
      run: async ({ params }) => await named(await jobs.administration.runNow(params.id)),
      async pause({ params }) {
        await jobs.administration.pause(knownKind(params.kind))
        return {}
      },
      async resume({ params }) {
        await jobs.administration.resume(knownKind(params.kind))
        return {}
      },
    },
  })
}

/** As on routes for administrators alone: their role, and for a token its scope. */
const requireAdministrator = ({ role, token }: Caller): void => {
  if (role !== 'admin') throw fail('forbidden')
  if (token && !token.scopes.includes('admin'))
    throw fail('token_scope', 'This API token lacks the scope `admin`. Its owner can add it in the settings.')
}

const knownKind = (kind: string): string => {
  if (!(jobKinds as readonly string[]).includes(kind)) throw fail('job_kind_not_found')
  return kind
}

const missing = (): never => {
  throw fail('job_not_found')
}
