/** Lets requests through to a provider whose own format they have, admitted and counted like every other call. */
import type { GenerationOptions } from '@atrium/contract/generation'
import type { Admit } from '../../providers/metering.ts'
import type { Relayed } from '../../providers/relay.ts'
import type { Runner } from '../../providers/runner.ts'
import { estimateTokens } from './estimate.ts'
import type { Place } from './locate.ts'
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
  readonly place: Place
  /** The account's own settings, for what a request leaves open. */
  readonly defaults: GenerationOptions
}

/** Null where no client speaks the provider's format. */
export function relayTo({ runner, admit, who, place, defaults }: RelayParts): RelayTo | null {
  const { wire, model } = place
  const names = optionNames[wire.id]
  if (!names) return null
  const own = Object.entries(defaults).flatMap(([option, value]) => {
    const name = names[option]
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return {
    wire: wire.id,
    async open({ body, stream, outputTokens, signal }, { tokenId }) {
      const counts = stream && wire.id === 'chat-completions'
      const worded: Record<string, unknown> = { ...body, model }
      // What a request says to be null is left to the provider.
      for (const [name, value] of own) if (worded[name] === undefined && !isSaid(body, name)) worded[name] = value
      if (counts) worded['stream_options'] = withUsage(body['stream_options'])
      const text = JSON.stringify(wire.adapt?.(worded) ?? worded)
      const inputTokens = await estimateTokens(text)
      const subject = await admit({ ...who, model, tokenId, capability: 'chat', inputTokens, outputTokens })
      const hideUsage = counts && !asksForUsage(body['stream_options'])
      return runner.relay({ ...place, body: text, hideUsage, signal, subject })
    },
  }
}

/** What options are called in the formats that clients speak. */
const optionNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'chat-completions': {
    temperature: 'temperature',
    top_p: 'top_p',
    num_predict: 'max_tokens',
    seed: 'seed',
    presence_penalty: 'presence_penalty',
    frequency_penalty: 'frequency_penalty',
    stop: 'stop',
  },
  responses: { temperature: 'temperature', top_p: 'top_p', num_predict: 'max_output_tokens' },
  anthropic: { temperature: 'temperature', top_p: 'top_p', top_k: 'top_k', stop: 'stop_sequences' },
}

/** Two names for one limit: whoever sets either has set it. */
const isSaid = (body: Readonly<Record<string, unknown>>, name: string): boolean =>
  (body[name] ?? (name === 'max_tokens' ? body['max_completion_tokens'] : undefined)) !== undefined

const withUsage = (options: unknown): object => ({ ...(options as object | null), include_usage: true })
const asksForUsage = (options: unknown): boolean =>
  (options as { include_usage?: unknown } | null | undefined)?.include_usage === true
