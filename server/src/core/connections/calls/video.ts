/**
 * Films: a provider accepts what is asked, works for minutes, and is asked until it is done. What it calls the task by is
 * kept by whoever submitted it, so that any process goes on with it.
 *
 * One call is counted for a film, when it ends; questions about it and the fetching are none.
 */
import type { OutboundResponse } from '../../../platform/outbound/types.ts'
import type { CallMeasurement } from '../../../providers/measure.ts'
import type { AdmitCall, PlannedCall } from '../../../providers/metering.ts'
import type { TaskHandle } from '../../../providers/operations/format.ts'
import { type FoundFilm, openFilm } from '../../../providers/operations/films.ts'
import { formats } from '../../../providers/operations/formats/index.ts'
import { figureIn, type VideoAsk } from '../../../providers/operations/index.ts'
import type { UncountedCall } from '../../../providers/operations/route.ts'
import {
  cancelTask,
  lookAtTask,
  lookLimitsOf,
  submitTask,
  type TaskReport,
} from '../../../providers/operations/tasks.ts'
import type { Runner } from '../../../providers/runner.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import type { CallOrigin } from '../types.ts'
import type { CapabilityModel } from './capability-offers.ts'
import { type CapabilityReach, reachCapability } from './capability-reach.ts'
import type { EndpointDeps } from './endpoint.ts'

export interface VideoDeps extends EndpointDeps {
  readonly runner: Pick<Runner, 'measure'>
  readonly admit: AdmitCall
  /** Lets a call through that was admitted before, by a process that is gone. */
  readonly readmit: AdmitCall
}

/** Ends the count of a film; `seconds`: how long it became. */
export type CountFilm = (
  status: 'success' | 'error' | 'cancelled',
  about?: { readonly error?: unknown; readonly seconds?: number | undefined },
) => void

export interface UsableVideo extends CapabilityModel {
  /** Whether the provider can be told to stop. */
  readonly cancellable: boolean
  /** Throws ProviderFailure; then it is counted as failed already. */
  submit(ask: VideoAsk, signal: AbortSignal, about: CallOrigin): Promise<{ handle: TaskHandle; count: CountFilm }>
  /** How long a look may take: longer where the answer may hold the film. */
  readonly lookMs: number
  /** How a film stands. Throws ProviderFailure where that cannot be told. */
  look(handle: TaskHandle, signal: AbortSignal): Promise<TaskReport<FoundFilm>>
  /** The film as it arrives. Throws ProviderFailure, also in the middle, and `url_not_allowed`. */
  open(found: FoundFilm, signal: AbortSignal): Promise<Pick<OutboundResponse, 'body' | 'discard'>>
  /** Whether the provider was told. */
  cancel(handle: TaskHandle): Promise<boolean>
  /** For a film that another process submitted. */
  recount(begunAt: number, about: CallOrigin): Promise<CountFilm>
}

export type ResolvedVideo = { readonly usable: UsableVideo } | { readonly unavailable: string }

/** A model of a connection that makes films, or why it cannot be used, in words. */
export const createVideoResolver =
  (deps: VideoDeps) =>
  async (accountId: string, of: Pick<CapabilityModel, 'providerId' | 'model'>): Promise<ResolvedVideo> => {
    const found = await reachCapability(deps, accountId, 'video', of)
    return 'unavailable' in found ? found : { usable: usableVideo(deps, accountId, found.about, found.reach) }
  }

function usableVideo(
  deps: VideoDeps,
  accountId: string,
  about: CapabilityModel,
  { format: name, ...reach }: CapabilityReach<'video'>,
): UsableVideo {
  const { providerId, providerName, model, config } = about
  const format = formats.video[name]
  const planned = ({ tokenId }: CallOrigin, seconds?: number): PlannedCall => ({
    accountId,
    tokenId,
    providerId,
    providerName,
    model,
    capability: 'video',
    inputTokens: 0,
    outputTokens: 0,
    seconds,
  })
  const callWith = (signal: AbortSignal): UncountedCall =>
    Object.assign({ outbound: deps.outbound, model, config, signal }, reach)
  const counter =
    (measure: CallMeasurement): CountFilm =>
    (status, { error, seconds } = {}) => {
      measure.end(status, { ...(status === 'success' ? { units: Object.assign({ seconds }, oneJob) } : {}), error })
    }
  return {
    ...about,
    cancellable: format.cancel !== undefined && isCancellable(name, config),
    async submit(ask, signal, asking) {
      const subject = await deps.admit(planned(asking, ask.seconds ?? usualSeconds(config)))
      const count = counter(deps.runner.measure({ subject, model }))
      try {
        return { handle: await submitTask(callWith(signal), format, ask), count }
      } catch (error) {
        count(error instanceof ProviderFailure && error.kind === 'aborted' ? 'cancelled' : 'error', { error })
        throw error
      }
    },
    lookMs: lookLimitsOf(format).timeoutMs,
    look: (handle, signal) => lookAtTask(callWith(signal), format, handle),
    open: (found, signal) => openFilm(callWith(signal), found),
    cancel: (handle) => cancelTask(callWith(AbortSignal.timeout(cancelMs)), format, handle),
    async recount(begunAt, asking) {
      const subject = await deps.readmit(planned(asking))
      return counter(deps.runner.measure({ subject, model, begunAt }))
    },
  }
}

/** What a film is taken to last that nobody wished a length for: what is usual, else the longest that there is. */
const usualSeconds = (config: CapabilityModel['config']): number | undefined => {
  const { durations } = config
  const listed = Array.isArray(durations) ? durations.filter((one) => typeof one === 'number') : []
  return figureIn(config, 'default_duration') ?? (listed.length > 0 ? Math.max(...listed) : undefined)
}

const cancelMs = 5000
const oneJob = { kind: 'jobs', input: 0, output: 1 } as const

/** The common format cancels where the definition says how. */
const isCancellable = (name: string, config: CapabilityModel['config']): boolean =>
  name !== 'common' || typeof config['cancel_endpoint'] === 'string'
