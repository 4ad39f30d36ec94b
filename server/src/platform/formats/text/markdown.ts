/** Markdown (CommonMark and GitHub's extensions): the text stays as it is typed, headings become sections. */
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toString } from 'mdast-util-to-string'
import { gfm } from 'micromark-extension-gfm'
import type { Extract } from '../types.ts'
import { oneLine } from './clean.ts'
import { decodeText } from './decode.ts'
import { headingLines } from './markdown-lines.ts'
import { fewEnough, type Heading, sectionsOf } from './outline.ts'

export const readMarkdown = (bytes: Uint8Array): Extract => markdownExtract(decodeText(bytes))

const markdownExtract = (text: string): Extract => {
  const lines = text.split('\n')
  const front = frontMatter(lines)
  const headings = headingsOf(lines, front.lines)
  const title = front.title ?? headings.find(({ depth, title }) => depth === 1 && title !== '')?.title ?? null
  return { text, segments: sectionsOf(headings, text.length), title: oneLine(title ?? '') || null }
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
 * Headings of the text itself. Whole files of 10 MB take a parser half a minute and gigabytes; which lines are headings
 * can be told line by line, and the parser then reads those few alone.
 */
const headingsOf = (lines: readonly string[], skipped: number): Heading[] => {
  const found = fewEnough(headingLines(lines, skipped))
  return found.map(({ depth, start, from, to }) => ({ depth, start, title: titleOf(lines.slice(from, to).join('\n')) }))
}

const titleOf = (source: string): string =>
  oneLine(toString(fromMarkdown(source.slice(0, 500), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })))
