/** What a shape is: how its requests are read, and how answers are worded in it. */
import type { Dialect } from '@atrium/contract/route'
import type { RelayAnswer } from '../../../platform/http/area.ts'
import { formatRefusal } from '../../../platform/http/dialects.ts'
import type { Refusal } from '../../../platform/http/refusal.ts'
import type { Part, Turn } from '../../../providers/types.ts'
import type { WireId } from '../../../providers/wires/index.ts'
import type { CollectedAnswer } from './blocks.ts'

/** What an answer says of itself beside the model's words. */
export interface AnswerInfo {
  /** Unique, without the prefix of the shape. */
  readonly id: string
  /** Integer seconds. */
  readonly created: number
  /** The id that the client asked for. */
  readonly model: string
}

/** Pieces of several answers that are written side by side. */
export type AnswerPieces = AsyncIterable<{ readonly choice: number; readonly parts: readonly Part[] }>

/** A request, read: what to ask, and how the answers are written. */
export interface ReadRequest {
  /** One call each. */
  readonly turns: readonly Turn[]
  readonly whole: (answers: readonly CollectedAnswer[], about: AnswerInfo) => unknown
  /** Pieces of an event stream, each of whole events. */
  readonly stream: (pieces: AnswerPieces, about: AnswerInfo) => AsyncIterable<string>
}

export interface ApiShape<Body> {
  readonly name: string
  readonly dialect: Dialect
  /** The wire whose requests and answers look the same. */
  readonly wire: WireId | null
  /** Throws a Refusal that names the field. */
  read(body: Body): ReadRequest
  /** Throws a Refusal for what is refused on every wire. */
  check?(body: Body): void
  /** The most tokens that the answer may have; null where the client set no limit. */
  limit(body: Body): number | null
  /** How many answers are wanted, where a provider of the same wire may give fewer. */
  choices?(body: Body): number
  /** The body as it goes to a provider of the same wire. */
  relayBody?(body: Body): Readonly<Record<string, unknown>>
  /** The body as it goes to a provider of the same wire that only counts it. */
  countBody?(body: Body): Readonly<Record<string, unknown>>
  /** Headers of the request that go to a provider of the same wire. Throws a Refusal for one that is not sound. */
  relayHeaders?(header: (name: string) => string | null): Readonly<Record<string, string>>
  /** The last event of a stream that fails on its way. */
  failureEvent(refusal: Refusal, requestId: string): string
}

export const formatEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
export const formatNamedEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

export const eventStream = 'text/event-stream; charset=utf-8'

/** Events in the manner of OpenAI, with a failure on the way as the last one. */
export const toEventAnswer = (body: AsyncIterable<string>, requestId: string): RelayAnswer => ({
  mediaType: eventStream,
  body,
  failed: (refusal) => failedChunk(refusal, requestId),
})

export const failedChunk = (refusal: Refusal, requestId: string): string =>
  formatEvent(formatRefusal('openai', refusal, requestId).body)
