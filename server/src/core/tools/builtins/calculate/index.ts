/** The tool that calculates, exactly and within bounds. It takes an expression apart itself and runs nothing. */
import { z } from 'zod'
import { defineTool, type Tool } from '../../../../platform/areas/tool.ts'
import { sizeOf, CalculationFault, type Fraction } from './number.ts'
import { calculateExpression } from './parse.ts'

const mostPlaces = 50
const shownPlaces = 30

export const calculateTool: Tool = defineTool({
  name: 'calculate',
  description:
    'Calculates exactly, with whole numbers and fractions of any size. Use it for every calculation beyond the simplest. ' +
    'It knows + - * / ^ % (remainder) ! brackets, pi, e, and abs, min, max, sum, floor, ceil, round(x, places), sqrt, gcd, ' +
    'lcm, pow, percent(part, of), exp, ln, log, log2, sin, cos, tan, asin, acos, atan (radians).',
  sideEffect: false,
  readsPrivateData: false,
  readsForeignText: false,
  sendsData: false,
  arguments: z.strictObject({
    expression: z.string().min(1).max(2000).describe('Such as (1200 * 1.19) / 12 or 2^100 % 97'),
  }),
  async run({ expression }) {
    try {
      return { text: `${expression.trim()} ${writeFraction(calculateExpression(expression))}` }
    } catch (error) {
      if (!(error instanceof CalculationFault)) throw error
      return { text: `This can’t be calculated. ${error.message}`, isError: true }
    }
  },
})

/** `= 0.25`, `= 1/3 ≈ 0.333…`, `≈ 1.41421356237310`. */
const writeFraction = (value: Fraction): string => {
  const { top, bottom, approximate } = value
  if (approximate) return `≈ ${decimalOf(value, shownPlaces).text}`
  const { text, ends } = decimalOf(value, mostPlaces)
  if (ends) return `= ${text}`
  return `= ${top}/${bottom} ≈ ${decimalOf(value, shownPlaces).text}`
}

/** Digits behind the point are cut, not rounded. */
const decimalOf = ({ top, bottom }: Fraction, places: number): { text: string; ends: boolean } => {
  const size = sizeOf(top)
  let rest = size % bottom
  let digits = ''
  while (rest !== 0n && digits.length < places) {
    rest *= 10n
    digits += rest / bottom
    rest %= bottom
  }
  const sign = top < 0n ? '-' : ''
  return { text: `${sign}${size / bottom}${digits === '' ? '' : `.${digits}`}`, ends: rest === 0n }
}
