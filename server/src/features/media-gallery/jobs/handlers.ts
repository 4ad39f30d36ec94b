/** Jobs as their owner follows and stops them. */
import type { mediaMakingRoutes } from '@atrium/contract/media-gallery'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type MediaJobContext, toJobs } from './context.ts'
import { cancelFilm, lookAtFilm, submitFilm, toVideoJob } from './films.ts'
import { stopMaking } from './make.ts'
import { listModels, requireVideoModel } from './models.ts'
import { openPartial } from './partials.ts'
import { isResumable } from './rules.ts'
import type { MediaJobRow } from './tables.ts'

type JobRoutes = Omit<
  typeof mediaMakingRoutes,
  'generateImage' | 'editImage' | 'varyImage' | 'generateSpeech' | 'generateSound'
>

export const jobHandlers = (context: MediaJobContext): Handlers<JobRoutes> => {
  const { store, clock } = context

  const find = async (accountId: string, id: string): Promise<MediaJobRow> => {
    const row = await store.read(accountId, id)
    if (!row) throw fail('job_not_found')
    return row
  }
  const findFilm = async (accountId: string, id: string): Promise<MediaJobRow> => {
    const row = await find(accountId, id)
    if (row.kind !== 'video') throw fail('job_not_found')
    return row
  }
  /** Somebody looks: the server leaves it to them. */
  const polled = async (row: MediaJobRow): Promise<void> => {
    await store.change(row.id, { polled_at: clock.now(), collect_at: clock.now(), collected: 0 })
  }
  const stop = async (row: MediaJobRow): Promise<MediaJobRow> => {
    if (row.kind === 'video') return await cancelFilm(context, row)
    if (row.ended_at !== null) throw fail('media_job_ended')
    return await stopMaking(context, row)
  }

  return {
    models: (_input, { caller }) => listModels(context, caller.accountId),

    async generateVideo({ body }, request) {
      const usable = await requireVideoModel(context, request.caller.accountId, body)
      return await toVideoJob(context, await submitFilm(usable, context, request, body))
    },

    async videoJobs({ query: { limit, active } }, { caller: { accountId } }) {
      const rows = await store.list(accountId, { limit, active: active === 'true', kind: 'video' })
      return { jobs: await toJobs(context, accountId, rows) }
    },

    async videoJob({ params }, { caller }) {
      const row = await findFilm(caller.accountId, params.jobId)
      await polled(row)
      return await toVideoJob(context, await lookAtFilm(context, row))
    },

    async resumeVideo({ params }, { caller: { accountId } }) {
      const row = await findFilm(accountId, params.jobId)
      if (isResumable(row, clock.now())) await store.reopen(row.id, clock.now())
      else await polled(row)
      return await toVideoJob(context, await lookAtFilm(context, await findFilm(accountId, params.jobId)))
    },

    async cancelVideo({ params }, { caller }) {
      return await toVideoJob(context, await stop(await findFilm(caller.accountId, params.jobId)))
    },

    async jobs({ query: { limit, active } }, { caller: { accountId } }) {
      const rows = await store.list(accountId, { limit, active: active === 'true' })
      return { items: await toJobs(context, accountId, rows), nextCursor: null }
    },

    jobPartial: ({ params }, { caller: { accountId } }) => openPartial(context, accountId, params.jobId),

    async stopJob({ params }, { caller: { accountId } }) {
      const [job] = await toJobs(context, accountId, [await stop(await find(accountId, params.jobId))])
      if (!job) throw fail('job_not_found')
      return job
    },
  }
}
