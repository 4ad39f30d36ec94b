/** Text as every reader gives it: NFC, line ends `\n`, no control characters but tab and line end, no half characters. */
export const cleanText = (raw: string): string => {
  let text = raw.isWellFormed() ? raw : raw.toWellFormed()
  if (oddLineEnds.test(text)) text = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
  if (text.includes('\u001b') || text.includes('\u009b')) text = text.replace(terminalColours, '')
  if (controls.test(text)) text = text.replace(allControls, '')
  // Invisible letters that repeat ASCII: nobody types them, and what they hide is meant for a model.
  if (text.includes('\uDB40')) text = text.replace(/[\u{E0000}-\u{E007F}]/gu, '')
  return text.normalize('NFC')
}

/** One line for people: no line ends, no runs of white space, cut after `limit` characters with an ellipsis. */
export const oneLine = (text: string, limit = 200): string => {
  const line = text
    .slice(0, limit * 8)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= limit
    ? line
    : `${line
        .slice(0, limit - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}

const oddLineEnds = /[\r\v\f\u0085\u2028\u2029]/
const terminalColours = /(?:[\p{Cc}--[\t\n]]\[|\u009b)[0-9;?]{0,40}[A-Za-z]/gv
const controls = /[[\p{Cc}\ufeff]--[\t\n]]/v
const allControls = new RegExp(controls, 'gv')
