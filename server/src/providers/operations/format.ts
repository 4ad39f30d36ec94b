/**
 * What a format of an operation is: pure functions between what is asked and what goes over the wire. No fetch, key,
 * clock, limit or retry: the runner owns those. There are two kinds. An *answer* comes with the call itself; a *task* is
 * accepted, asked about, and its result is taken up when it is done.
 */
import type { Json } from '../wires/json.ts'
import type { Form } from './form.ts'
import type { Config } from './route.ts'
import type { CallNews, SpeechAsk } from './types.ts'

/** Where and of whom something is asked. */
export interface About {
  /** The address of the capability; may hold the place of a voice. */
  readonly endpoint: string
  readonly model: string
  readonly config: Config
  /** Further fields of a request, which the definition names. */
  readonly also: Readonly<Record<string, unknown>>
  /** So many pictures as far as they are somebody wants to see. */
  readonly partials: number
  /** What is set for the definition's variables, for formats that know some by name. */
  readonly variables: Readonly<Record<string, unknown>>
}

/** A request in the words of a format. */
export interface FormatRequest {
  /** `POST` where there is a body, else `GET`. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
  /** Relative to the endpoint, or absolute on an origin that the definition names; absent: the endpoint itself. */
  readonly address?: string | undefined
  readonly json?: unknown
  readonly form?: Form | undefined
  readonly bytes?: { readonly mediaType: string; readonly bytes: Uint8Array } | undefined
  readonly accept?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A whole answer. `json` is null where it was none. */
export interface Reply {
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly json: Json | readonly unknown[] | null
  readonly headers: Readonly<Record<string, string>>
}

export interface Limits {
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Values in JSON, in all its lists together. */
  readonly maxMembers?: number | undefined
}

/** Reads an answer that comes in frames. */
export interface FrameReader<R> {
  frame(data: string): CallNews | null
  /** The stream ended. */
  end(): R
}

/** The answer comes with the call. `A`: what is asked; `R`: what is read out of the answer. */
export interface AnswerFormat<A, R> {
  /** What is asked as the format can say it, where that is work. Throws ProviderFailure. */
  prepare?(ask: A): Promise<A>
  say(ask: A, about: About): FormatRequest
  /** Throws ProviderFailure: `malformed` for what it cannot read, `moderated` for what the provider withheld. */
  read(reply: Reply, ask: A, about: About): R
  /** For answers that are streamed as server-sent events. */
  reader?(ask: A, about: About): FrameReader<R>
  /** Told when nobody waits for the answer any more, to those who would go on. */
  stop?(about: About): FormatRequest
  /** Asked while the call runs, where somebody wants to hear of it. */
  watch?: {
    readonly say: (about: About) => FormatRequest
    readonly read: (reply: Reply) => CallNews | null
  }
  /** Where this is not what is usual for the operation. */
  limits?(ask: A): Limits
}

/** What a provider calls a task by; kept, so JSON. */
export interface TaskHandle {
  readonly id: string
  /** Addresses that the provider told for it; asked only on origins that the definition names. */
  readonly addresses?: Readonly<Record<string, string>> | undefined
}

export type TaskState =
  | { readonly state: 'waiting' | 'running'; readonly progress: number | null }
  | { readonly state: 'done' }
  | { readonly state: 'failed'; readonly reason: TaskFault }

/** `wrong_type`: it is said to be done, and there is no result in what is told. */
export type TaskFault = 'refused' | 'moderated' | 'expired' | 'cancelled' | 'wrong_type'

/** The provider accepts, works, and is asked. */
export interface TaskFormat<A, R> {
  /** The answer to a question about it may hold all that was made: it is larger, and takes longer. */
  readonly holdsResult?: true
  /** What has to lie at the provider before it is asked. */
  before?(ask: A, about: About): FormatRequest[]
  say(ask: A, about: About): FormatRequest
  /** Reads the handle out of the answer to `say`. Throws ProviderFailure. */
  accepted(reply: Reply, about: About): TaskHandle
  whereToAsk(handle: TaskHandle, about: About): FormatRequest
  state(reply: Reply, handle: TaskHandle, about: About): TaskState
  /** Where the result is asked for once it is done; absent: it is in the answer that said so. */
  whereResult?(handle: TaskHandle, about: About): FormatRequest
  /** Throws ProviderFailure: a task that is done may have come to nothing. */
  result(reply: Reply, handle: TaskHandle, about: About): R
  /** Absent: it cannot be stopped there. */
  cancel?(handle: TaskHandle, about: About): FormatRequest[]
}

/** Media as a format found it in an answer. */
export type Found =
  | { readonly base64: string }
  | { readonly bytes: Uint8Array }
  /** A stranger's address: fetched without a key, never followed elsewhere. */
  | { readonly address: string }
  /** An address in the format's own words. */
  | { readonly at: FormatRequest }

export interface FoundPicture {
  readonly found: Found
  readonly revisedPrompt?: string | null | undefined
}

export interface FoundImages {
  readonly pictures: readonly FoundPicture[]
  /** So many were drawn and withheld. */
  readonly withheld?: number | undefined
  readonly inputTokens?: number | null | undefined
  readonly outputTokens?: number | null | undefined
}

export interface FoundSound {
  readonly found: Found
  /** What its bytes are where they tell nothing themselves: bare samples. */
  readonly samples?: string | undefined
  readonly transcript?: string | null | undefined
  readonly inputTokens?: number | null | undefined
  readonly outputTokens?: number | null | undefined
}

export interface FoundVideo {
  readonly found: Found
}

/** Speech is handed on as it comes, unless it comes in an answer that has to be read first. */
export interface SpeechFormat {
  say(ask: SpeechAsk, about: About): FormatRequest
  read?(reply: Reply): { readonly bytes: Uint8Array; readonly mediaType: string; readonly format: string }
}
