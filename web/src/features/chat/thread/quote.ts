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

/** What is typed with a quotation after it, ready to be written below. */
export const withQuote = (typed: string, text: string): string =>
  `${typed.trim() === '' ? '' : `${typed.trimEnd()}\n\n`}${asQuote(text)}\n\n`
