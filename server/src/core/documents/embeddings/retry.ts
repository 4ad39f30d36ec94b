/** Asking for vectors until they come: waits for providers that are busy or away, and cuts up what is too much at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobCode } from '@atrium/contract/jobs'
import { JobFailure } from '../../../platform/jobs/types.ts'
import { ProviderFailure } from '../../../providers/types.ts'

export interface RetryPolicy {
  /** The first wait; each next one is twice as long, up to a minute. */
  readonly firstMs: number
  /** So many tries of one request. */
  readonly tries: number
  /** How long one request may take. */
  readonly longestMs: number
}

export const defaultRetryPolicy: RetryPolicy = { firstMs: 1_000, tries: 7, longestMs: 180_000 }

/** Throws ProviderFailure. */
export type EmbedTexts = (texts: readonly string[], signal: AbortSignal) => Promise<readonly (readonly number[])[]>

/** What kind of a fault it is: waited for, a reason to stop, or one of these texts. */
const passing = new Set<string>(['unreachable', 'timeout', 'overloaded'])
const stopping = new Set<string>(['over_budget', 'no_key', 'redirected'])
const refusing = new Set([401, 402, 403, 404, 405])

/**
 * One vector for each text; null for a text that the model will not take however small. Throws JobFailure when there is
 * no point in going on, and the provider's own failure when it stays away.
 */
export const embedWithRetry = async (
  embed: EmbedTexts,
  texts: readonly string[],
  signal: AbortSignal,
  policy: RetryPolicy,
): Promise<(Float32Array | null)[]> => {
  for (let attempt = 1; ; attempt++) {
    try {
      const vectors = await embed(texts, AbortSignal.any([signal, AbortSignal.timeout(policy.longestMs)]))
      if (vectors.length !== texts.length || vectors.some((vector) => !isVector(vector))) {
        throw new ProviderFailure('malformed', 'The provider gave other vectors than it was asked for.')
      }
      return vectors.map((vector) => Float32Array.from(vector))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ProviderFailure)) throw error
      const { kind, status, message } = error
      if (stopping.has(kind) || (status !== null && refusing.has(status))) throw new JobFailure(codeOf(kind), message)
      // Nobody else aborts, so it is the end of its time.
      const mayPass = passing.has(kind) || kind === 'aborted' || (kind === 'malformed' && attempt < 3)
      if (!mayPass || (kind === 'malformed' && texts.length > 1)) break
      if (attempt >= policy.tries) throw error
      await sleep(Math.min(60_000, policy.firstMs * 2 ** (attempt - 1)), undefined, { signal })
    }
  }
  const [first] = texts
  if (texts.length > 1) {
    const half = Math.ceil(texts.length / 2)
    const before = await embedWithRetry(embed, texts.slice(0, half), signal, policy)
    return [...before, ...(await embedWithRetry(embed, texts.slice(half), signal, policy))]
  }
  // The beginning of a passage that is too long for the model is better than nothing.
  if (first === undefined || first.length < shortest) return [null]
  return await embedWithRetry(embed, [first.slice(0, Math.floor(first.length / 2)).toWellFormed()], signal, policy)
}

const shortest = 400

const codeOf = (kind: string): JobCode => (kind === 'over_budget' ? kind : 'provider_rejected')

const isVector = (vector: readonly number[]): boolean => vector.length > 0 && vector.every(Number.isFinite)
