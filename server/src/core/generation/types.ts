/** Types of a run: its request, its events, its outcome. */
import type { Selection } from '@atrium/contract/common'
import type {
  AnswerEvent,
  Attachment,
  ContextPlan,
  Cost,
  Failure,
  GenerationOptions,
  Retrieval,
  Source,
  ToolCall,
  Usage,
} from '@atrium/contract/generation'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Part, Replay, Turn } from '../../providers/types.ts'

/** A model that may be asked now, with what planning needs to know of it. */
export interface UsableModel {
  readonly selection: Selection
  readonly name: string
  /** Tokens; null when nobody says. */
  readonly contextWindow: number | null
  /** Whether it can look at images; null when nobody says. */
  readonly vision: boolean | null
  /** Whether it calls tools; absent or null when nobody says. */
  readonly tools?: boolean | null
  /** Whether a turn that ends with the model's own unfinished words is continued from there. */
  readonly prefills: boolean
  /** Whether it takes the size of its window with the request (`num_ctx`). */
  readonly sizesWindow: boolean
  /** Whether it draws in its answers when it is asked to. */
  readonly draws?: boolean
  /** Asks it. Throws ProviderFailure, also in the middle. */
  ask(turn: Turn, signal: AbortSignal): AsyncIterable<readonly Part[]>
}

/** Looks a selection up for an account: the model, or why it cannot be used, in words. Never another model. */
export type ResolveModel = (
  accountId: string,
  selection: Selection,
) => Promise<{ readonly model: UsableModel } | { readonly unavailable: string }>

/** `waiting`: it ended before its answer did, because nobody has decided about a call; another run goes on with it. */
export type RunState = 'running' | 'done' | 'cancelled' | 'failed' | 'interrupted' | 'waiting'

/** A run as it is recorded. */
export interface Run {
  readonly id: string
  readonly accountId: string
  readonly kind: string
  /** Within one scope there is one run at a time: for chat, the chat. */
  readonly scopeId: string
  /** What the run writes: for chat, the assistant message. */
  readonly subjectId: string
  readonly state: RunState
  /** How many characters the subject held before this run. */
  readonly baseLength: number
  /** A keyed digest of the request, to tell a repeat from another request with the same ids. */
  readonly digest: string | null
  readonly startedAt: number
  readonly endedAt: number | null
}

/** Provider data that is sent back unchanged with the next turn of the same model. Never shown. */
export type ReplayData = Omit<Replay, 'model'>

/** What was written before the run ended. */
export interface Answer {
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  /** What the model was told of the results of its calls, by the ids of these. */
  readonly toolTexts: Readonly<Record<string, string>>
  readonly sources: readonly Source[]
  /** What was looked for on its behalf; null when nothing was. */
  readonly retrieval: Retrieval | null
  readonly usage: Usage | null
  readonly finishReason: string | null
  readonly plan: ContextPlan | null
  readonly replay: ReplayData | null
  /** How many pictures it had that could not be kept. */
  readonly lostPictures: number
}

export interface RunOutcome {
  readonly state: Exclude<RunState, 'running'>
  readonly answer: Answer
  readonly failure: Failure | null
  readonly endedAt: number
}

/** Tokens of one answer, as far as the provider reported them. */
export interface AnswerTokens {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cachedTokens: number | null
}
export type CostOf = (tokens: AnswerTokens) => Cost | null

/** A picture that a model drew, or how far it is; `index` counts them from 0. */
export type DrawnPicture = Omit<Extract<Part, { type: 'picture' }>, 'type'>

/** Where it stands among all pictures of the answer. */
export interface KeptPicture {
  readonly attachment: Attachment
  readonly place: number
}

/** What a run needs once it is prepared. */
export interface PreparedAnswer {
  readonly plan: ContextPlan | null
  readonly sources?: readonly Source[]
  readonly retrieval?: Retrieval | null
  /** What tokens of this answer cost; null where nobody knows. */
  readonly costOf?: CostOf
  /** Keeps a picture of the answer; absent where answers have none. null: it could not be kept, and the answer goes on. Throws Refusal. */
  readonly keepPicture?: (picture: DrawnPicture) => Promise<KeptPicture | null>
  /** It may be without words: what it is about is kept elsewhere. */
  readonly isWordless?: boolean
  /** Opens the answer. */
  open(signal: AbortSignal): AsyncIterable<readonly Part[]>
}

/** Events of a run. Features turn the first and the last one into what their pages expect. */
export type RunEvent =
  | { readonly type: 'start'; readonly data: { readonly generationId: string; readonly context: ContextPlan | null } }
  | AnswerEvent
  /** For later turns of the model; no page hears of it. */
  | { readonly type: 'tool-result-text'; readonly data: { readonly callId: string; readonly text: string } }
  | { readonly type: 'end'; readonly data: { readonly state: RunOutcome['state'] } }

/** How far a search on behalf of an answer is. */
export type SearchProgress = Extract<AnswerEvent, { type: 'search' }>['data']

/** A write that a feature does inside the transaction that ends a run. */
export type TransactionWrite = (trx: AnyTransaction) => Promise<void>

/** How a run ends in its feature. */
export interface RunEnd {
  /** Stores what came; it happens only if the run has not ended before. */
  readonly write: TransactionWrite
  /** After the run is recorded as ended: follow-up work, news for open pages. Its failure changes nothing. */
  ended?(): Promise<void>
}

/** What a feature registers for its runs. */
export interface RunKind {
  /** Whose data key seals the events of a run; where there is none, that of its account does. */
  owner?(run: Run): string
  /** Seals what came, and says how it is stored. */
  finish(run: Run, outcome: RunOutcome): Promise<RunEnd>
  /** It begins to wait for permission, or does so no longer. Its failure changes nothing. */
  waits?(run: Run, isWaiting: boolean): Promise<void>
  /** What is stored of a run's answer, for streams whose events are gone. null: the subject is gone too. */
  readStored(run: Run): Promise<(Pick<Answer, 'text' | 'sources' | 'retrieval'> & { reasoning: string | null }) | null>
}

/** What starts a run. */
export interface RunRequest {
  readonly id: string
  readonly accountId: string
  readonly kind: string
  readonly scopeId: string
  readonly subjectId: string
  readonly baseLength?: number
  readonly digest?: string | null
  /**
   * Plans and opens; runs after the record is made, so it may take its time. Throws Refusal or ProviderFailure.
   * `report`: tells those who follow how far a search is.
   */
  prepare(signal: AbortSignal, report: (progress: SearchProgress) => void): Promise<PreparedAnswer>
}

/** Options as they are sent, and where the window's size comes from. */
export interface ContextWindow {
  readonly tokens: number
  readonly source: ContextPlan['windowSource']
}

export type { GenerationOptions }
