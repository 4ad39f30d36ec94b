/** From a selection to a model that can be asked, or to the reason why not. It never chooses another one. */
import type { Selection } from '@atrium/contract/common'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Checked, Outbound } from '../../platform/outbound/types.ts'
import { answerFromExcerpts, builtinProvider } from '../../providers/builtin/excerpts.ts'
import type { Admit } from '../../providers/metering.ts'
import type { Runner } from '../../providers/runner.ts'
import type { Turn, Wire } from '../../providers/types.ts'
import { wires } from '../../providers/wires/index.ts'
import type { Discoverer } from './discovery.ts'
import { builtinModel, localModel, localProviderName } from './list.ts'
import type { LocalModels } from './local-models.ts'
import { keyHeaders, missingKey, modelsOf, routeOf } from './rules.ts'
import type { ConnectionStore } from './store.ts'
import type { AccountConnection, Resolved, UsableModel } from './types.ts'

export interface ResolveDeps {
  readonly store: ConnectionStore
  readonly local: LocalModels
  readonly discoverer: Discoverer
  readonly outbound: Outbound
  readonly runner: Runner
  readonly admit: Admit
  readonly maxContext: number
  readonly environmentHas: (name: string) => boolean
}

export const createResolve =
  (deps: ResolveDeps) =>
  async (accountId: string, selection: Selection): Promise<Resolved> => {
    switch (selection.providerType) {
      case 'local':
        return await resolveLocal(deps, accountId, selection)
      case 'plugin':
        return await resolvePlugin(deps, accountId, selection)
      case 'builtin':
        return resolveBuiltin(selection)
      case 'agent':
        return unavailable('This server has no agents.')
    }
  }

async function resolveLocal(deps: ResolveDeps, accountId: string, selection: Selection): Promise<Resolved> {
  let known = await deps.local.current()
  if (known.state === 'disabled') return unavailable('The local runtime is switched off.')
  const find = () => known.models.find(({ name }) => name === selection.model || name === `${selection.model}:latest`)
  if (!find()) known = await deps.local.refresh()
  const found = find()
  if (!found) {
    const why = known.state === 'ready' ? `has no model ${selection.model} any more` : 'cannot be reached'
    return unavailable(`The local runtime ${why}.`)
  }
  const url = await checked(deps, known.baseUrl.replace(/\/+$/, '') + wires.ollama.path)
  if (url instanceof Refusal) return unavailable(url.message)
  const can = (capability: string) => (found.capabilities.length > 0 ? found.capabilities.includes(capability) : null)
  const { name, contextWindow } = localModel(found, deps.maxContext)
  const thinking = can('thinking')
  return usable(deps, accountId, {
    selection,
    name,
    providerName: localProviderName,
    contextWindow,
    vision: can('vision'),
    tools: can('tools'),
    thinking,
    // A model that thinks first would begin to think in the middle of the sentence.
    prefills: thinking === false,
    sizesWindow: true,
    levels: /gpt-?oss/i.test(found.family ?? found.name),
    call: { wire: wires.ollama, url, headers: {}, hasKey: false, model: found.name },
  })
}

async function resolvePlugin(deps: ResolveDeps, accountId: string, selection: Selection): Promise<Resolved> {
  const id = selection.providerId ?? ''
  let connection = await deps.store.one(accountId, id)
  if (!connection) return unavailable('The connection of this model was removed.')
  if (connection.own.activatedAt === null) return unavailable('The connection of this model is switched off.')
  const missing = missingKey(connection, deps.environmentHas)
  if (missing !== null) return unavailable(missing)
  if (!find(connection, selection)) {
    await deps.discoverer.discover(accountId, id)
    connection = await deps.store.one(accountId, id)
  }
  const found = connection && find(connection, selection)
  if (!connection || !found) return unavailable('The provider does not list this model any more.')
  const { definition } = connection.installed
  const route = routeOf(definition)
  if (route.semantics !== 'chat_completions') {
    return unavailable('This connection speaks a format that is not supported yet.')
  }
  // The destination is judged before a key is chosen for it.
  const url = await checked(deps, route.url)
  if (url instanceof Refusal) return unavailable(url.message)
  const { key } = connection.own
  return usable(deps, accountId, {
    selection,
    name: found.id,
    providerName: definition.name,
    contextWindow: found.contextWindow,
    vision: found.vision,
    tools: found.tools,
    thinking: found.thinking,
    prefills: false,
    sizesWindow: false,
    levels: true,
    call: {
      wire: wires['chat-completions'],
      url,
      headers: keyHeaders(definition, key),
      hasKey: key !== null,
      model: found.id,
    },
  })
}

interface Told extends Omit<UsableModel, 'kind' | 'ask'> {
  /** Whether it takes `low`, `medium` and `high` where others only know whether to think. */
  readonly levels: boolean
  readonly call: {
    readonly wire: Wire
    readonly url: Checked<URL>
    readonly headers: Record<string, string>
    readonly hasKey: boolean
    readonly model: string
  }
}

function usable(deps: ResolveDeps, accountId: string, { call, levels, ...model }: Told): Resolved {
  const { model: name, ...how } = call
  const { selection, providerName } = model
  const who = { accountId, providerId: selection.providerId ?? 'local', providerName, model: name }
  return {
    model: {
      kind: 'wire',
      ...model,
      ask: (turn, signal, about) =>
        later(async () => {
          const said = fitting({ ...turn, model: name }, model.thinking, levels)
          const estimate = { inputTokens: estimateTokens(said), outputTokens: said.options.num_predict ?? null }
          const tokenId = about?.tokenId ?? null
          const subject = await deps.admit({ ...who, tokenId, capability: 'chat', ...estimate })
          return deps.runner.run({ ...how, turn: said, signal, subject })
        }),
    },
  }
}

/** Items whose beginning has to be waited for; by hand, as a generator around another costs three times as much each. */
function later<T>(begin: () => Promise<AsyncIterableIterator<T>>): AsyncIterableIterator<T> {
  let begun: Promise<AsyncIterableIterator<T>> | null = null
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

/** Four characters to a token, and 1,000 tokens to an image: enough to reserve by. */
const estimateTokens = ({ system, messages }: Turn): number =>
  messages.reduce(
    (sum, message) =>
      sum + Math.ceil(message.text.length / 4) + ('images' in message ? message.images.length * 1000 : 0),
    Math.ceil((system?.length ?? 0) / 4),
  )

/** Leaves out what the model is known not to take: the provider would refuse the whole turn for it. */
function fitting(turn: Turn, thinking: boolean | null, levels: boolean): Turn {
  if (turn.options.think === undefined) return turn
  if (thinking !== false) {
    return levels || typeof turn.options.think === 'boolean'
      ? turn
      : { ...turn, options: { ...turn.options, think: true } }
  }
  const { think: _, ...options } = turn.options
  return { ...turn, options }
}

function resolveBuiltin(selection: Selection): Resolved {
  if (selection.providerId !== builtinProvider.id || selection.model !== builtinProvider.model) {
    return unavailable('There is no such built-in model.')
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

const find = (connection: AccountConnection, selection: Selection) =>
  modelsOf(connection).find((model) => model.id === selection.model)

const checked = (deps: ResolveDeps, address: string): Promise<Checked<URL> | Refusal> =>
  deps.outbound.check(address).catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })

const unavailable = (words: string): Resolved => ({ unavailable: words })
