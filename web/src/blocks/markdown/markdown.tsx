import { memo, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { Boundary } from '../boundary.tsx'
import { BlockContent, FirstDepth } from './block.tsx'
import { type Cite, CiteContext } from './citations.tsx'
import type { Tokens } from './lexer.ts'
import './markdown.css'
import { type Block, type Split, split } from './split.ts'

/** Markdown on screen. While `streaming`, only the last block is parsed and drawn again. */
export function Markdown({
  text,
  streaming = false,
  cite = null,
  className,
}: {
  text: string
  streaming?: boolean
  /** Draws the marks of sources; the same function as long as the sources are the same. */
  cite?: Cite | null
  className?: string
}) {
  const before = useRef<Split | null>(null)
  const now = split(text, before.current, streaming)
  before.current = now
  const first = now.blocks.find((block) => block.token.type === 'heading')?.token as Tokens.Heading | undefined
  return (
    <FirstDepth value={first?.depth ?? 1}>
      <CiteContext value={cite}>
        <div className={cx('markdown', className)}>
          {now.blocks.map((block, index) => (
            // Blocks only ever grow at the end, so their place is their identity.
            <BlockRow key={index} block={block} />
          ))}
        </div>
      </CiteContext>
    </FirstDepth>
  )
}

const BlockRow = memo(function BlockRow({ block }: { block: Block }) {
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
