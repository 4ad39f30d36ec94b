import { createContext, type ReactNode, use } from 'react'
import { CodeBlock } from './code.tsx'
import { Diagram } from './diagram.tsx'
import { directionOf } from './direction.ts'
import { HtmlBlock } from './html.tsx'
import { Inline } from './inline.tsx'
import type { MathToken, Token, Tokens } from './lexer.ts'
import { Formula } from './math.tsx'
import { Table } from './table.tsx'

/** One block and what stands in it. `settled` is false while its end may still be missing. */
export function BlockContent({ token, settled }: { token: Token; settled: boolean }): ReactNode {
  switch (token.type) {
    case 'heading':
      return <Heading token={token as Tokens.Heading} />
    case 'paragraph':
      return (
        <p dir="auto">
          <Inline tokens={(token as Tokens.Paragraph).tokens} />
        </p>
      )
    case 'text':
      // In tight lists, text stands without a paragraph around it.
      return <Inline tokens={(token as Tokens.Text).tokens ?? [{ ...token, type: 'text' }]} />
    case 'code':
      return <Code token={token as Tokens.Code} settled={settled} />
    case 'list':
      return <List token={token as Tokens.List} settled={settled} />
    case 'blockquote':
      return (
        <blockquote dir={directionOf([(token as Tokens.Blockquote).text])}>
          <Blocks tokens={(token as Tokens.Blockquote).tokens} settled={settled} />
          <QuoteEnd words={(token as Tokens.Blockquote).text} />
        </blockquote>
      )
    case 'table':
      return <Table token={token as Tokens.Table} />
    case 'hr':
      return <hr />
    case 'math-block': {
      const math = token as unknown as MathToken
      return <Formula text={math.text} display closed={math.closed} source={math.raw} />
    }
    case 'details': {
      const details = token as Tokens.Generic
      return (
        <details>
          <summary dir="auto">{String(details.summary || '…')}</summary>
          <Blocks tokens={details.tokens ?? []} settled={settled} />
        </details>
      )
    }
    case 'html':
      return <HtmlBlock html={(token as Tokens.HTML).raw} settled={settled} />
    case 'checkbox':
      return null
    case 'def':
    case 'space':
      return null
    default:
      return <p dir="auto">{token.raw}</p>
  }
}

/** Blocks inside of a block. */
export function Blocks({ tokens, settled }: { tokens: readonly Token[]; settled: boolean }) {
  return tokens.map((token, index) => (
    <BlockContent key={index} token={token} settled={settled || index < tokens.length - 1} />
  ))
}

/** Draws what stands at the end of a block quote, by what is quoted. */
export type DrawQuoteEnd = (words: string) => ReactNode
export const QuoteEndContext = createContext<DrawQuoteEnd | null>(null)

const QuoteEnd = ({ words }: { words: string }) => use(QuoteEndContext)?.(words)

/** The depth of the first heading of the text. */
export const FirstDepth = createContext(1)

/** The page and each message have headings of their own; those of a text stand right below them. */
function Heading({ token }: { token: Tokens.Heading }) {
  const level = Math.min(6, Math.max(3, 3 + token.depth - use(FirstDepth)))
  const Level = `h${level}` as 'h3' | 'h4' | 'h5' | 'h6'
  return (
    <Level dir="auto" data-depth={token.depth}>
      <Inline tokens={token.tokens} />
    </Level>
  )
}

function List({ token, settled }: { token: Tokens.List; settled: boolean }) {
  const As = token.ordered ? 'ol' : 'ul'
  const start = token.ordered && typeof token.start === 'number' && token.start !== 1 ? token.start : undefined
  return (
    <As dir={directionOf(token.items.map(({ text }) => text))} start={start} data-loose={token.loose || undefined}>
      {token.items.map((item, index) => (
        <li key={index} data-task={item.task || undefined}>
          {item.task && (
            <input
              type="checkbox"
              checked={item.checked ?? false}
              readOnly
              disabled
              aria-label={item.text.slice(0, 80)}
            />
          )}
          <Blocks tokens={item.tokens} settled={settled || index < token.items.length - 1} />
        </li>
      ))}
    </As>
  )
}

function Code({ token, settled }: { token: Tokens.Code; settled: boolean }) {
  const language =
    (token.lang ?? '')
      .trim()
      .split(/[\s,{:]/)[0]
      ?.toLowerCase() ?? ''
  const closed = settled || (token.codeBlockStyle !== 'indented' && /\n {0,3}(`{3,}|~{3,})[ \t]*\n*$/.test(token.raw))
  if (language === 'mermaid') return <Diagram source={token.text} closed={closed} />
  if (language === 'math' || language === 'latex-math')
    return <Formula text={token.text} display closed={closed} source={token.text} />
  return <CodeBlock code={token.text} language={language} closed={closed} />
}
