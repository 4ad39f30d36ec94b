import { memo, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../../ui/button.tsx'
import { Boundary } from '../boundary.tsx'
import { BlockContent, FirstDepth } from './block.tsx'
import { type DrawCitation, CiteContext } from './citations.tsx'
import type { Tokens } from './lexer.ts'
import { Plain } from './plain.tsx'
import { type MarkdownBlock, type SplitText, splitBlocks } from './split.ts'
import { useText } from 'virtual:words/markdown'
import { type RenderingCost, measureCost } from './rendering-cost.ts'

interface MarkdownProps {
  text: string
  streaming?: boolean
  /** Draws the marks of sources; the same function as long as the sources are the same. */
  cite?: DrawCitation | null
  className?: string
}

/** Markdown on screen, or plain text where drawing it would hold the page; the reader may have it drawn anyway. */
export function Markdown(props: MarkdownProps) {
  const { text, streaming = false } = props
  const t = useText('markdown')
  const [formatted, setFormatted] = useState(false)
  const before = useRef<{ text: string; weight: RenderingCost } | null>(null)
  const known = before.current
  const weight = measureCost(text, known && text.startsWith(known.text) ? known.weight : null)
  before.current = { text, weight }
  if (!weight.heavy) return <Drawn {...props} />
  return (
    <div className={classNames('markdown', props.className)}>
      {!streaming && (
        <div className="mb-2 flex flex-wrap items-center gap-2 text-sm text-muted">
          <span>{t(formatted ? 'heavy.shown' : 'heavy.plain')}</span>
          <Button size="small" onClick={() => setFormatted(!formatted)}>
            {t(formatted ? 'heavy.asText' : 'heavy.format')}
          </Button>
        </div>
      )}
      {formatted && !streaming ? <Drawn {...props} className={undefined} /> : <Plain text={text} />}
    </div>
  )
}

/** While `streaming`, only the last block is parsed and drawn again. */
function Drawn({ text, streaming = false, cite = null, className }: MarkdownProps) {
  const before = useRef<SplitText | null>(null)
  const now = splitBlocks(text, before.current, streaming)
  before.current = now
  const first = now.blocks.find((block) => block.token.type === 'heading')?.token as Tokens.Heading | undefined
  return (
    <FirstDepth value={first?.depth ?? 1}>
      <CiteContext value={cite}>
        <div className={classNames('markdown', className)}>
          {now.blocks.map((block, index) => (
            // Blocks only ever grow at the end, so their place is their identity.
            <BlockRow key={index} block={block} />
          ))}
        </div>
      </CiteContext>
    </FirstDepth>
  )
}

const BlockRow = memo(function BlockRow({ block }: { block: MarkdownBlock }) {
  const source = (
    <pre dir="auto" className="text-sm whitespace-pre-wrap">
      {block.raw.trim()}
    </pre>
  )
  // A single paragraph of this length is no prose, and its marks are not worth the time.
  if (block.raw.length > 200_000 && block.token.type !== 'code') return source
  return (
    <Boundary about={block.raw} fallback={source}>
      <BlockContent token={block.token} settled={block.settled} />
    </Boundary>
  )
})
