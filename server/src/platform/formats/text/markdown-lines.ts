/** Which lines of Markdown are headings (CommonMark 4.2, 4.3), line by line; what is quoted, listed, fenced or HTML is not. */

export interface HeadingLines {
  readonly depth: number
  /** Where it begins in the text. */
  readonly start: number
  /** The lines it is made of; of very long ones the first. */
  readonly from: number
  readonly to: number
}

export const headingLines = (lines: readonly string[], skipped: number): HeadingLines[] => {
  const found: HeadingLines[] = []
  /** What ends the block that no heading can stand in; null outside of one. */
  let closing: RegExp | null = null
  let paragraph: { line: number; start: number } | null = null
  /** In a list or a quote, whose last line the next ones may go on with. */
  let lazy = false
  let at = 0
  for (const [index, line] of lines.entries()) {
    const start = at
    at += line.length + 1
    if (index < skipped) continue
    if (closing) {
      if (closing.test(line)) closing = null
      continue
    }
    if (blank.test(line)) {
      paragraph = null
      lazy = false
      continue
    }
    const atx = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line)
    const underline = paragraph && /^ {0,3}(?:(=)=*|--*)[ \t]*$/.exec(line)
    if (atx) found.push({ depth: atx[1]?.length ?? 1, start, from: index, to: index + 1 })
    else if (paragraph && underline) {
      const { line: from, start: first } = paragraph
      found.push({ depth: underline[1] ? 1 : 2, start: first, from, to: Math.min(index + 1, from + 4) })
    }
    if (atx || underline) {
      paragraph = null
      lazy = false
      continue
    }
    closing = closingOf(line)
    if (closing || container.test(line)) {
      paragraph = null
      lazy = closing === null
      if (closing && closing !== blank && closing.test(line.slice(line.search(/\S/) + 2))) closing = null
    } else if (!paragraph && !lazy && !/^(?: {4}| {0,3}\t)/.test(line)) paragraph = { line: index, start }
  }
  return found
}

const blank = /^[ \t]*$/
const container = /^ {0,3}(?:>|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))/

/** Of a fence or a block of HTML that begins on this line. */
const closingOf = (line: string): RegExp | null => {
  const fence = /^ {0,3}(`{3,60}|~{3,60})(?:([^`]*)|.*)$/.exec(line)
  const marks = fence?.[1]
  if (marks && (marks.startsWith('~') || fence[2] !== undefined))
    return new RegExp(`^ {0,3}${marks[0]}{${marks.length},}[ \\t]*$`)
  const html = /^ {0,3}<(?:(!--)|(script|pre|style|textarea)\b|(\?)|(![A-Za-z])|\/?[A-Za-z][\w-]*[\s/>])/i.exec(line)
  if (!html) return null
  if (html[1]) return /-->/
  if (html[2]) return /<\/(?:script|pre|style|textarea)>/i
  if (html[3]) return /\?>/
  return html[4] ? />/ : blank
}
