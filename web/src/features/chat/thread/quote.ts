/** Words of a message as a quotation in the next one. Pure. */

/** Text as a Markdown quotation, without empty lines at its ends. */
export const asQuote = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*\n|\s+$/g, '')
    .split('\n')
    .map((line) => (line.trim() === '' ? '>' : `> ${line}`))
    .join('\n')
    .replace(/^(>\n){2,}/gm, '>\n')

/**
 * The same with a question below it, from `start` (in UTF-16 units) on. One that stands at the end already, untouched,
 * moves behind the new quotation: so several are asked about at once.
 */
export const withQuestion = (typed: string, text: string, question: string): { content: string; start: number } => {
  const before = typed.trimEnd() === question ? '' : typed.trimEnd()
  const quoted = withQuote(before.endsWith(`\n\n${question}`) ? before.slice(0, -question.length) : before, text)
  return { content: `${quoted}${question}`, start: quoted.length }
}

/** What is typed with a quotation after it, ready to be written below. */
export const withQuote = (typed: string, text: string): string =>
  `${typed.trim() === '' ? '' : `${typed.trimEnd()}\n\n`}${asQuote(text)}\n\n`
