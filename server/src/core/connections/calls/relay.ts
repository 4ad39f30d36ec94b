/** Lets requests through to a provider whose own format they have, admitted and counted like every other call. */
import type { GenerationOptions } from '@atrium/contract/generation'
import type { AdmitCall } from '../../../providers/metering.ts'
import type { Outbound } from '../../../platform/outbound/types.ts'
import { exchange } from '../../../providers/exchange.ts'
import type { Runner } from '../../../providers/runner.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { asObject, asTokens } from '../../../providers/wires/json.ts'
import { countsCompletion } from '../../../providers/wires/openai-models.ts'
import { estimateTokens } from './estimate.ts'
import type { ModelEndpoint } from './endpoint.ts'
import { withoutSteering } from './steering.ts'
import type { ModelRelay } from '../types.ts'

export interface RelayOptions {
  readonly runner: Pick<Runner, 'relay'>
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  readonly admit: AdmitCall
  readonly who: { readonly accountId: string; readonly providerId: string; readonly providerName: string }
  readonly endpoint: ModelEndpoint
  /** The account's own settings, for what a request leaves open. */
  readonly defaults: GenerationOptions
}

/** Null where no client speaks the provider's format. */
export function createRelay({ runner, outbound, admit, who, endpoint, defaults }: RelayOptions): ModelRelay | null {
  const { wire, model } = endpoint
  const names = optionNames[wire.id]
  if (!names) return null
  const own = Object.entries(defaults).flatMap(([option, value]) => {
    const name = option === 'num_predict' && countsCompletion(model) ? newerLimit[wire.id] : names[option]
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return {
    wire: wire.id,
    async open({ body: given, stream, outputTokens, headers, signal }, { tokenId }) {
      const body = withoutSteering(given)
      const counts = stream && wire.id === 'chat-completions'
      const worded: Record<string, unknown> = { ...body, model }
      // What a request says to be null is left to the provider.
      for (const [name, value] of own) if (worded[name] === undefined && !isSaid(body, name)) worded[name] = value
      if (counts) worded['stream_options'] = withUsage(body['stream_options'])
      const text = JSON.stringify(wire.adapt?.(worded) ?? worded)
      const inputTokens = await estimateTokens(text)
      const subject = await admit({ ...who, model, tokenId, capability: 'chat', inputTokens, outputTokens })
      const hideUsage = counts && !asksForUsage(body['stream_options'])
      return runner.relay({
        ...endpoint,
        headers: { ...endpoint.headers, ...headers },
        body: text,
        hideUsage,
        signal,
        subject,
      })
    },
    async count({ body, headers, signal }) {
      const path = countPaths[wire.id]
      if (!path) return null
      const address = new URL(endpoint.url)
      address.pathname = address.pathname.replace(/\/?$/, path)
      try {
        const answer = await exchange(outbound, {
          method: 'POST',
          url: await outbound.check(address.href),
          headers: { ...wire.headers, ...endpoint.headers, ...headers },
          hasKey: endpoint.hasKey,
          body: { ...withoutSteering(body), model },
          signal,
          timeoutMs: countMs,
          maxBytes: maxCountBytes,
        })
        return asTokens(asObject(answer)?.['input_tokens'])
      } catch (error) {
        // Servers that only speak the format of answers have nothing at this address.
        if (error instanceof ProviderFailure && error.status !== null && notThere.has(error.status)) return null
        throw error
      }
    },
  }
}

/** Where tokens are counted, behind the address of answers. */
const countPaths: Readonly<Record<string, string>> = { anthropic: '/count_tokens', responses: '/input_tokens' }
/** A count is quick, and the client waits for an answer besides. */
const countMs = 30_000
/** One figure. */
const maxCountBytes = 64 * 1024
const notThere: ReadonlySet<number> = new Set([404, 405, 501])

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

/** OpenAI's newer models refuse the older name. */
const newerLimit: Readonly<Record<string, string>> = {
  'chat-completions': 'max_completion_tokens',
  responses: 'max_output_tokens',
}

/** Two names for one limit: setting either sets it. */
const isSaid = (body: Readonly<Record<string, unknown>>, name: string): boolean =>
  [name, otherName[name]].some((one) => one !== undefined && body[one] !== undefined)
const otherName: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
}

const withUsage = (options: unknown): object => ({ ...(options as object | null), include_usage: true })
const asksForUsage = (options: unknown): boolean =>
  (options as { include_usage?: unknown } | null | undefined)?.include_usage === true
