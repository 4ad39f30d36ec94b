/** How something is asked in a chat while nobody is at a page; `features/chat` does, as the account that it is for. */
import type { Selection } from '@atrium/contract/common'
import type { Usage } from '@atrium/contract/generation'
import type { Slot } from '../../platform/slot.ts'
import type { RunState } from './types.ts'

export interface UnattendedQuestion {
  readonly accountId: string
  /** The chat that goes on. */
  readonly sessionId: string
  /** Where it is not there it begins, with this title; null: it must be there. */
  readonly newTitle: string | null
  readonly text: string
  /** Where untrusted text begins in it, so that no tool takes that for the words of the account; null: nowhere. */
  readonly foreignFrom: number | null
  /** null: the chat's, else what the account starts chats with. */
  readonly selection: Selection | null
  readonly webSearch: boolean
  /** Where a chat that begins looks questions up. */
  readonly scope: { readonly useLibrary: boolean; readonly collectionIds: readonly string[] }
  /** Tools that the model may use, by their ids. One that needs a yes has the answer wait for it. */
  readonly tools: readonly string[]
  /** What the answer may cost at most, with what tools have it ask again; null: as much as it does. It ends with `cost_limit`. */
  readonly mostCost: string | null
  /** Names the question: asking twice with the same name asks once. Letters, digits, `-` and `_`, at most 60. */
  readonly name: string
}

/** How an answer is, or ended. */
export interface UnattendedAnswer {
  /** The run that writes it, or wrote the last part of it. */
  readonly generationId: string
  /** `waiting`: for somebody to decide about a call. */
  readonly state: RunState
  /** The code of its failure. */
  readonly failure: string | null
  /** Whether a tool that changes something was begun. */
  readonly hadEffect: boolean
  /** Of an answer that ended; null where nobody told. */
  readonly usage: Usage | null
}

/** What asked for an answer of a chat by itself, wherever it is written or goes on; null: a person did. */
export type AskerOf = (answer: { readonly chatId: string; readonly messageId: string }) => Promise<{
  /** What the answer may cost at most in all; null: as much as it does. */
  readonly mostCost: string | null
  /** Whether it tells its owner how the answer ends. */
  readonly tells: boolean
} | null>

export interface UnattendedChats {
  /** Whoever asks says which answers are its own. */
  readonly askerOf: Slot<AskerOf>
  /**
   * Asks, with the rights, the keys and the budget that the account has now. Refuses as `startGeneration` does, with
   * `id_reused` where the name was used for another question.
   */
  ask(question: UnattendedQuestion): Promise<{ readonly messageId: string; readonly generationId: string }>
  /**
   * What a model would say, without a chat; nothing is kept of it. Refuses with `model_unavailable`. Throws
   * ProviderFailure.
   */
  tryOut(
    accountId: string,
    question: Pick<UnattendedQuestion, 'selection' | 'text'>,
    signal: AbortSignal,
  ): Promise<string>
  /** Whether an account has a chat of this id that is not in the trash. */
  owns(accountId: string, sessionId: string): Promise<boolean>
  /** Refuses with `tool_unavailable` what the account may not have models use now. */
  requireTools(accountId: string, ids: readonly string[]): Promise<void>
  /** The answer of a message; null: it is gone. */
  outcome(accountId: string, messageId: string): Promise<UnattendedAnswer | null>
  /** The text of an answer that ended; null: it is gone. */
  answerOf(accountId: string, messageId: string): Promise<string | null>
  /** Resolves when an answer that is written in this process has ended; at once where it is not. */
  waitUntilEnded(generationId: string): Promise<void>
  /** Stops an answer that is written or waits, and waits until that is recorded. */
  stop(accountId: string, messageId: string): Promise<void>
}
