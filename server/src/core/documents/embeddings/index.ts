/**
 * Vectors of documents, made in the background: a job of each account cuts anew what was cut otherwise than the settings
 * say, and embeds what lacks vectors of the chosen model. Words find a document all the while. A document that no
 * request can embed is left with words alone, until its account asks again.
 */
import type { documentsRoutes, EmbeddingSettings } from '@atrium/contract/documents'
import type { Job } from '@atrium/contract/durable-jobs'
import { z } from 'zod'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type JobHandler, defineJob } from '../../../platform/jobs/types.ts'
import type { DocumentContext } from '../context.ts'
import { modelKey } from './model-key.ts'
import { type RetryPolicy, defaultRetryPolicy } from './retry.ts'
import { embedAccount } from './run.ts'

export const embedKind = 'documents.embed'
/** After a job that failed, so long nothing is begun by itself. */
const restMs = 15 * 60_000
/** Vectors of thousands of documents take hours on a small machine. */
const longestMs = 12 * 60 * 60_000

type Routes = Pick<typeof documentsRoutes, 'embeddingsStatus' | 'regenerateEmbeddings'>

export interface Embeddings {
  readonly handlers: Handlers<Routes>
  readonly job: JobHandler
  /** Has what lacks vectors get them, in its own time; nothing happens where vectors are switched off. */
  schedule(accountId: string): Promise<void>
  /** Does what follows from a change of the settings. */
  applySettings(accountId: string, before: EmbeddingSettings, after: EmbeddingSettings): Promise<void>
  /** Goes on for every account with documents that wait, as after a time without its model. */
  resume(signal?: AbortSignal): Promise<void>
}

export const createEmbeddings = (
  context: DocumentContext,
  retryPolicy: RetryPolicy = defaultRetryPolicy,
): Embeddings => {
  const { store, jobs } = context
  const queue = (accountId: string): Promise<Job> =>
    jobs.enqueue(embedKind, {}, { accountId, key: 'all', keyUntil: 'ended', again: true })
  const schedule = async (accountId: string): Promise<void> => {
    if ((await context.settingsOf(accountId)).enabled) await queue(accountId)
  }
  /** The job of an account that has not ended. */
  const findJob = async (accountId: string): Promise<Job | null> => {
    for (const state of ['running', 'queued'] as const) {
      let cursor: string | undefined
      do {
        const { items, nextCursor } = await jobs.list(accountId, { limit: 200, cursor, state })
        const found = items.find(({ kind }) => kind === embedKind)
        if (found) return found
        cursor = nextCursor ?? undefined
      } while (cursor !== undefined)
    }
    return null
  }

  return {
    schedule,

    job: defineJob({
      payload: z.strictObject({}),
      attempts: 4,
      timeoutMs: longestMs,
      // The model is the bottleneck, and other jobs are to go on.
      atOnce: 2,
      async run(_payload, job) {
        if (job.accountId !== null) await embedAccount({ context, retryPolicy, job }, job.accountId)
      },
    }),

    async applySettings(accountId, before, after) {
      const cut = before.chunkSize !== after.chunkSize || before.chunkOverlap !== after.chunkOverlap
      if (!after.enabled && before.enabled) await store.vectors.setEveryEmbedding(accountId, 'off')
      if (after.enabled) await store.vectors.awaitModel(accountId, modelKey(after))
      const other = after.enabled && (!before.enabled || modelKey(before) !== modelKey(after))
      if (cut || other) await queue(accountId)
    },

    async resume(signal) {
      for (const accountId of await store.vectors.accountsWaiting(1000)) {
        signal?.throwIfAborted()
        const { items } = await jobs.list(accountId, { limit: 100 })
        const last = items.find(({ kind }) => kind === embedKind)
        // Who stopped it wants it to rest, until there is something new.
        if (last?.state === 'cancelled') continue
        const failed = last?.state === 'failed' ? last.finishedAt : null
        if (failed === null || Date.parse(failed) < context.clock.now() - restMs) await schedule(accountId)
      }
    },

    handlers: {
      async embeddingsStatus(_input, { caller: { accountId } }) {
        const settings = await context.settingsOf(accountId)
        const [tally, job, found] = await Promise.all([
          store.vectors.embeddingTally(accountId),
          findJob(accountId),
          settings.enabled ? context.capability(accountId, 'embedding', settings) : null,
        ])
        return {
          available: found !== null && 'usable' in found,
          detail: found && 'unavailable' in found ? found.unavailable : null,
          model: settings.model,
          providerId: settings.providerId,
          chunksWithEmbeddings: tally.embeddedChunks,
          totalChunks: tally.totalChunks,
          documentsPending: tally.documentsPending,
          documentsFailed: tally.documentsFailed,
          jobId: job?.id ?? null,
        }
      },

      async regenerateEmbeddings(_input, { caller: { accountId } }) {
        if (await findJob(accountId)) throw fail('regeneration_running')
        const settings = await context.settingsOf(accountId)
        if (settings.enabled) {
          const found = await context.capability(accountId, 'embedding', settings)
          if ('unavailable' in found) throw fail('model_unavailable', found.unavailable)
          await store.vectors.awaitModel(accountId, modelKey(settings), { failed: true })
        }
        const [job, tally] = await Promise.all([queue(accountId), store.vectors.embeddingTally(accountId)])
        return { jobId: job.id, documentsTotal: tally.documents, chunksTotal: tally.totalChunks }
      },
    },
  }
}
