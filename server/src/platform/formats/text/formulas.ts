/**
 * Formulas of a Markdown text, found as the page finds them: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` on their own.
 * They are taken out before the text is parsed, as most of their signs mean something else in Markdown, and put back as MathML.
 */
import katex from 'katex'
import type { fromMarkdown } from 'mdast-util-from-markdown'
import { escapeHtml } from './html-text.ts'

type Root = ReturnType<typeof fromMarkdown>
type Nodes = Root | Root['children'][number]

/** In characters, of one formula; longer ones stay as they are written. */
const longestFormula = 5000
/** Of one that defines macros. */
const longestDefinition = 200
/** Of its MathML. */
const longestDrawing = 200_000
/** Of one text; the rest stays as it is written. */
const mostFormulas = 1000

/** What a formula leaves in the text: signs that Unicode keeps free for such uses, around its number. */
const placeholder = /\uFDD0(\d+)\uFDD1/g

interface Formula {
  readonly source: string
  readonly tex: string
  readonly display: boolean
}

export interface FormulaText {
  /** The text with a placeholder for each formula. */
  readonly text: string
  /** What stands in a text of the parsed document, as HTML: words escaped, formulas drawn. */
  toHtml(words: string): string
  /** The same as it was written, for code, addresses and labels. */
  toSource(words: string): string
}

/** What drawing may still take, of all texts that share it; formulas after that stay as they are written. */
export interface DrawingTime {
  leftMs: number
}

export const drawingTime = (): DrawingTime => ({ leftMs: 8000 })

/** Takes the formulas out of a text that was parsed as `root`, so that those within code stay there. */
export const takeFormulas = (text: string, root: Root, time: DrawingTime = drawingTime()): FormulaText => {
  const formulas: Formula[] = []
  let kept = ''
  let from = 0
  // A text that holds the signs of placeholders already keeps its formulas as they are written.
  if (!/[\uFDD0\uFDD1]/.test(text))
    for (const { at, source, tex, display } of formulasIn(text, root)) {
      kept += `${text.slice(from, at)}\uFDD0${formulas.length}\uFDD1`
      formulas.push({ source, tex, display })
      from = at + source.length
    }
  return {
    text: kept + text.slice(from),
    toHtml(words) {
      let html = ''
      let end = 0
      for (const found of words.matchAll(placeholder)) {
        const formula = formulas[Number(found[1])]
        html += escapeHtml(words.slice(end, found.index)) + (formula ? draw(formula, time) : found[0])
        end = found.index + found[0].length
      }
      return html + escapeHtml(words.slice(end))
    },
    toSource: (words) =>
      words.replace(placeholder, (whole, number: string) => formulas[Number(number)]?.source ?? whole),
  }
}

/** A formula as MathML, in which nothing links, loads or runs; as it was written where it cannot be drawn. */
const draw = ({ source, tex, display }: Formula, time: DrawingTime): string => {
  const begun = performance.now()
  try {
    if (time.leftMs <= 0) return asWritten(source)
    // Each use of a macro that it defines could be as long again.
    if (source.length > longestDefinition && /\\[a-z]*(?:def|command|let)(?![a-z@])/i.test(tex))
      return asWritten(source)
    const math = katex.renderToString(tex, {
      output: 'mathml',
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxSize: 20,
      maxExpand: 500,
      strict: 'ignore',
    })
    if (math.length <= longestDrawing) return math
  } catch {
    // Whatever is wrong with it, its source can still be read.
  } finally {
    time.leftMs -= performance.now() - begun
  }
  return asWritten(source)
}

const asWritten = (source: string): string => `<code dir="ltr">${escapeHtml(source)}</code>`

interface Found extends Formula {
  readonly at: number
}

interface Places {
  /** Where code stands, in reading order. */
  readonly codes: (readonly [start: number, end: number])[]
  /** Where words stand: no formula reaches from one of these into another. */
  readonly leaves: { readonly start: number; readonly end: number; readonly quotes: number }[]
}

function* formulasIn(text: string, root: Root): Generator<Found> {
  const places: Places = { codes: [], leaves: [] }
  collect(root, places, 0)
  const sign = /\\[^]|\$/g
  const isClosed = closes(text)
  let [code, leaf, count] = [0, 0, 0]
  for (let found = sign.exec(text); found && count < mostFormulas; found = sign.exec(text)) {
    const at = found.index
    while ((places.codes[code]?.[1] ?? Infinity) <= at) code += 1
    const [codeStart = Infinity, codeEnd = 0] = places.codes[code] ?? []
    if (codeStart <= at) {
      sign.lastIndex = codeEnd
      continue
    }
    if (!/^(?:\$|\\[([])$/.test(found[0]) || !isClosed(found[0], at)) continue
    while ((places.leaves[leaf]?.end ?? Infinity) <= at) leaf += 1
    const formula = blockAt(text, at) ?? inlineAt(text, at, places.leaves[leaf])
    if (!formula) continue
    sign.lastIndex = at + formula.source.length
    count += 1
    yield formula
  }
}

/** Whether what opens at a place may close in time; `at` only grows. Otherwise each sign would be looked for to the end. */
const closes = (text: string): ((open: string, at: number) => boolean) => {
  const next = new Map<string, number>()
  return (open, at) => {
    const close = open === '$' ? '$' : open === '\\(' ? '\\)' : '\\]'
    let place = next.get(close) ?? -1
    if (place <= at) {
      const found = text.indexOf(close, at + open.length)
      place = found < 0 ? Infinity : found
      next.set(close, place)
    }
    return place - at < longestFormula
  }
}

const collect = (node: Nodes, places: Places, quotes: number): void => {
  const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]
  if (node.type === 'code' || node.type === 'inlineCode' || node.type === 'html') places.codes.push([start, end])
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
    places.leaves.push({ start, end, quotes })
  if ('children' in node)
    for (const child of node.children) collect(child, places, node.type === 'blockquote' ? quotes + 1 : quotes)
}

/** A formula that begins a line and ends one may hold empty lines. */
const blockAt = (text: string, at: number): Found | null => {
  if (!/(?:^|\n) {0,3}$/.test(at > 4 ? text.slice(at - 4, at) : `\n${text.slice(0, at)}`)) return null
  const whole = /^(?:\$\$([^]+?)\$\$|\\\[([^]+?)\\\])(?=[ \t]*(?:\n|$))/.exec(text.slice(at, at + longestFormula))
  return whole && found(at, whole[0], whole[1] ?? whole[2] ?? '', true)
}

const inlineAt = (text: string, at: number, leaf: Places['leaves'][number] | undefined): Found | null => {
  if (!leaf || leaf.start > at) return null
  const rest = text.slice(at, Math.min(leaf.end, at + longestFormula))
  const display = /^(?:\$\$((?:\\.|[^\\$])+?)\$\$|\\\[([^]+?)\\\])/.exec(rest)
  // As in Pandoc: no space inside the dollars, and no digit after the last one, so that prices stay prices.
  const inline = /^(?:\$(?![\s$])((?:\\.|[^\\$\n])*?(?:\\.|[^\\$\s]))\$(?!\d)|\\\(([^]+?)\\\))/.exec(rest)
  const whole = display ?? inline
  if (!whole) return null
  const tex = whole[1] ?? whole[2] ?? ''
  // Its lines begin with the marks of the quote that it stands in.
  const plain = leaf.quotes === 0 ? tex : tex.replace(new RegExp(`\\n(?:[ \\t]*>){1,${leaf.quotes}}`, 'g'), '\n')
  return found(at, whole[0], plain, display !== null)
}

const found = (at: number, source: string, tex: string, display: boolean): Found => ({
  at,
  source,
  tex: tex.trim(),
  display,
})
