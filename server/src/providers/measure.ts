/** Counts and times one call, and tells the meter of it once. */
import type { Clock } from '../platform/clock.ts'
import { errorClassOf } from './error-class.ts'
import type { CallUnits, MeteredCall } from './metering.ts'
import { type Part, ProviderFailure } from './types.ts'

export interface MeasuredCall {
  /** What `Admit` gave. */
  readonly subject: unknown
  readonly model: string
  /** Its answer is passed on as it comes. */
  readonly relayed?: boolean
  /** When it began, in milliseconds, where that was before. */
  readonly begunAt?: number
}

export interface CallMeasurement {
  /** Something of the answer came. */
  heard(parts: readonly Part[]): void
  /** Whether anything did. */
  answering(): boolean
  /** The call is over, `error` says why; whatever is said after the first time is not heard. */
  end(status: MeteredCall['status'], about?: { readonly units?: CallUnits; readonly error?: unknown }): void
}

export function measureCall(
  { clock, meter }: { readonly clock: Clock; readonly meter?: ((call: MeteredCall) => void) | undefined },
  { subject, model, relayed = false, begunAt }: MeasuredCall,
): CallMeasurement {
  const begun = begunAt ?? clock.now()
  let over = false
  let firstTokenMs: number | null = null
  let inputTokens: number | null = null
  let outputTokens: number | null = null
  let cachedTokens: number | null = null
  let reasoningTokens: number | null = null
  return {
    answering: () => firstTokenMs !== null,
    heard(parts) {
      firstTokenMs ??= clock.now() - begun
      for (const part of parts) {
        if (part.type !== 'usage') continue
        // A wire may tell input and output apart in time: what is not said again stands.
        inputTokens = part.inputTokens ?? inputTokens
        outputTokens = part.outputTokens ?? outputTokens
        cachedTokens = part.cachedTokens ?? cachedTokens
        reasoningTokens = part.reasoningTokens ?? reasoningTokens
      }
    },
    end(status, { units = null, error } = {}) {
      if (over) return
      over = true
      const durationMs = clock.now() - begun
      try {
        const tokens = { inputTokens, outputTokens, cachedTokens, reasoningTokens }
        const failure = status === 'error' && error instanceof ProviderFailure ? error.kind : null
        const errorClass = status === 'error' ? errorClassOf(error) : null
        meter?.({ subject, model, status, failure, errorClass, relayed, ...tokens, units, firstTokenMs, durationMs })
      } catch {
        // Metering is best effort by rule: it never makes a call fail.
      }
    },
  }
}
