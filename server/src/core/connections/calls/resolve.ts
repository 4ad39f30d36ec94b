/** From a selection to a model that can be asked, or to the reason why not. */
import type { Selection } from '@atrium/contract/common'
import type { GenerationOptions } from '@atrium/contract/generation'
import type { Platform } from '../../../platform/platform.ts'
import { answerFromExcerpts, builtinProvider } from '../../../providers/builtin/excerpts.ts'
import type { AdmitCall } from '../../../providers/metering.ts'
import type { Runner } from '../../../providers/runner.ts'
import { askSignedIn, type SignIn } from '../../../providers/sign-in/index.ts'
import { type Part, ProviderFailure, type Turn } from '../../../providers/types.ts'
import { visibilityKey } from '../catalogue/model-visibility.ts'
import { builtinModel } from '../catalogue/model-list.ts'
import { createRelay } from './relay.ts'
import { type EndpointDeps, type ModelAtEndpoint, resolveEndpoint, type ModelEndpoint } from './endpoint.ts'
import type { AgentModels, ModelResolution } from '../types.ts'
import { turnDefaults } from '../definitions/variables.ts'

export interface CallDeps extends Pick<Platform, 'outbound'> {
  readonly runner: Runner
  readonly admit: AdmitCall
  readonly signIn: SignIn | undefined
}

export interface ResolveDeps extends EndpointDeps, CallDeps {
  /** Tells of models, by their keys, whether they are hidden from an account. */
  readonly hiddenFromAccount: (accountId: string) => Promise<(key: string) => boolean>
  /** null: this server has none. */
  readonly agents: () => AgentModels | null
}

export const createModelResolver =
  (deps: ResolveDeps) =>
  async (accountId: string, selection: Selection): Promise<ModelResolution> => {
    if (selection.providerType === 'builtin') return resolveBuiltin(selection)
    if (selection.providerType === 'agent') {
      return (await deps.agents()?.resolve(accountId, selection)) ?? { unavailable: 'This server has no agents.' }
    }
    const found = await resolveEndpoint(deps, accountId, selection)
    if ('unavailable' in found) return found
    return (await isHiddenFrom(deps, accountId, found))
      ? { unavailable: hiddenWords }
      : toUsableModel(deps, accountId, found)
  }

const hiddenWords = 'This model isn’t available to you. Choose another one.'

/** By the name that the provider has for it, whatever it was asked for by: `echo` is `echo:latest`. */
async function isHiddenFrom(
  deps: ResolveDeps,
  accountId: string,
  { selection, endpoint }: ModelAtEndpoint,
): Promise<boolean> {
  return (await deps.hiddenFromAccount(accountId))(visibilityKey({ ...selection, model: endpoint.model }))
}

/** A located model as it can be asked: admitted, metered, with the account's own settings where a turn leaves them open. */
export function toUsableModel(deps: CallDeps, accountId: string, located: ModelAtEndpoint): ModelResolution {
  const { endpoint, levels, settings, ...model } = located
  const { selection, providerName } = model
  const who = { accountId, providerId: selection.providerId ?? 'local', providerName, model: endpoint.model }
  const defaults = settings ? turnDefaults(settings.installed, settings.values) : {}
  return {
    model: {
      kind: 'wire',
      ...model,
      ask: (turn, signal, about) =>
        deferStart(async () => {
          const { format, ...options } = { ...defaults, ...withValues(turn.options) }
          const asked = { ...turn, model: endpoint.model, options, format: turn.format ?? toFormat(format) }
          const fitted = fitToModel(asked, model.thinking, levels)
          const estimate = { inputTokens: estimateTokens(fitted), outputTokens: fitted.options.num_predict ?? null }
          const tokenId = about?.tokenId ?? null
          return await run(deps, endpoint, fitted, signal, () =>
            deps.admit({ ...who, tokenId, capability: 'chat', ...estimate }),
          )
        }),
      // The headers of a sign-in are put to every call of the runner's own.
      relay: endpoint.signedIn ? null : createRelay({ ...deps, who, endpoint, defaults }),
    },
  }
}

/** `admit` is asked for every call that is made: with a sign-in there may be two. */
async function run(
  deps: CallDeps,
  { signedIn, ...endpoint }: ModelEndpoint,
  turn: Turn,
  signal: AbortSignal,
  admit: () => Promise<unknown>,
): Promise<Pieces> {
  const call = { ...endpoint, turn, signal, ...patience(turn) }
  if (!signedIn) return deps.runner.run({ ...call, subject: await admit() })
  if (!deps.signIn) throw new ProviderFailure('no_key', 'This server has no sign-in.')
  return askSignedIn(deps.signIn, (headers) =>
    deferStart(async () => {
      const keyed = { ...call, headers: { ...endpoint.headers, ...headers }, hasKey: true }
      return deps.runner.run({ ...keyed, subject: await admit() })
    }),
  )
}

/** Between the words and a picture there may be minutes without a sign. */
const patience = ({ draws }: Turn) => (draws ? { idleMs: 5 * 60_000 } : {})

type Pieces = AsyncIterator<readonly Part[]>

/** Items whose beginning has to be waited for; by hand, as a generator around another costs three times as much each. */
function deferStart(begin: () => Promise<Pieces>): AsyncIterableIterator<readonly Part[]> {
  let begun: Promise<Pieces> | null = null
  return {
    next: () => (begun ??= begin()).then((items) => items.next()),
    async return() {
      const items = await (begun ?? null)
      return (await items?.return?.()) ?? { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** What is there without a value leaves it open as well. */
const withValues = (options: GenerationOptions): GenerationOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

const toFormat = (format: GenerationOptions['format']): Turn['format'] => {
  if (format === undefined) return undefined
  return format === 'json' ? { type: 'json' } : { type: 'schema', name: 'answer', schema: format }
}

/** Four characters to a token, and 1,000 tokens to an image: enough to reserve by. */
const estimateTokens = ({ system, messages }: Turn): number =>
  messages.reduce(
    (sum, message) =>
      sum + Math.ceil(message.text.length / 4) + ('images' in message ? (message.images?.length ?? 0) * 1000 : 0),
    Math.ceil((system?.length ?? 0) / 4),
  )

/** Leaves out what the model is known not to take: the provider would refuse the whole turn for it. */
function fitToModel(turn: Turn, thinking: boolean | null, levels: boolean): Turn {
  if (turn.options.think === undefined) return turn
  if (thinking !== false) {
    return levels || typeof turn.options.think === 'boolean'
      ? turn
      : { ...turn, options: { ...turn.options, think: true } }
  }
  const { think: _, ...options } = turn.options
  return { ...turn, options }
}

function resolveBuiltin(selection: Selection): ModelResolution {
  if (selection.providerId !== builtinProvider.id || selection.model !== builtinProvider.model) {
    return { unavailable: 'Built-in model not found.' }
  }
  const { name, providerName } = builtinModel
  const no = { vision: false, tools: false, thinking: false, prefills: false, sizesWindow: false }
  return {
    model: {
      kind: 'builtin',
      selection,
      name,
      providerName,
      contextWindow: null,
      ...no,
      // Whoever has files and a language calls `answerFromExcerpts` itself; here are only words.
      async *ask(turn) {
        const question = turn.messages.findLast((message) => message.role === 'user')?.text ?? ''
        yield* answerFromExcerpts({ question, documents: [], language: 'en' }).parts
      },
    },
  }
}
