/** Asks the chat what was heard, and hands on its answer sentence by sentence while it is being written. */
import { wordsOf } from '../../api/errors.ts'
import type { SkipWords } from '../read-aloud/sentences.ts'
import { retryOffline } from '../../api/retry-offline.ts'
import { createSpokenText, type SpokenText } from './spoken-text.ts'
import type { Reply, TalkingChat } from './state.ts'

export interface Replies {
  ask(text: string): void
  /** Stops the answer and hears no more of it. */
  stop(): void
  /** Hands on no more of the answer; it is written to its end. */
  leave(): void
}

export interface RepliesOptions {
  readonly chat: TalkingChat
  readonly signal: AbortSignal
  readonly skipWords: SkipWords
  onSentences(sentences: readonly string[], isWhole: boolean): void
  onAsking(isAsking: boolean): void
  onTrouble(words: string): void
  onWaiting(on: boolean): void
}

export function createReplies(options: RepliesOptions): Replies {
  const { chat, signal } = options
  let last: Reply | null = null
  /** What is said of the answer that is awaited; null while none is. */
  let spoken: SpokenText | null = null
  /** The answer that was there before. */
  let before: string | null = null
  let asking: AbortController | null = null

  const onReply = (reply: Reply | null) => {
    last = reply
    if (!spoken || !reply || reply.id === before) return
    options.onAsking(reply.isAsking)
    const sentences = spoken.take(reply.text, reply.isWhole)
    if (reply.isWhole) spoken = null
    if (reply.failure !== null) return options.onTrouble(reply.failure)
    if (sentences.length > 0 || reply.isWhole) options.onSentences(sentences, reply.isWhole)
  }
  const unfollow = chat.follow(onReply)
  signal.addEventListener('abort', () => {
    asking?.abort()
    unfollow()
  })

  return {
    ask(text) {
      asking?.abort()
      const mine = new AbortController()
      asking = mine
      before = last?.id ?? null
      spoken = createSpokenText(options.skipWords)
      retryOffline(() => chat.ask(text), mine.signal, options.onWaiting).catch((error: unknown) => {
        // It is not lost, whether the talk still goes on or not.
        chat.keep(text)
        if (!mine.signal.aborted) options.onTrouble(wordsOf(error))
      })
    },
    leave() {
      spoken = null
    },
    stop() {
      asking?.abort()
      spoken = null
      options.onAsking(false)
      chat.stop().catch((error: unknown) => options.onTrouble(wordsOf(error)))
    },
  }
}
