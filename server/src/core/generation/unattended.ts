/** How something is asked in a chat while nobody is at a page; `features/chat` does, as the account that it is for. */
import type { Selection } from '@atrium/contract/common'
import type { RunState } from './types.ts'

export interface UnattendedQuestion {
  readonly accountId: string
  /** The chat that goes on. */
  readonly sessionId: string
  /** Where it is not there it begins, with this title; null: it must be there. */
  readonly newTitle: string | null
  readonly text: string
  /** null: the chat's, else what the account starts chats with. */
  readonly selection: Selection | null
  readonly webSearch: boolean
  /** Names the question: asking twice with the same name asks once. Letters, digits, `-` and `_`, at most 60. */
  readonly name: string
}

export interface UnattendedChats {
  /**
   * Asks, with the rights, the keys and the budget that the account has now. Refuses as `startGeneration` does, with
   * `id_reused` where the name was used for another question.
   */
  ask(question: UnattendedQuestion): Promise<{ readonly messageId: string; readonly generationId: string }>
  /** Whether an account has a chat of this id that is not in the trash. */
  owns(accountId: string, sessionId: string): Promise<boolean>
  /** How an answer is or ended, with the code of its failure; null: it is gone. */
  outcome(
    accountId: string,
    generationId: string,
  ): Promise<{ readonly state: RunState; readonly failure: string | null } | null>
  /** The text of an answer that ended; null: it is gone. */
  answerOf(accountId: string, generationId: string): Promise<string | null>
  /** Resolves when an answer that is written in this process has ended; at once where it is not. */
  waitUntilEnded(generationId: string): Promise<void>
  /** Stops an answer, and waits until that is recorded. */
  stop(accountId: string, generationId: string): Promise<void>
}
