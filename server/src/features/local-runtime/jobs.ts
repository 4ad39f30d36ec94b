/** The jobs of the local runtime: downloads and uploads, bringing all up to date, and models that are made. */
import { z } from 'zod'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { isRefusal } from '../../platform/http/refusal.ts'
import { type JobContext, JobFailure, type JobHandlers, defineJob } from '../../platform/jobs/types.ts'
import type { LocalRuntime, RuntimeProgress } from '../../providers/local-runtime.ts'
import { ProviderFailure } from '../../providers/types.ts'
import { createTotals } from './rules.ts'

export const pullKind = 'local-runtime.pull'
export const pullAllKind = 'local-runtime.pull-all'
export const pushKind = 'local-runtime.push'
export const createKind = 'local-runtime.create'

export interface RuntimeJobDeps {
  readonly runtime: LocalRuntime
  /** The runtime's base address; null when it is switched off. */
  readonly baseUrl: () => Promise<string | null>
  /** Runs something as long as an account may download models. Refuses with `forbidden`. */
  readonly whileAllowed: <T>(
    accountId: string,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<T>,
  ) => Promise<T>
  /** Has everybody see what the runtime holds now. */
  readonly refreshModels: () => Promise<unknown>
}

// The runtime goes on where it left off, so that another try of a download costs little.
const attempts = 3
const hour = 60 * 60_000

export const runtimeJobs = (deps: RuntimeJobDeps): JobHandlers => ({
  [pullKind]: defineJob({
    payload: z.strictObject({ name: z.string() }),
    attempts,
    outward: true,
    timeoutMs: 12 * hour,
    async run({ name }, context) {
      const pull = (signal: AbortSignal) => follow(deps, context, (base) => deps.runtime.pull(base, name, signal))
      const { accountId } = context
      if (accountId === null) await pull(context.signal)
      else
        await deps.whileAllowed(accountId, context.signal, pull).catch(async (error: unknown) => {
          if (!isRefusal(error)) throw error
          // Without a runtime nobody may: then that is the reason.
          await reachRuntime(deps)
          throw new JobFailure('forbidden', error.message)
        })
      await deps.refreshModels()
    },
  }),
  [pullAllKind]: defineJob({
    payload: z.strictObject({}),
    attempts,
    outward: true,
    timeoutMs: 24 * hour,
    run: (_payload, context) => pullAll(deps, context),
  }),
  [pushKind]: defineJob({
    payload: z.strictObject({ name: z.string() }),
    attempts,
    outward: true,
    timeoutMs: 12 * hour,
    run: ({ name }, context) => follow(deps, context, (base) => deps.runtime.push(base, name, context.signal)),
  }),
  [createKind]: defineJob({
    payload: localRuntimeRoutes.create.body,
    attempts: 1,
    outward: true,
    timeoutMs: 2 * hour,
    async run(model, context) {
      await follow(deps, context, (base) => deps.runtime.create(base, model, context.signal))
      await deps.refreshModels()
    },
  }),
})

/** One after the other; a model that the library does not have, such as one's own, is passed over. */
async function pullAll(deps: RuntimeJobDeps, context: JobContext): Promise<void> {
  const base = await reachRuntime(deps)
  try {
    const models = await deps.runtime.models(base, context.signal)
    let failed = 0
    for (const [at, { name }] of models.entries()) {
      context.progress(at, models.length, name)
      try {
        for await (const _ of deps.runtime.pull(base, name, context.signal));
      } catch (error) {
        if (!(error instanceof ProviderFailure) || error.kind !== 'rejected') throw error
        failed += 1
      }
    }
    context.progress(models.length, models.length, failed > 0 ? `${failed} of ${models.length} not updated` : undefined)
  } catch (error) {
    throw explain(error, context)
  }
  await deps.refreshModels()
}

async function follow(
  deps: RuntimeJobDeps,
  context: JobContext,
  work: (base: string) => AsyncIterable<RuntimeProgress>,
): Promise<void> {
  const base = await reachRuntime(deps)
  const totals = createTotals()
  try {
    for await (const progress of work(base)) {
      const { current, total, message } = totals(progress)
      context.progress(current, total, message)
    }
  } catch (error) {
    throw explain(error, context)
  }
}

async function reachRuntime({ baseUrl }: RuntimeJobDeps): Promise<string> {
  const base = await baseUrl()
  if (base === null) throw new JobFailure('provider_not_configured', 'The local runtime is off.')
  return base
}

/** What ends the job at once; anything else is tried again as long as there are tries. */
function explain(error: unknown, { attempt }: JobContext): unknown {
  if (!(error instanceof ProviderFailure) || error.kind === 'aborted') return error
  if (error.status === 404) return new JobFailure('model_not_found', error.message)
  return error.kind === 'rejected' || attempt >= attempts ? new JobFailure('provider_failed', error.message) : error
}
