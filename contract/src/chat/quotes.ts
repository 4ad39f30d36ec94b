/** Words of other messages in a question. */
import { z } from 'zod'
import { ClientId, Id } from '../common.ts'
import { mostQuotes } from '../message-limits.ts'
import { Content } from './parts.ts'

/** Words of a message of the chat, to stand as a block quote before the text of the next question. */
export const Quote = z.strictObject({
  id: ClientId,
  messageId: Id,
  /** What the model was called; null where a person wrote it. */
  author: z.string().max(200).nullable(),
  text: Content.min(1),
})
export type Quote = z.infer<typeof Quote>

/** Of a question: which of its block quotes is from where, by the words that were quoted. */
export const SentQuote = Quote.pick({ messageId: true, text: true })
export type SentQuote = z.infer<typeof SentQuote>
export const SentQuotes = z.array(SentQuote).max(mostQuotes)
