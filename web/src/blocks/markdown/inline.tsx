import { Fragment, type ReactNode, use } from 'react'
import { CiteContext, withCitations, WordsContext } from './citations.tsx'
import { decodeEntities } from './entities.ts'
import type { MathToken, Token, Tokens } from './lexer.ts'
import { Link } from './link.tsx'
import { Formula } from './math.tsx'
import { Picture } from './picture.tsx'

/** The running text of a block. HTML is shown as it was written, but for a few harmless marks. */
export function Inline({ tokens }: { tokens: readonly Token[] }): ReactNode {
  return withMarks(tokens).map((part, index) => (
    <Fragment key={index}>{isMarked(part) ? <Marked {...part} /> : <InlineToken token={part} />}</Fragment>
  ))
}

function InlineToken({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'text': {
      const text = token as Tokens.Text
      if (text.tokens) return <Inline tokens={text.tokens} />
      const cite = use(CiteContext)
      const draw = use(WordsContext)
      const words = decodeEntities(text.text)
      return cite ? withCitations(words, cite) : draw ? draw(words) : words
    }
    case 'escape':
      return (token as Tokens.Escape).text
    case 'strong':
      return (
        <strong>
          <Inline tokens={(token as Tokens.Strong).tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={(token as Tokens.Em).tokens} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inline tokens={(token as Tokens.Del).tokens} />
        </del>
      )
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br />
    case 'link': {
      const link = token as Tokens.Link
      return (
        <Link href={link.href}>
          <CiteContext value={null}>
            <Inline tokens={link.tokens} />
          </CiteContext>
        </Link>
      )
    }
    case 'image':
      return <Picture src={(token as Tokens.Image).href} alt={decodeEntities((token as Tokens.Image).text)} />
    case 'math': {
      const math = token as unknown as MathToken
      return <Formula text={math.text} display={math.display} closed source={math.raw} />
    }
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : /^<!--/.test(token.raw) ? null : token.raw
    case 'checkbox':
      return null
    default:
      return token.raw
  }
}

const marks = [
  'sub',
  'sup',
  'kbd',
  'mark',
  'u',
  'b',
  'i',
  'strong',
  'em',
  's',
  'del',
  'ins',
  'small',
  'q',
  'abbr',
] as const
type Mark = (typeof marks)[number]
interface MarkedPart {
  readonly mark: Mark
  readonly tokens: readonly Token[]
}

const isMarked = (part: Token | MarkedPart): part is MarkedPart => 'mark' in part

function Marked({ mark: As, tokens }: MarkedPart) {
  return (
    <As>
      <Inline tokens={tokens} />
    </As>
  )
}

/** Joins `<sub>`, text and `</sub>` where both ends are there; attributes make a tag text again. */
function withMarks(tokens: readonly Token[]): (Token | MarkedPart)[] {
  const parts: (Token | MarkedPart)[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    const mark = token.type === 'html' ? /^<([a-z]+)>$/i.exec(token.raw)?.[1]?.toLowerCase() : undefined
    const end = mark && isMark(mark) ? closing(tokens, index, mark) : -1
    if (mark && isMark(mark) && end > index) {
      parts.push({ mark, tokens: tokens.slice(index + 1, end) })
      index = end
    } else parts.push(token)
  }
  return parts
}

const isMark = (name: string): name is Mark => (marks as readonly string[]).includes(name)

function closing(tokens: readonly Token[], from: number, mark: string): number {
  let depth = 0
  for (let index = from; index < tokens.length; index++) {
    const raw = tokens[index]?.type === 'html' ? tokens[index]?.raw.toLowerCase() : ''
    if (raw === `<${mark}>`) depth++
    if (raw === `</${mark}>` && --depth === 0) return index
  }
  return -1
}
