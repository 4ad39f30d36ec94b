/** The job that downloads a model. The runtime goes on where it left off, so that another try costs little. */
import { z } from 'zod'
import { type JobContext, JobFailure, type JobHandler } from '../../platform/jobs/types.ts'
import type { LocalRuntime } from '../../providers/local-runtime.ts'
import { ProviderFailure } from '../../providers/types.ts'
import { createTotals } from './rules.ts'

export const pullKind = 'local-runtime.pull'
export const PullPayload = z.strictObject({ name: z.string() })
type PullPayload = z.infer<typeof PullPayload>

const attempts = 3

export interface PullDeps {
  readonly runtime: LocalRuntime
  /** The runtime's base address; null when it is switched off. */
  readonly baseUrl: () => Promise<string | null>
  /** Has everybody see the new model. */
  readonly pulled: () => Promise<unknown>
}

export const pullHandler = (deps: PullDeps): JobHandler<PullPayload> => ({
  payload: PullPayload,
  attempts,
  timeoutMs: 12 * 60 * 60_000,
  run: (payload, context) => pull(deps, payload, context),
})

async function pull({ runtime, baseUrl, pulled }: PullDeps, { name }: PullPayload, context: JobContext): Promise<void> {
  const base = await baseUrl()
  if (base === null) throw new JobFailure('provider_not_configured', 'The local runtime is switched off.')
  const totals = createTotals()
  try {
    for await (const progress of runtime.pull(base, name, context.signal)) {
      const { current, total, message } = totals(progress)
      context.progress(current, total, message)
    }
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind === 'aborted') throw error
    if (error.status === 404) throw new JobFailure('model_not_found', error.message)
    if (context.attempt >= attempts) throw new JobFailure('provider_failed', error.message)
    throw error
  }
  await pulled()
}
