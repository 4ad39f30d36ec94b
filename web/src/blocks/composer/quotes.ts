/** Words of messages that stand before the text of the next one. Pure. */
import type { Quote, SentQuote } from '@atrium/contract/chat'
import { longestMessage, mostQuotes } from '@atrium/contract/message-limits'

/** Without line ends of other systems and without empty lines around it; empty where there is nothing to quote. */
export const cleanQuote = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .trimEnd()
    .replace(/^\s*\n/, '')

/** Text as a Markdown block quote. */
export const asQuote = (text: string): string =>
  cleanQuote(text)
    .split('\n')
    .map((line) => (line.trim() === '' ? '>' : `> ${line}`))
    .join('\n')
    .replace(/^(>\n){2,}/gm, '>\n')

type Quotes = readonly Pick<Quote, 'text'>[]

/** By lists of quotes, which never change: they are asked for at each key that is typed. */
const written = new WeakMap<Quotes, string>()

const asQuotes = (quotes: Quotes): string => {
  const text = written.get(quotes) ?? quotes.map((quote) => asQuote(quote.text)).join('\n\n')
  written.set(quotes, text)
  return text
}

/** What is sent: the quotes, each a block quote of its own, and below them what is typed. */
export const withQuotes = (typed: string, quotes: Quotes = []): string =>
  quotes.length === 0 ? typed : [asQuotes(quotes), typed].filter(Boolean).join('\n\n')

/** What is sent of quotes beside the text, so that it leads to where they are from. */
export const toSentQuotes = (quotes: readonly Quote[] = []): SentQuote[] =>
  quotes.map(({ messageId, text }) => ({ messageId, text }))

/** The message that a block quote is from, by what stands in it; null: it is from none of them. */
export const sourceOfQuote = (words: string, quotes: readonly SentQuote[]): string | null => {
  const lines = linesOf(words)
  return quotes.find(({ text }) => linesOf(text) === lines)?.messageId ?? null
}

/** Lines without what Markdown leaves out around them. */
const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')

/** Whether a message has room for one more quote. */
export const hasRoomFor = (quote: Quote, typed: string, quotes: readonly Quote[]): boolean =>
  quotes.length < mostQuotes && withQuotes(typed, [...quotes, quote]).length <= longestMessage

/** How much can be typed below quotes. */
export const roomBelow = (quotes: readonly Quote[]): number => longestMessage - (withQuotes('.', quotes).length - 1)

/** What is typed with a question below it, from `start` (in UTF-16 units) on; one that stands at the end already is it. */
export const withQuestion = (typed: string, question: string): { content: string; start: number } => {
  const before = typed.trimEnd()
  const isThere = before === question || before.endsWith(`\n\n${question}`)
  const content = isThere ? before : [before, question].filter(Boolean).join('\n\n')
  return { content, start: content.length - question.length }
}
