/** What is said of an answer while it is being written: its sentences, without marks, code and tables. Pure. */
import { citationMarks } from '../markdown/citations.tsx'
import { decodeEntities } from '../markdown/entities.ts'
import type { Token } from '../markdown/lexer.ts'
import { type SplitText, splitBlocks } from '../markdown/split.ts'
import { cutSentences, type SkipWords } from '../read-aloud/sentences.ts'

export interface SpokenText {
  /** Takes the answer as it is now; gives the sentences that are new and will not change any more. */
  take(text: string, isWhole: boolean): string[]
}

export function createSpokenText(words: SkipWords): SpokenText {
  let before: SplitText | null = null
  let given = 0
  return {
    take(text, isWhole) {
      before = splitBlocks(text, before, !isWhole)
      const sentences = before.blocks.flatMap(({ token, settled }) => sentencesOf(token, settled, words))
      const fresh = sentences.slice(given)
      given = Math.max(given, sentences.length)
      return fresh
    },
  }
}

/** Of a block that still grows, the last sentence is not known yet. */
function sentencesOf(token: Token, settled: boolean, words: SkipWords): string[] {
  const sentences = partsOf(token, words).flatMap((part) =>
    cutSentences(part).map(({ start, end }) => part.slice(start, end).trim()),
  )
  return settled ? sentences : sentences.slice(0, -1)
}

/** The texts of a block, each read for itself. */
function partsOf(token: Token, words: SkipWords): string[] {
  if (token.type === 'code') return [words.code]
  if (token.type === 'table') return [words.table]
  if (token.type === 'list') return (token['items'] as Token[]).flatMap((item) => partsOf(item, words))
  const inner = token as { tokens?: Token[] }
  if (holders.has(token.type)) return (inner.tokens ?? []).flatMap((child) => partsOf(child, words))
  if (!readable.has(token.type)) return []
  const text = (inner.tokens ? inner.tokens.map(textOf).join('') : textOf(token))
    .replace(citationMarks, '')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:!?،؛؟])/g, '$1')
    .trim()
  // A heading or a dash of its own is no sentence to a voice: letters or digits are.
  return /[\p{L}\p{N}]/u.test(text) ? [text] : []
}

const holders = new Set(['list_item', 'blockquote', 'details'])
const readable = new Set(['paragraph', 'heading', 'text'])

/** The words of one piece of a line; pictures, formulas and HTML have none. */
function textOf(token: Token): string {
  const { type, text = '', tokens } = token as { type: string; text?: string; tokens?: Token[] }
  if (type === 'br') return ' '
  if (['image', 'math', 'html', 'checkbox'].includes(type)) return ''
  if (tokens) return tokens.map(textOf).join('')
  return type === 'codespan' || type === 'escape' ? text : decodeEntities(text)
}
