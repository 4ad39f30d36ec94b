/**
 * Splits Markdown into its top-level blocks. While a text grows, only its last two blocks are looked at again:
 * everything before them is finished and keeps its identity, so that it is never parsed or drawn twice.
 */
import { lex, type Links, type Token } from './lexer.ts'

export interface MarkdownBlock {
  /** Exactly the text that the block was made from, with the blank lines before it. */
  readonly raw: string
  readonly token: Token
  /** False for the last block of a text that still grows. */
  readonly settled: boolean
}

export interface SplitText {
  readonly text: string
  readonly blocks: readonly MarkdownBlock[]
  readonly streaming: boolean
  /** How many of the blocks are finished, and where the rest begins in the text. */
  readonly frozen: number
  readonly offset: number
  readonly links: Links
  /** How many characters this step gave to the parser. */
  readonly parsed: number
}

/** One more look at a text, continuing from the look before when the text only grew. */
export function splitBlocks(source: string, previous: SplitText | null, streaming: boolean): SplitText {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source
  if (previous && previous.text === text && previous.streaming === streaming) return previous
  const grew = previous?.streaming === true && text.startsWith(previous.text)
  const next = look(text, grew ? previous : null, streaming)
  // A definition may stand below its use: then, and only then, the end of a stream means a whole second look.
  return grew && !streaming && Object.keys(next.links).length > 0 ? look(text, null, false) : next
}

function look(text: string, base: SplitText | null, streaming: boolean): SplitText {
  const start = base?.frozen ?? 0
  const offset = base?.offset ?? 0
  const tail = text.slice(offset)
  const { tokens, links } = lex(tail, base?.links ?? {}, streaming)
  const parts = fold(tokens, tail)
  const blocks = base?.blocks.slice(0, start) ?? []
  let frozen = start
  let end = offset
  parts.forEach(({ token, raw }, index) => {
    const settled = !streaming || index < parts.length - 1
    const old = base?.blocks[start + index]
    const same = old && old.settled === settled && old.raw.trim() === raw.trim()
    blocks.push(same ? old : { token, raw, settled })
    if (streaming && index < parts.length - 2) {
      frozen = start + index + 1
      end += raw.length
    }
  })
  return { text, blocks, streaming, frozen, offset: end, links, parsed: tail.length }
}

interface Part {
  readonly token: Token
  readonly raw: string
}

/** Gives each token its part of the text, and joins `<details>` with all that stands in it. */
function fold(tokens: readonly Token[], text: string): Part[] {
  const parts: { token: Token; end: number }[] = []
  let inside: Token[] | null = null
  let at = 0
  for (const token of tokens) {
    at = past(token.raw, text, at)
    const last = parts.at(-1)
    if (inside && last) {
      last.end = at
      if (token.type === 'html' && /<\/details>/i.test(token.raw)) inside = null
      else inside.push(token)
    } else if (token.type === 'html' && /^\s*<details\b/i.test(token.raw) && !/<\/details>/i.test(token.raw)) {
      inside = []
      const summary = /<summary>([\s\S]*?)<\/summary>/i.exec(token.raw)?.[1]?.trim() ?? ''
      parts.push({ token: { type: 'details', raw: token.raw, summary, tokens: inside }, end: at })
    } else if (token.type !== 'space') parts.push({ token, end: at })
  }
  return parts.map(({ token, end }, index) => ({
    token,
    raw: text.slice(parts[index - 1]?.end ?? 0, index === parts.length - 1 ? text.length : end),
  }))
}

/** The place in the text after all that a token was made from. The lexer keeps every mark, but not every space. */
function past(raw: string, text: string, from: number): number {
  let at = from
  for (let i = 0; i < raw.length; i++) {
    if (isSpace(raw.charCodeAt(i))) continue
    while (at < text.length && isSpace(text.charCodeAt(at))) at++
    at++
  }
  return Math.min(at, text.length)
}

const isSpace = (code: number) => code === 32 || code === 10 || code === 9
