/** The words between the turn loop and the wires. */
import type {
  GenerationOptions,
  Source,
  ToolApproval,
  ToolCall,
  ToolDecision,
  ToolResult,
} from '@atrium/contract/generation'

export interface TurnImage {
  readonly mediaType: string
  /** Base64, no data-URL prefix. */
  readonly data: string
}

/**
 * What a wire wants back word for word with the next turn: signed thinking, encrypted reasoning. Nobody but that wire
 * reads it, and it means nothing to another model.
 */
export interface Replay {
  readonly wire: string
  readonly model: string
  readonly items: readonly unknown[]
}

export type TurnMessage =
  | { readonly role: 'user'; readonly text: string; readonly images: readonly TurnImage[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly toolCalls: readonly ToolCall[]
      readonly replay?: Replay | undefined
    }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly name: string
      readonly text: string
      readonly images?: readonly TurnImage[]
    }

export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: Record<string, unknown>
}

/** All that a model is asked in one call. */
export interface Turn {
  readonly model: string
  /** The chat that it is of, for those who keep something of their own for each; absent outside of chats. */
  readonly conversation?: string | undefined
  readonly system: string | null
  readonly messages: readonly TurnMessage[]
  readonly tools: readonly ToolSpec[]
  /** None of these may be called; for formats that want the tools of earlier calls declared. */
  readonly formerTools?: readonly ToolSpec[] | undefined
  readonly options: GenerationOptions
  /** Absent: the model decides. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string } | undefined
  readonly parallelToolCalls?: boolean | undefined
  /** The form that the text must have; absent: any. */
  readonly format?:
    | { readonly type: 'json' }
    | {
        readonly type: 'schema'
        readonly name: string
        readonly schema: Record<string, unknown>
        readonly strict?: boolean | undefined
      }
    | undefined
  /** Log probabilities with every token, and so many alternatives; only where the wire has them. */
  readonly logprobs?: { readonly top: number } | undefined
  readonly logitBias?: Readonly<Record<string, number>> | undefined
  /** The answer may hold pictures: they are asked for, and there is room for them. */
  readonly draws?: boolean | undefined
}

/** What comes back, piece by piece. */
export type Part =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** The beginning and the growing arguments of a call, for those who show them; `tool-call` follows with all of it. */
  | { readonly type: 'tool-call-start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly index: number; readonly delta: string }
  /** The same of a call of ours that is shown while it is written; `draft` is one of a kind in its answer. */
  | { readonly type: 'tool-draft'; readonly draft: string; readonly name: string; readonly delta: string }
  /** With the id of an earlier one it stands in its place. */
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | { readonly type: 'tool-result'; readonly callId: string; readonly result: ToolResult }
  /** What the model is told of a result, for its later turns; nobody is shown it. */
  | { readonly type: 'tool-result-text'; readonly callId: string; readonly text: string }
  /** Passages that came with a result, numbered; they come besides those that the answer has. */
  | { readonly type: 'sources'; readonly items: readonly Source[] }
  /** Nothing goes on before somebody decides about a call: the answer ends here, and another run goes on with it. */
  | { readonly type: 'waiting' }
  | {
      readonly type: 'approval'
      readonly callId: string
      readonly approval: ToolApproval
      /** While it waits: takes the answer, once. */
      readonly decide?: (decision: ToolDecision) => void
    }
  /** A picture that the model drew, or how far it is: one of the same index takes the place of an earlier one. */
  | { readonly type: 'picture'; readonly index: number; readonly bytes: Uint8Array; readonly partial: boolean }
  /** A picture that came and cannot be shown: it is no picture, or too large. */
  | { readonly type: 'lost-picture' }
  /** Something to be kept for the wire's own next turn; see Replay. */
  | { readonly type: 'replay'; readonly wire: string; readonly item: unknown }
  /** In the shape of chat completions: `choices[].logprobs.content`. */
  | { readonly type: 'logprobs'; readonly content: readonly unknown[] }
  | {
      readonly type: 'usage'
      readonly inputTokens: number | null
      readonly outputTokens: number | null
      /** Of the input, read from the provider's cache. */
      readonly cachedTokens?: number | undefined
      /** Of the output, thought. */
      readonly reasoningTokens?: number | undefined
    }
  /** Why it ended, in the words of chat completions whatever the wire; anything else is passed as the wire said it. */
  | { readonly type: 'finish'; readonly reason: FinishReason | (string & {}) }

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** A pure state machine over the frames of one answer. It throws ProviderFailure on an error inside the stream. */
export interface WireReader {
  /** One frame: the data of an SSE event, or one line of NDJSON. */
  frame(data: string): Part[]
  /** Whether the answer is complete: whatever follows is not looked at. A method, as objects with getters are slow to make. */
  isDone(): boolean
  /** The stream ended; throws `malformed` when it ended before its end. */
  end(): Part[]
}

/** A wire format: how a turn is said and its answer read. No fetch, key, clock or retry. */
export interface Wire {
  readonly id: string
  readonly framing: 'sse' | 'ndjson' | 'aws-event-stream'
  /** The operation's default path under a base URL. */
  readonly path: string
  /** Headers that the format always wants, beside the key. */
  readonly headers?: Readonly<Record<string, string>>
  /** The address of one call, where the model stands in it; else the route's own. */
  address?(route: string, model: string): string
  say(turn: Turn): unknown
  /** Fits a request that somebody else worded to the provider's own rules; absent: it has none. */
  adapt?(said: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  reader(): WireReader
}

/** A request as it will be sent, for those who sign it. */
export interface UnsignedRequest {
  readonly method: 'POST' | 'GET'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const providerFailureKinds = [
  'no_key',
  'over_budget',
  'redirected',
  'unreachable',
  'timeout',
  'rejected',
  'overloaded',
  'context_overflow',
  'malformed',
  'too_large',
  'moderated',
  'aborted',
] as const
export type ProviderFailureKind = (typeof providerFailureKinds)[number]

/** A provider failure in words of ours. It cannot carry an upstream body, because bodies may not be kept. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind
  readonly status: number | null
  /** How long the provider asks to wait. */
  readonly waitSeconds: number | null
  /** The name of the parameter that the provider refused, and nothing else of what it said. */
  readonly parameter: string | null
  constructor(
    kind: ProviderFailureKind,
    detail: string,
    status: number | null = null,
    { waitSeconds = null, parameter = null }: Partial<Pick<ProviderFailure, 'waitSeconds' | 'parameter'>> = {},
  ) {
    super(detail)
    this.kind = kind
    this.status = status
    this.waitSeconds = waitSeconds
    this.parameter = parameter
  }
}
