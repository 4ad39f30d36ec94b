/**
 * The talk that goes on, if one does: wherever one goes in the app. Small, because the page of every chat has it; what a
 * talk is made of is fetched with the first one.
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** The last answer of a chat, as far as it is written. */
export interface Reply {
  readonly id: string
  readonly text: string
  readonly isWhole: boolean
  /** It waits until somebody allows something in the chat. */
  readonly isAsking: boolean
  /** Why there is no more of it, in words. */
  readonly failure: string | null
}

/** A chat that can be talked with. What is said in it are its ordinary messages. */
export interface TalkingChat {
  /** Asks; an answer that is still being written is stopped for it. Rejects with the reason where it is refused. */
  ask(text: string): Promise<void>
  /** What could not be asked is not lost: it waits where one writes. */
  keep(text: string): void
  /** Stops the answer that is being written; what is written stays. */
  stop(): Promise<void>
  /** Tells of the last answer, now and each time it grows; gives what ends that. */
  follow(listener: (reply: Reply | null) => void): () => void
}

export interface StartedTalk {
  readonly chat: TalkingChat
  /** All sound of the talk goes through it. */
  readonly context: AudioContext
}

export const talks = createStore<{ readonly now: StartedTalk | null }>(() => ({ now: null }))

export const useIsTalking = (): boolean => useStore(talks, ({ now }) => now !== null)

/** Begins a talk. Only in the very press that asks for it may sound be opened: phones are silent else. */
export function startTalk(chat: TalkingChat): void {
  if (talks.getState().now) return
  const context = new AudioContext()
  void context.resume()
  talks.setState({ now: { chat, context } })
}

export function endTalk(): void {
  void talks.getState().now?.context.close()
  talks.setState({ now: null })
}
