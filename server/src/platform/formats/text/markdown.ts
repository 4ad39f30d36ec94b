/** Markdown (CommonMark and GitHub's extensions): the text stays as it is typed, headings become sections. */
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toString } from 'mdast-util-to-string'
import { gfm } from 'micromark-extension-gfm'
import type { Extract } from '../types.ts'
import { oneLine } from './clean.ts'
import { decodeText } from './decode.ts'
import { type Heading, sectionsOf } from './outline.ts'

export const readMarkdown = (bytes: Uint8Array): Extract => markdownExtract(decodeText(bytes))

const markdownExtract = (text: string): Extract => {
  const lines = text.split('\n')
  const front = frontMatter(lines)
  const headings = headingsOf(lines, front.lines)
  const title = front.title ?? headings.find((heading) => heading.depth === 1)?.title ?? null
  return { text, segments: sectionsOf(headings, text.length), title: title === null ? null : oneLine(title) }
}

/** How many lines of YAML stand before the text, and the title among them. */
const frontMatter = (lines: readonly string[]): { readonly lines: number; readonly title: string | null } => {
  const none = { lines: 0, title: null }
  if (lines[0]?.trimEnd() !== '---') return none
  const end = lines.slice(0, 500).findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
  if (end < 0) return none
  const named = lines.slice(1, end).find((line) => /^title\s*:/i.test(line))
  const title = named?.replace(/^title\s*:\s*/i, '').replace(/^(["'])(.*)\1\s*$/, '$2')
  return { lines: end + 1, title: title?.trim() || null }
}

/**
 * Only which blocks there are is asked of the parser, so it sees lines without their ends and no inline syntax: that is
 * linear for whatever a file holds. The few lines that are headings are then read in full.
 */
const headingsOf = (lines: readonly string[], skipped: number): Heading[] => {
  const shown = lines.map((line, index) => (index < skipped ? '' : tamed(line)))
  const tree = fromMarkdown(shown.join('\n'), { extensions: [blocksOnly] })
  const starts = lineStarts(lines)
  const headings: Heading[] = []
  for (const node of tree.children) {
    if (node.type !== 'heading' || !node.position) continue
    const { start, end } = node.position
    const source = lines.slice(start.line - 1, Math.min(end.line, start.line + 3)).join('\n')
    headings.push({ depth: node.depth, title: titleOf(source), start: starts[start.line - 1] ?? 0 })
  }
  return headings
}

const tamed = (line: string): string => {
  if (/^[\s>*+-]{60}/.test(line)) return 'x'
  return line.length <= 300 ? line : `${line.slice(0, 300)}${line.includes('-->', 300) ? '-->' : ''}`
}

const blocksOnly = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterEscape',
      'characterReference',
      'codeText',
      'definition',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
}

const titleOf = (source: string): string =>
  oneLine(toString(fromMarkdown(source.slice(0, 500), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })))

const lineStarts = (lines: readonly string[]): number[] => {
  let at = 0
  return lines.map((line) => {
    const start = at
    at += line.length + 1
    return start
  })
}
