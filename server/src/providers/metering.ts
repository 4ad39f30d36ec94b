/** What is known of a call before it is made and after it ended. Holds no content, no address and no key. */
import type { Capability } from '@atrium/contract/connections'
import type { ErrorClass } from '@atrium/contract/usage'
import type { ProviderFailureKind } from './types.ts'

/** A call that is about to be made. */
export interface PlannedCall {
  readonly accountId: string
  /** The API token that asks; null for a session and for work of the server. */
  readonly tokenId: string | null
  /** `local` for the local runtime. */
  readonly providerId: string
  readonly providerName: string
  readonly model: string
  readonly capability: Capability
  /** Estimates, for what is reserved; output null where no limit was asked for. */
  readonly inputTokens: number
  readonly outputTokens: number | null
  /** How many of what it is counted in besides are wanted; absent: one. */
  readonly units?: number | undefined
  /** How long a film is wanted; absent: as long as the provider likes. */
  readonly seconds?: number | undefined
}

/**
 * Asked before every call to a provider. Gives what the meter hears of again as `subject` when the call is over: whose
 * call it was, and what was reserved for it. Throws ProviderFailure `over_budget`.
 */
export type AdmitCall = (call: PlannedCall) => Promise<unknown>

export interface CallUnits {
  readonly kind: 'characters' | 'images' | 'inputs' | 'jobs' | 'seconds' | 'bytes'
  readonly input: number
  readonly output: number
  /** How long the film is, where it is one. */
  readonly seconds?: number | undefined
}

/** One call as the meter hears of it, after its end; heard exactly once for every admitted call. */
export interface MeteredCall {
  /** What `Admit` gave. */
  readonly subject: unknown
  readonly model: string
  readonly status: 'success' | 'error' | 'cancelled'
  /** Why it failed; null when it did not, and for a mistake of ours. */
  readonly failure: ProviderFailureKind | null
  /** The class of it; null when it did not fail. */
  readonly errorClass: Exclude<ErrorClass, 'unknown'> | null
  /** Its answer was passed on as it came. */
  readonly relayed: boolean
  /** null: the provider did not say. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cachedTokens: number | null
  readonly reasoningTokens: number | null
  /** For calls that are not counted in tokens alone. */
  readonly units: CallUnits | null
  /** From the call to the first piece; null when none came. */
  readonly firstTokenMs: number | null
  readonly durationMs: number
}
