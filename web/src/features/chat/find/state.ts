/** What is looked for in the open chat, and where it stands. */
import { create } from 'zustand'

interface FindState {
  /** The chat whose bar is open; null: none. */
  readonly chatId: string | null
  readonly words: string
  /** The messages that hold the words. */
  readonly messageIds: ReadonlySet<string>
  /** The place that was gone to last. */
  readonly now: FindPlace | null
}

/** One place of the words: the message, and which of those in it. */
export interface FindPlace {
  readonly messageId: string
  readonly nth: number
}

const closed: FindState = { chatId: null, words: '', messageIds: new Set(), now: null }

export const useFind = create<FindState>(() => closed)

/** Opens the bar for a chat, with the words that were looked for last. */
export const openFind = (chatId: string): void => useFind.setState(({ words }) => ({ ...closed, words, chatId }))
export const closeFind = (): void => useFind.setState(({ words }) => ({ ...closed, words }))

/** Whether a message holds what is looked for, so that none of it may be folded away. */
export const useHasMatch = (messageId: string): boolean => useFind((state) => state.messageIds.has(messageId))
