/**
 * Tries a connection step by step: name, way, key, list, and one token of a model. Each step reports only what was observed;
 * that a list came says nothing about the key, as some give theirs to anybody.
 */
import type { TestEvent, TestStep } from '@atrium/contract/connections'
import type { Clock } from '../../../platform/clock.ts'
import { Refusal } from '../../../platform/http/refusal.ts'
import type { Outbound } from '../../../platform/outbound/types.ts'
import type { ListedModel } from '../../../providers/model-list.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { modelsOf } from '../catalogue/models.ts'
import { type ModelListDeps, askForModels, hasList } from '../catalogue/discovery.ts'
import { keyStateOf, missingCredential } from '../keys.ts'
import type { AccountConnection, ModelResolution } from '../types.ts'

export interface TrialDeps extends ModelListDeps {
  readonly outbound: Outbound
  readonly clock: Clock
  /** The model of the connection as it would be asked. */
  readonly resolve: (model: string) => Promise<ModelResolution>
  /** Which of the listed models is asked; without it one that the connection has. */
  readonly chooseModel?: (listed: readonly ListedModel[]) => string | null
}

/** Longest wait for the one token: a local model may have to be loaded first. */
const chatMs = 60_000
/** Some formats take no less. */
const tokens = 16

/** Tells every step when it begins and when it is done, and all of them at the end; stops when `signal` is aborted. */
export async function* tryConnection(
  deps: TrialDeps,
  connection: AccountConnection,
  wanted: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<TestEvent> {
  const found = new Map<StepName, TestStep>()
  for await (const news of takeSteps(deps, connection, wanted, signal)) {
    if ('state' in news) found.set(news.step, news)
    yield 'state' in news ? { type: 'step', data: news } : { type: 'started', data: news }
  }
  yield { type: 'ended', data: { steps: order.flatMap((step) => found.get(step) ?? []) } }
}

type StepName = TestStep['step']
/** A step that begins, or one that is done. */
type News = { readonly step: StepName } | TestStep

async function* takeSteps(
  deps: TrialDeps,
  connection: AccountConnection,
  wanted: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<News> {
  const measureTime = async <T>(work: () => Promise<T>): Promise<Outcome<T>> => {
    const begun = deps.clock.now()
    const ms = () => Math.max(0, deps.clock.now() - begun)
    try {
      return { ok: true, value: await work(), ms: ms() }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ProviderFailure || error instanceof Refusal) return { ok: false, error, ms: ms() }
      throw error
    }
  }

  yield { step: 'resolve' }
  const why = missingCredential(connection, deps.environmentKey)
  const { route } = connection.installed
  if (route.fault !== null) return yield* allSkipped({ detail: why ?? '', ms: 0 })
  const { host, hostname } = new URL(route.url.replace('{model}', 'model'))
  const isAddress = /^\[|^[\d.]+$/.test(hostname)
  const resolved = await measureTime(() => deps.outbound.check(route.url))
  if (!resolved.ok) return yield* allSkipped({ detail: resolved.error.message, ms: resolved.ms })
  const first: TestStep = {
    step: 'resolve',
    state: 'ok',
    ms: resolved.ms,
    detail: isAddress ? `Calls to ${hostname} are allowed.` : `${hostname} was found, and calls to it are allowed.`,
  }
  if (why !== null) {
    // A name that does not resolve is not forbidden, so only a call shows whether it exists.
    yield isAddress
      ? first
      : skippedStep('resolve', `Calls to ${hostname} are allowed. Whether it exists only shows in a call.`)
    yield skippedStep('reach', 'Skipped because there is no key to send.')
    yield { step: 'authorise', state: 'failed', detail: why, ms: 0 }
    return yield* [skippedStep('models'), skippedStep('chat')]
  }

  // For a name, the first call shows whether it resolves.
  if (isAddress) yield first
  yield { step: 'reach' }
  const lists = hasList(connection)
  if (lists) yield { step: 'models' }
  const list = lists ? await measureTime(() => askForModels(deps, connection, undefined, signal)) : null
  if (list && !list.ok && isUnreached(list.error)) {
    if (isUnknownName(list.error)) return yield* allSkipped({ detail: list.error.message, ms: list.ms })
    if (!isAddress) yield first
    yield { step: 'reach', state: 'failed', detail: list.error.message, ms: list.ms }
    return yield* [skippedStep('authorise'), skippedStep('models'), skippedStep('chat')]
  }
  const reachedStep = (ms: number): TestStep => ({ step: 'reach', state: 'ok', detail: `${host} answered.`, ms })
  if (list) {
    if (!isAddress) yield first
    yield reachedStep(list.ms)
    yield list.ok
      ? { step: 'models', state: 'ok', detail: `Models listed: ${list.value.length}.`, ms: list.ms }
      : { step: 'models', state: 'failed', detail: list.error.message, ms: list.ms }
  }

  const choose = deps.chooseModel ?? ((listed) => chatModel(connection, listed))
  const model = wanted ?? choose(list?.ok ? list.value : [])
  const refused = list !== null && !list.ok && isKeyRefused(list.error)
  if (model === null || refused) {
    if (list === null) {
      if (!isAddress) yield first
      yield skippedStep('reach', 'Skipped because there is neither a list nor a chat model.')
      yield unlisted
    }
    yield authoriseStep(deps, connection, list, null)
    return yield skippedStep('chat', refused ? undefined : 'It has no chat model to test.')
  }
  yield { step: 'authorise' }
  yield { step: 'chat' }
  const chat = await measureTime(() => oneToken(deps, model, signal))
  if (list === null) {
    if (!chat.ok && isUnknownName(chat.error)) {
      return yield* allSkipped({ detail: chat.error.message, ms: chat.ms })
    }
    if (!isAddress) yield first
    yield chat.ok || !isUnreached(chat.error)
      ? reachedStep(chat.ms)
      : { step: 'reach', state: 'failed', detail: chat.error.message, ms: chat.ms }
    yield unlisted
  }
  yield authoriseStep(deps, connection, list, chat)
  yield chat.ok
    ? { step: 'chat', state: 'ok', detail: `${model} answered.`, ms: chat.ms }
    : { step: 'chat', state: 'failed', detail: chat.error.message, ms: chat.ms }
}

type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly ms: number }
  | { readonly ok: false; readonly error: ProviderFailure | Refusal; readonly ms: number }

function authoriseStep(
  deps: ModelListDeps,
  connection: AccountConnection,
  list: Outcome<unknown> | null,
  chat: Outcome<unknown> | null,
): TestStep {
  const refused = [chat, list].find((outcome) => outcome !== null && !outcome.ok && isKeyRefused(outcome.error))
  if (refused && !refused.ok) {
    return { step: 'authorise', state: 'failed', detail: refused.error.message, ms: refused.ms }
  }
  const state = keyStateOf(connection, deps.environmentKey)
  if (!chat?.ok) return skippedStep('authorise', 'Only an answer of a model would prove it.')
  const detail = {
    'sign-in': 'The server’s sign-in was accepted.',
    environment: 'The operator’s key was accepted.',
    saved: 'The key was accepted.',
  }[state as string]
  return { step: 'authorise', state: 'ok', detail: detail ?? 'It responded without a key.', ms: chat.ms }
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

function chatModel(connection: AccountConnection, listed: readonly ListedModel[]): string | null {
  const known = new Set(modelsOf(connection).map((model) => model.id))
  const listedChat = listed.filter((model) => model.kind === 'chat' && known.has(model.id))
  return smallChatModel(listedChat.length > 0 ? listedChat : modelsOf(connection))
}

/** A model that is likely small and quick, so that the question costs next to nothing. */
export function smallChatModel(models: readonly ListedModel[]): string | null {
  const chat = models.filter((model) => model.kind === 'chat')
  const small = chat.find((model) => /(^|[^a-z])(mini|nano|small|flash|haiku|lite|8b|3b|1b)([^a-z]|$)/i.test(model.id))
  return (small ?? chat[0])?.id ?? null
}

const isUnreached = (error: ProviderFailure | Refusal): boolean =>
  error instanceof Refusal || error.kind === 'unreachable' || error.kind === 'timeout'

const isUnknownName = (error: ProviderFailure | Refusal): boolean => /host name couldn’t be/.test(error.message)

const isKeyRefused = (error: ProviderFailure | Refusal): boolean =>
  error instanceof ProviderFailure && (error.kind === 'no_key' || error.status === 401 || error.status === 403)

const order = ['resolve', 'reach', 'authorise', 'models', 'chat'] as const

const skippedStep = (step: StepName, detail = 'Skipped because an earlier step failed.'): TestStep => ({
  step,
  state: 'skipped',
  detail,
  ms: 0,
})

const unlisted = skippedStep('models', 'This provider doesn’t list its models, so those of its definition are used.')

/** The name does not resolve, so no step can be tried. */
const allSkipped = (failed: { detail: string; ms: number }): TestStep[] =>
  order.map((step) => (step === 'resolve' ? { step, state: 'failed', ...failed } : skippedStep(step)))
