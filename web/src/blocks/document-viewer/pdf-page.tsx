import { useEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { findPassage, findPhrases, type ItemRange, type PageText, pageTextOf } from './passage.ts'
import type { OpenPdf, PDFDocumentProxy, RenderTask } from './pdf-engine.ts'
import './pdf.css'
import { useText } from 'virtual:words/document-viewer'

export interface PageMarks {
  /** The words of the passage on this page. */
  readonly passage: string | null
  /** The words of its key sentences on this page. */
  readonly keys: readonly string[]
  /** What is looked for in the document. */
  readonly phrase: string
  /** Which of its places on this page is the current one. */
  readonly current: number | null
  /** Of the passage or the hit to bring into sight; a new one scrolls again. */
  readonly wanted: object | null
}

interface Drawn {
  readonly text: PageText
  readonly elements: readonly HTMLElement[]
}

/** One page: its picture, its words over it for selecting, and the marks. */
export function PdfPage({
  layWords,
  pdf,
  number,
  scale,
  width,
  height,
  marks,
  onSize,
  onMissing,
}: {
  layWords: OpenPdf['layWords']
  pdf: PDFDocumentProxy
  number: number
  scale: number
  width: number
  height: number
  marks: PageMarks
  onSize: (number: number, width: number, height: number) => void
  /** The passage should stand on this page, and was not found in what is drawn. */
  onMissing: () => void
}) {
  const t = useText('document-viewer')
  const canvas = useRef<HTMLCanvasElement>(null)
  const words = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const [broken, setBroken] = useState(false)
  const sized = useRef(onSize)
  sized.current = onSize
  useEffect(() => {
    let gone = false
    let task: RenderTask | null = null
    let layer: ReturnType<OpenPdf['layWords']> | null = null
    async function draw() {
      const page = await pdf.getPage(number)
      if (gone || !canvas.current || !words.current) return
      const viewport = page.getViewport({ scale })
      const plain = page.getViewport({ scale: 1 })
      sized.current(number, plain.width, plain.height)
      // Sharp on dense screens, and never larger than browsers can draw.
      const dense = Math.min(devicePixelRatio || 1, Math.sqrt(16_000_000 / (viewport.width * viewport.height)))
      const paper = document.createElement('canvas')
      paper.width = Math.max(1, Math.floor(viewport.width * dense))
      paper.height = Math.max(1, Math.floor(viewport.height * dense))
      task = page.render({ canvas: paper, viewport, transform: [dense, 0, 0, dense, 0, 0] })
      // Cancelled while the words are awaited: told below, where it is awaited too.
      task.promise.catch(() => undefined)
      const container = words.current
      const content = await page.getTextContent()
      if (gone) return
      container.replaceChildren()
      layer = layWords({ textContentSource: content, container, viewport })
      await layer.render()
      if (!gone) setDrawn({ text: pageTextOf(layer.textContentItemsStr), elements: layer.textDivs })
      await task.promise
      if (gone || !canvas.current) return
      // Shown when whole, so that a page never flickers while it is drawn anew.
      canvas.current.width = paper.width
      canvas.current.height = paper.height
      canvas.current.getContext('2d')?.drawImage(paper, 0, 0)
    }
    draw().catch(() => {
      if (!gone) setBroken(true)
    })
    return () => {
      gone = true
      task?.cancel()
      layer?.cancel()
    }
  }, [layWords, pdf, number, scale])

  const boxes = useBoxes(words, drawn, marks, scale, onMissing)
  return (
    <div
      role="group"
      aria-label={t('page.name', { page: number })}
      className="pdf-page relative mx-auto bg-white shadow-low"
      style={{ width, height, '--total-scale-factor': scale } as React.CSSProperties}
    >
      <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full" />
      <div aria-hidden className="pointer-events-none absolute inset-0 mix-blend-multiply">
        {boxes.map((box, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: boxes of one page have only their place.
            key={index}
            data-mark={box.kind}
            className={classNames('absolute rounded-[2px]', boxClasses[box.kind])}
            style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
          />
        ))}
      </div>
      <div ref={words} className="pdf-words" dir="ltr" />
      {broken && <p className="absolute inset-x-0 top-1/3 px-6 text-center text-[#555]">{t('page.broken')}</p>}
    </div>
  )
}

type Kind = 'passage' | 'key' | 'hit' | 'current'
interface Box {
  kind: Kind
  left: number
  top: number
  width: number
  height: number
}

function useBoxes(
  words: React.RefObject<HTMLDivElement | null>,
  drawn: Drawn | null,
  { passage, keys, phrase, current, wanted }: PageMarks,
  scale: number,
  onMissing: () => void,
): Box[] {
  const [boxes, setBoxes] = useState<Box[]>([])
  const seen = useRef<object | null>(null)
  const missing = useRef(onMissing)
  missing.current = onMissing
  useEffect(() => {
    const frame = words.current
    if (!drawn || !frame) return
    const at = frame.getBoundingClientRect()
    const next: Box[] = []
    const add = (kind: Kind, ranges: readonly ItemRange[]) => {
      for (const rect of rectsOf(drawn, ranges))
        next.push({ kind, left: rect.left - at.left, top: rect.top - at.top, width: rect.width, height: rect.height })
    }
    if (passage) {
      add('passage', findPassage(drawn.text, passage))
      if (next.length === 0) missing.current()
    }
    for (const key of keys) add('key', findPassage(drawn.text, key))
    if (phrase.trim().length > 1) {
      const places = findPhrases(drawn.text, phrase)
      const here = current === null ? null : Math.min(current, places.length - 1)
      for (const [index, ranges] of places.entries()) add(index === here ? 'current' : 'hit', ranges)
    }
    setBoxes(next)
    if (!wanted || wanted === seen.current) return
    seen.current = wanted
    const kinds: readonly Kind[] = current === null ? ['key', 'passage'] : ['current']
    const first = kinds.map((kind) => next.find((box) => box.kind === kind)).find(Boolean)
    const scroller = frame.closest('[data-pages]')
    if (!first || !scroller) return
    const inside = scroller.getBoundingClientRect()
    scroller.scrollBy({ top: at.top + first.top - inside.top - inside.height / 3 })
  }, [words, drawn, passage, keys, phrase, current, wanted, scale])
  return boxes
}

function rectsOf(drawn: Drawn, ranges: readonly ItemRange[]): DOMRect[] {
  return ranges.flatMap(({ item, from, to }) => {
    const node = drawn.elements[item]?.firstChild
    if (!(node instanceof Text)) return []
    const range = document.createRange()
    range.setStart(node, Math.min(from, node.length))
    range.setEnd(node, Math.min(to, node.length))
    return [...range.getClientRects()]
  })
}

// On white paper in every theme.
const boxClasses = {
  passage: 'bg-[#fff2b8]',
  key: 'bg-[#ffd84d]',
  hit: 'bg-[#ffd0a0]',
  current: 'bg-[#ff9d3c]',
}
