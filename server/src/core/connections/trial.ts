/**
 * Tries a connection step by step: name, way, key, list, and one token of a model. Each step tells only what was seen;
 * that a list came says nothing about the key, as some give theirs to anybody.
 */
import type { TestStep } from '@atrium/contract/model-management'
import type { Clock } from '../../platform/clock.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { ListedModel } from '../../providers/model-list.ts'
import { ProviderFailure } from '../../providers/types.ts'
import { modelsOf } from './catalogue.ts'
import { type AskDeps, askForModels, hasList } from './discovery.ts'
import { keyStateOf, obstacle } from './keys.ts'
import type { AccountConnection, Resolved } from './types.ts'

export interface TrialDeps extends AskDeps {
  readonly outbound: Outbound
  readonly clock: Clock
  /** The model of the connection as it would be asked. */
  readonly resolve: (model: string) => Promise<Resolved>
}

/** Longest wait for the one token: a local model may have to be loaded first. */
const chatMs = 60_000
/** Some formats take no less. */
const tokens = 16

export async function tryConnection(
  deps: TrialDeps,
  connection: AccountConnection,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<TestStep[]> {
  const timed = async <T>(work: () => Promise<T>): Promise<Outcome<T>> => {
    const begun = deps.clock.now()
    const ms = () => Math.max(0, deps.clock.now() - begun)
    try {
      return { ok: true, value: await work(), ms: ms() }
    } catch (error) {
      if (error instanceof ProviderFailure || error instanceof Refusal) return { ok: false, error, ms: ms() }
      throw error
    }
  }

  const why = obstacle(connection, deps.environmentKey)
  if (connection.installed.route.fault !== null) return allSkipped({ step: 'resolve', detail: why ?? '' })
  const { host, hostname } = new URL(connection.installed.route.url.replace('{model}', 'model'))
  const isAddress = /^\[|^[\d.]+$/.test(hostname)
  const resolved = await timed(() => deps.outbound.check(connection.installed.route.url))
  if (!resolved.ok) return allSkipped({ step: 'resolve', detail: resolved.error.message, ms: resolved.ms })
  const first: TestStep = {
    ...{ step: 'resolve', state: 'ok', ms: resolved.ms },
    detail: isAddress ? `${hostname} may be called.` : `${hostname} was found, and may be called.`,
  }
  if (why !== null) {
    return [
      // A name that cannot be found is no forbidden one, so that only a call tells whether it was.
      isAddress ? first : skipped('resolve', `${hostname} may be called. Whether it is found shows when it is.`),
      skipped('reach', 'Nothing was sent, as there is no key to send.'),
      { step: 'authorise', state: 'failed', detail: why, ms: 0 },
      skipped('models'),
      skipped('chat'),
    ]
  }

  const list = hasList(connection) ? await timed(() => askForModels(deps, connection)) : null
  if (list && !list.ok && isUnreached(list.error)) {
    if (isUnknownName(list.error)) return allSkipped({ step: 'resolve', detail: list.error.message, ms: list.ms })
    return [
      first,
      { step: 'reach', state: 'failed', detail: list.error.message, ms: list.ms },
      skipped('authorise'),
      skipped('models'),
      skipped('chat'),
    ]
  }
  const model = wanted ?? chatModel(connection, list?.ok ? list.value : [])
  const refused = list !== null && !list.ok && isKeyRefused(list.error)
  const chat = model === null || refused ? null : await timed(() => oneToken(deps, model, signal))
  if (list === null && chat && !chat.ok && isUnknownName(chat.error)) {
    return allSkipped({ step: 'resolve', detail: chat.error.message, ms: chat.ms })
  }
  const answered = list ?? (chat && (chat.ok || !isUnreached(chat.error)) ? chat : null)
  return [
    first,
    answered
      ? { step: 'reach', state: 'ok', detail: `${host} answered.`, ms: answered.ms }
      : chat && !chat.ok
        ? { step: 'reach', state: 'failed', detail: chat.error.message, ms: chat.ms }
        : skipped('reach', 'Nothing was asked, as there is neither a list nor a chat model.'),
    authorised(deps, connection, list, chat),
    list === null
      ? skipped('models', 'This provider lists no models; those of its definition are used.')
      : list.ok
        ? { step: 'models', state: 'ok', detail: `${list.value.length} models are listed.`, ms: list.ms }
        : { step: 'models', state: 'failed', detail: list.error.message, ms: list.ms },
    chat === null
      ? skipped('chat', refused ? undefined : 'It has no chat model that could be asked.')
      : chat.ok
        ? { step: 'chat', state: 'ok', detail: `${model} answered.`, ms: chat.ms }
        : { step: 'chat', state: 'failed', detail: chat.error.message, ms: chat.ms },
  ]
}

type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly ms: number }
  | { readonly ok: false; readonly error: ProviderFailure | Refusal; readonly ms: number }

function authorised(
  deps: AskDeps,
  connection: AccountConnection,
  list: Outcome<unknown> | null,
  chat: Outcome<unknown> | null,
): TestStep {
  const refused = [chat, list].find((outcome) => outcome !== null && !outcome.ok && isKeyRefused(outcome.error))
  if (refused && !refused.ok) {
    return { step: 'authorise', state: 'failed', detail: refused.error.message, ms: refused.ms }
  }
  const state = keyStateOf(connection, deps.environmentKey)
  if (!chat?.ok) return skipped('authorise', 'Only an answer of a model would prove it.')
  const detail = {
    'sign-in': 'The sign-in of this server was taken.',
    environment: 'The operator’s key was taken.',
    saved: 'The key was taken.',
  }[state as string]
  return { step: 'authorise', state: 'ok', detail: detail ?? 'It answered without a key.', ms: chat.ms }
}

async function oneToken(deps: TrialDeps, model: string, signal: AbortSignal): Promise<void> {
  const resolved = await deps.resolve(model)
  if ('unavailable' in resolved) throw new ProviderFailure('rejected', resolved.unavailable)
  const turn = {
    model,
    system: null,
    messages: [{ role: 'user' as const, text: 'Say: ok', images: [] }],
    tools: [],
    options: { num_predict: tokens },
  }
  const late = AbortSignal.timeout(chatMs)
  try {
    // The first piece of anything proves it; leaving drops the rest.
    for await (const parts of resolved.model.ask(turn, AbortSignal.any([signal, late]))) if (parts.length > 0) return
  } catch (error) {
    throw late.aborted ? new ProviderFailure('timeout', 'The model did not answer in time.') : error
  }
}

/** A model that is likely small and quick, so that the question costs next to nothing. */
function chatModel(connection: AccountConnection, listed: readonly ListedModel[]): string | null {
  const known = new Set(modelsOf(connection).map((model) => model.id))
  const listedChat = listed.filter((model) => model.kind === 'chat' && known.has(model.id))
  const chat = listedChat.length > 0 ? listedChat : modelsOf(connection).filter((model) => model.kind === 'chat')
  const small = chat.find((model) => /(^|[^a-z])(mini|nano|small|flash|haiku|lite|8b|3b|1b)([^a-z]|$)/i.test(model.id))
  return (small ?? chat[0])?.id ?? null
}

const isUnreached = (error: ProviderFailure | Refusal): boolean =>
  error instanceof Refusal || error.kind === 'unreachable' || error.kind === 'timeout'

const isUnknownName = (error: ProviderFailure | Refusal): boolean => /host name could not be/.test(error.message)

const isKeyRefused = (error: ProviderFailure | Refusal): boolean =>
  error instanceof ProviderFailure && (error.kind === 'no_key' || error.status === 401 || error.status === 403)

const order = ['resolve', 'reach', 'authorise', 'models', 'chat'] as const

const skipped = (step: TestStep['step'], detail = 'It was not tried, as a step before it failed.'): TestStep => ({
  step,
  state: 'skipped',
  detail,
  ms: 0,
})

function allSkipped(failed: { step: TestStep['step']; detail: string; ms?: number }): TestStep[] {
  return order.map((step) =>
    step === failed.step ? { step, state: 'failed', detail: failed.detail, ms: failed.ms ?? 0 } : skipped(step),
  )
}
