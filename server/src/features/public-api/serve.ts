/** The way of a request through any shape: find the model, ask it (or relay to it), and word what comes back. */
import type { Caller, Context, RelayAnswer } from '../../platform/http/area.ts'
import { refusalOf, type UsableModel } from '../../core/connections/index.ts'
import { countTurn, fitTurn } from '../../core/generation/index.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Part } from '../../providers/types.ts'
import { collectAnswer } from './shapes/blocks.ts'
import { mergePieces } from './merge.ts'
import { completeStream, completeWhole } from './choices.ts'
import type { ApiModels } from './models.ts'
import { withPictures } from './pictures.ts'
import { invalidRequest } from './refusals.ts'
import { type AnswerInfo, type ApiShape, eventStream, type ReadRequest } from './shapes/shape.ts'

export interface ServeContext extends Pick<Platform, 'clock'> {
  readonly models: ApiModels
  /** The way to public places: nothing private is reached for a picture that a request names. */
  readonly elsewhere: Pick<Outbound, 'check' | 'request'>
}

/** What every body has. */
export interface AskedBody {
  readonly [field: string]: unknown
  readonly model: string
  readonly stream?: boolean | null | undefined
}

export const serveCompletion = async <Body extends AskedBody>(
  shape: ApiShape<Body>,
  body: Body,
  context: Context<Caller>,
  { clock, models, elsewhere }: ServeContext,
): Promise<RelayAnswer> => {
  shape.check?.(body)
  const model = await models.find(context.caller, body.model)
  if (model.relay && model.relay.wire === shape.wire) return await relay(shape, body, context, model.relay)
  const reading = shape.read(await withPictures(body, elsewhere, context.signal))
  checkFit(reading, model)
  const about = { id: clock.id().replaceAll('-', ''), created: Math.floor(clock.now() / 1000), model: body.model }
  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  const asking = { tokenId: context.caller.token?.id ?? null }
  const answers = reading.turns.map((turn) => model.ask(fitTurn(model, turn), signal, asking))
  if (body.stream !== true) return await whole(reading, answers, about, stop)
  return {
    mediaType: eventStream,
    body: reading.stream(inApiTerms(mergePieces(answers)), about),
    failed: (refusal) => shape.failureEvent(refusal, context.requestId),
  }
}

/** How many tokens a request has: as the provider counts them where it speaks the client's format, else an estimate. */
export const countTokens = async <Body extends AskedBody>(
  shape: ApiShape<Body>,
  body: Body,
  context: Context<Caller>,
  { models, elsewhere }: Pick<ServeContext, 'models' | 'elsewhere'>,
): Promise<number> => {
  shape.check?.(body)
  const model = await models.find(context.caller, body.model)
  if (model.relay?.wire === shape.wire) {
    const headers = shape.relayHeaders?.(context.header)
    const asked = shape.countBody?.(body) ?? body
    const counting = model.relay.count({ body: asked, headers, signal: context.signal })
    const told = await counting.catch((error: unknown) => {
      throw refusalOf(error)
    })
    if (told !== null) return told
  }
  const reading = shape.read(await withPictures(body, elsewhere, context.signal))
  return reading.turns.reduce((sum, turn) => sum + countTurn(turn), 0)
}

const json = 'application/json; charset=utf-8'

/** Where client and provider speak the same format. */
const relay = async <Body extends AskedBody>(
  shape: ApiShape<Body>,
  body: Body,
  context: Context<Caller>,
  to: NonNullable<UsableModel['relay']>,
): Promise<RelayAnswer> => {
  const stream = body.stream === true
  const headers = shape.relayHeaders?.(context.header)
  const worded = shape.relayBody?.(body) ?? body
  const about = { tokenId: context.caller.token?.id ?? null }
  const limits = { stream, outputTokens: shape.limit(body), headers, signal: context.signal }
  const ask = (over: object = {}) => to.open({ body: { ...worded, ...over }, ...limits }, about)
  const choices = shape.choices?.(body) ?? 1
  try {
    const relayed = await ask()
    const more = () => ask({ n: 1 })
    if (!stream) {
      const text = await relayed.whole()
      return { mediaType: json, body: await completeWhole(text, choices, async () => (await more()).whole()) }
    }
    const events = relayed.stream()
    const all = choices > 1 ? completeStream(events, choices, async () => (await more()).stream()) : events
    return {
      mediaType: eventStream,
      body: inApiTerms<string | Uint8Array>(all),
      failed: (refusal) => shape.failureEvent(refusal, context.requestId),
    }
  } catch (error) {
    throw refusalOf(error)
  }
}

const whole = async (
  reading: ReadRequest,
  asked: readonly AsyncIterable<readonly Part[]>[],
  about: AnswerInfo,
  stop: AbortController,
): Promise<RelayAnswer> => {
  try {
    const answers = await Promise.all(asked.map(collectAnswer))
    return { mediaType: json, body: JSON.stringify(reading.whole(answers, about)) }
  } catch (error) {
    // The others would be paid for and read by nobody.
    stop.abort()
    throw refusalOf(error)
  }
}

/** The same items, with failures as refusals; by hand, as it runs for every piece of every answer. */
const inApiTerms = <T>(items: AsyncIterable<T>): AsyncIterableIterator<T> => {
  const source = items[Symbol.asyncIterator]()
  return {
    next: () =>
      source.next().catch((error: unknown) => {
        throw refusalOf(error)
      }),
    return: async () => (await source.return?.()) ?? { value: undefined, done: true },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** Refuses what the model is known not to take before it is asked. */
const checkFit = ({ turns }: ReadRequest, model: UsableModel): void => {
  if (model.vision !== false) return
  const hasImages = turns.some(({ messages }) => messages.some((m) => m.role === 'user' && m.images.length > 0))
  if (hasImages) throw invalidRequest('messages', `the model ${model.name} does not take pictures`)
}
