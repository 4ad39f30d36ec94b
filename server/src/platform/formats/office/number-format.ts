/** Numbers and dates as a workbook shows them (ECMA-376, part 1, 18.8.30), through numfmt. */
import { format, getFormatFromId } from 'numfmt'
import { childOf, childrenOf, type Element } from '../xml.ts'

/** Gives the function that shows a stored number in the format of a cell style. */
export const cellFormatter = (
  styles: Element | undefined,
  from1904: boolean,
): ((value: string, style: number) => string) => {
  const own = new Map(
    childrenOf(childOf(styles, 'numFmts'), 'numFmt').map(({ attributes }) => [
      attributes['numFmtId'] ?? '',
      attributes['formatCode'] ?? '',
    ]),
  )
  const patterns = childrenOf(childOf(styles, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = attributes['numFmtId'] ?? '0'
    const pattern = own.get(id) ?? getFormatFromId(Number(id))
    return pattern && pattern.length <= mostPattern ? pattern : 'General'
  })
  const dated = patterns.map(isDated)
  return (value, style) => {
    const number = Number(value)
    const pattern = patterns[style] ?? 'General'
    if (value.trim() === '' || !Number.isFinite(number)) return value
    // In full, where a narrow cell shows `1.23457E+14`: nobody looks for that.
    if (pattern === 'General' && Number.isInteger(number) && Math.abs(number) < 1e21) return String(number)
    // The other calendar begins on 1 January 1904, which is day 1462 of the usual one.
    const shown = from1904 && dated[style] ? number + 1462 : number
    const text = format(pattern, shown, { throws: false, nbsp: false, locale: 'en-US' }).trim()
    // A column too narrow or a date before time: the number itself says more.
    return /^#+$/.test(text) ? value : text
  }
}

/** Excel takes no longer one. */
const mostPattern = 255

/** Whether a pattern shows a day or an hour; what stands in quotes, brackets or behind a backslash does not count. */
const isDated = (pattern: string): boolean =>
  pattern !== 'General' && /[ymdhs]/i.test(pattern.replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|General/gi, ''))
