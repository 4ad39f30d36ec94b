/** Lets requests through to a provider whose own format they have, admitted and counted like every other call. */
import type { Admit } from '../../providers/metering.ts'
import type { Call } from '../../providers/opening.ts'
import type { Relayed } from '../../providers/relay.ts'
import type { Runner } from '../../providers/runner.ts'
import type { Asking } from './types.ts'

/** A request in the words of a wire. */
export interface WordedRequest {
  readonly body: Readonly<Record<string, unknown>>
  readonly stream: boolean
  /** For what is reserved; null where no limit was asked for. */
  readonly outputTokens: number | null
  readonly signal: AbortSignal
}

/** Takes requests that are worded for one wire already, and gives the answer's bytes. */
export interface RelayTo {
  /** The id of the wire. */
  readonly wire: string
  /** Throws ProviderFailure when the call is not admitted. */
  open(request: WordedRequest, about: Asking): Promise<Relayed>
}

export interface RelayParts {
  readonly runner: Pick<Runner, 'relay'>
  readonly admit: Admit
  readonly who: { readonly accountId: string; readonly providerId: string; readonly providerName: string }
  readonly model: string
  readonly how: Pick<Call, 'wire' | 'url' | 'headers' | 'hasKey' | 'sign'>
}

/** Null where no client speaks the provider's format. */
export function relayTo({ runner, admit, who, model, how }: RelayParts): RelayTo | null {
  const { wire } = how
  if (!relayed.has(wire.id)) return null
  return {
    wire: wire.id,
    async open({ body, stream, outputTokens, signal }, { tokenId }) {
      const counts = stream && wire.id === 'chat-completions'
      const worded = { ...body, model, ...(counts ? { stream_options: withUsage(body['stream_options']) } : {}) }
      const text = JSON.stringify(wire.adapt?.(worded) ?? worded)
      const inputTokens = estimateTokens(text)
      const subject = await admit({ ...who, model, tokenId, capability: 'chat', inputTokens, outputTokens })
      const hideUsage = counts && !asksForUsage(body['stream_options'])
      return runner.relay({ ...how, model, body: text, hideUsage, signal, subject })
    },
  }
}

const relayed: ReadonlySet<string> = new Set(['chat-completions', 'responses', 'anthropic'])

const withUsage = (options: unknown): object => ({ ...(options as object | null), include_usage: true })
const asksForUsage = (options: unknown): boolean =>
  (options as { include_usage?: unknown } | null | undefined)?.include_usage === true

/** Four characters to a token, and 1,000 tokens to whatever is encoded in between: enough to reserve by. */
const estimateTokens = (text: string): number => {
  if (text.length < 16_384) return Math.ceil(text.length / 4)
  let encoded = 0
  const plain = text.replace(/[A-Za-z0-9+/=]{4096,}/g, () => {
    encoded += 1
    return ''
  })
  return Math.ceil(plain.length / 4) + encoded * 1000
}
