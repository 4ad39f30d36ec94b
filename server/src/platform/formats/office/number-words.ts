/** Numbers of paragraphs in letters, Roman digits and the like (ECMA-376, part 1, 17.18.59). */

/** A number as text, by the name that Word has for the format; plain digits where that is not known. */
export const inFormat = (value: number, format: string): string => {
  if (format === 'none') return ''
  if (format === 'decimalZero') return String(value).padStart(2, '0')
  if (format === 'ordinal') return `${value}${ordinalEnd(value)}`
  if (format === 'lowerLetter') return letters(value)
  if (format === 'upperLetter') return letters(value).toUpperCase()
  if (format === 'lowerRoman') return roman(value)
  return format === 'upperRoman' ? roman(value).toUpperCase() : String(value)
}

const ordinalEnd = (value: number): string =>
  Math.floor(value / 10) % 10 === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')

/** a … z, aa … zz, aaa …: the letter repeats, and does not count on as columns of sheets do. */
const letters = (value: number): string =>
  value < 1 || value > 780 ? String(value) : String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26))

const roman = (value: number): string => {
  if (value < 1 || value > 3_999) return String(value)
  let left = value
  return romanDigits
    .map(([digit, worth]) => {
      const times = Math.floor(left / worth)
      left -= times * worth
      return digit.repeat(times)
    })
    .join('')
}
const romanDigits = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const
