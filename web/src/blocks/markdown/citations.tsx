/** `[1]`, `[1, 2]` and `【1】` in running text, as marks that lead to a source. */
import { createContext, type ReactNode } from 'react'

/** Draws the mark of a source; null where there is none of that number. */
export type DrawCitation = (number: number) => ReactNode | null

/** Draws words of running text, such as names of people in it. */
export type DrawWords = (text: string) => ReactNode

export const WordsContext = createContext<DrawWords | null>(null)

/** Null where nothing is cited, and inside of links. */
export const CiteContext = createContext<DrawCitation | null>(null)

/** Marks of sources in a text. */
export const citationMarks = /\[\d{1,3}(?:\s*[,،;]\s*\d{1,3})*\]|【\d{1,3}(?:[†:][^】\n]{0,80})?】/g

/** The text with its marks drawn. One that names a source that does not exist stays text. */
export function withCitations(text: string, cite: DrawCitation): ReactNode {
  if (!text.includes('[') && !text.includes('【')) return text
  const parts: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(citationMarks)) {
    const numbers = match[0].replace(/[†:].*/, '').match(/\d+/g) ?? []
    const drawn = numbers.map((number) => cite(Number(number)))
    if (drawn.some((part) => part === null)) continue
    parts.push(text.slice(from, match.index), <Marks key={match.index} words={numbers} drawn={drawn} />)
    from = match.index + match[0].length
  }
  if (parts.length === 0) return text
  parts.push(text.slice(from))
  return parts
}

/** Brackets and commas are not seen, but copied with the text. */
function Marks({ words, drawn }: { words: readonly string[]; drawn: readonly ReactNode[] }) {
  return (
    <span className="cited">
      <i>[</i>
      {drawn.map((part, index) => (
        <span key={words[index]}>
          {index > 0 && <i>, </i>}
          {part}
        </span>
      ))}
      <i>]</i>
    </span>
  )
}
