/** The words between the turn loop and the wires. */
import type { GenerationOptions, ToolCall } from '@atrium/contract/generation'

export interface TurnImage {
  readonly mediaType: string
  /** Base64, no data-URL prefix. */
  readonly data: string
}
export type TurnMessage =
  | { readonly role: 'user'; readonly text: string; readonly images: readonly TurnImage[] }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly text: string }

export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: Record<string, unknown>
}

/** All that a model is asked in one call. */
export interface Turn {
  readonly model: string
  readonly system: string | null
  readonly messages: readonly TurnMessage[]
  readonly tools: readonly ToolSpec[]
  readonly options: GenerationOptions
}

/** What comes back, piece by piece. */
export type Part =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly inputTokens: number | null; readonly outputTokens: number | null }
  | { readonly type: 'finish'; readonly reason: string }

/** A pure state machine over the frames of one answer. It throws ProviderFailure on an error inside the stream. */
export interface WireReader {
  /** One frame: the data of an SSE event, or one line of NDJSON. */
  frame(data: string): Part[]
  /** The answer is complete: whatever follows is not looked at. */
  readonly done: boolean
  /** The stream ended; throws `malformed` when it ended before its end. */
  end(): Part[]
}

/** A wire format: how a turn is said and its answer read. No fetch, key, clock or retry. */
export interface Wire {
  readonly id: string
  readonly framing: 'sse' | 'ndjson'
  /** The operation's default path under a base URL. */
  readonly path: string
  say(turn: Turn): unknown
  reader(): WireReader
}

export type ProviderFailureKind =
  | 'no_key'
  | 'redirected'
  | 'unreachable'
  | 'timeout'
  | 'rejected'
  | 'overloaded'
  | 'context_overflow'
  | 'malformed'
  | 'too_large'
  | 'aborted'

/** A provider failure in words of ours. It cannot carry an upstream body, because bodies may not be kept. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind
  readonly status: number | null
  constructor(kind: ProviderFailureKind, detail: string, status: number | null = null) {
    super(detail)
    this.kind = kind
    this.status = status
  }
}
