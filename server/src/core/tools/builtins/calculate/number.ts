/** Exact numbers: fractions of whole numbers of any size, up to a bound. */

export interface Fraction {
  readonly top: bigint
  /** Greater than 0, and without a divisor in common with `top`. */
  readonly bottom: bigint
  /** It came out of a root or the like, and is exact to some 15 digits only. */
  readonly approximate: boolean
}

/** What is wrong with an expression, in words for whoever wrote it. */
export class CalculationFault extends Error {}

const mostBits = 20_000
const one = 1n

export const makeFraction = (top: bigint, bottom = one, approximate = false): Fraction => {
  if (bottom === 0n) throw new CalculationFault('It divides by zero.')
  const divisor = greatestDivisor(sizeOf(top), sizeOf(bottom))
  const sign = bottom < 0n ? -one : one
  const made = { top: (sign * top) / divisor, bottom: (sign * bottom) / divisor, approximate }
  if (bitsOf(made.top) > mostBits || bitsOf(made.bottom) > mostBits)
    throw new CalculationFault('A number in it grows too large.')
  return made
}

export const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value)
const bitsOf = (value: bigint): number => sizeOf(value).toString(16).length * 4

export const greatestDivisor = (a: bigint, b: bigint): bigint => {
  let [left, right] = [a, b]
  while (right !== 0n) [left, right] = [right, left % right]
  return left === 0n ? one : left
}

const both = (a: Fraction, b: Fraction): boolean => a.approximate || b.approximate
export const addFractions = (a: Fraction, b: Fraction): Fraction =>
  makeFraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom, both(a, b))
export const negateFraction = (a: Fraction): Fraction => ({ top: -a.top, bottom: a.bottom, approximate: a.approximate })
export const subtractFractions = (a: Fraction, b: Fraction): Fraction => addFractions(a, negateFraction(b))
export const multiplyFractions = (a: Fraction, b: Fraction): Fraction =>
  makeFraction(a.top * b.top, a.bottom * b.bottom, both(a, b))
export const divideFractions = (a: Fraction, b: Fraction): Fraction =>
  makeFraction(a.top * b.bottom, a.bottom * b.top, both(a, b))
export const compareFractions = (a: Fraction, b: Fraction): number => Number(sign(a.top * b.bottom - b.top * a.bottom))
const sign = (value: bigint): bigint => (value > 0n ? one : value < 0n ? -one : 0n)

/** The greatest whole number that is not greater. */
export const roundDown = (a: Fraction): Fraction => {
  const whole = a.top / a.bottom
  return makeFraction(a.top < 0n && whole * a.bottom !== a.top ? whole - one : whole, one, a.approximate)
}

/** What is left of a division whose quotient is rounded down, so that it has the sign of the divisor. */
export const takeRemainder = (a: Fraction, b: Fraction): Fraction =>
  subtractFractions(a, multiplyFractions(b, roundDown(divideFractions(a, b))))

/** To so many places behind the point; halves away from zero. */
export const roundTo = (a: Fraction, places: number): Fraction => {
  const scale = places >= 0 ? makeFraction(10n ** BigInt(places)) : makeFraction(one, 10n ** BigInt(-places))
  const half = makeFraction(one, 2n)
  const size = roundDown(addFractions(multiplyFractions(a.top < 0n ? negateFraction(a) : a, scale), half))
  return divideFractions(a.top < 0n ? negateFraction(size) : size, scale)
}

/** The number of a smaller whole one; throws where it is none, or beyond `most`. */
export const smallWhole = (a: Fraction, most: number, what: string): number => {
  if (a.bottom !== one || sizeOf(a.top) > BigInt(most))
    throw new CalculationFault(`${what} must be a whole number of at most ${most}.`)
  return Number(a.top)
}

export const toNumber = ({ top, bottom }: Fraction): number => {
  const shift = BigInt(Math.max(0, bitsOf(bottom) - 1000, bitsOf(top) - 1000))
  if (shift === 0n) return Number(top) / Number(bottom)
  return bottom >> shift === 0n ? Number(top / bottom) : Number(top >> shift) / Number(bottom >> shift)
}

/** A number of the machine, as exact as it is. */
export const fromNumber = (value: number): Fraction => {
  if (!Number.isFinite(value)) throw new CalculationFault('It has no finite result.')
  return { ...parseDecimal(value.toPrecision(15)), approximate: true }
}

/** `12`, `1.5`, `.5`, `6.02e23`. */
export const parseDecimal = (text: string): Fraction => {
  const [, sign_ = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text) ?? []
  const raiseTo = Number(exponent) - part.length
  if (Math.abs(raiseTo) > 5000) throw new CalculationFault('A number in it is too large.')
  const digits = BigInt(`${whole}${part}` || '0') * (sign_ === '-' ? -one : one)
  return raiseTo >= 0 ? makeFraction(digits * 10n ** BigInt(raiseTo)) : makeFraction(digits, 10n ** BigInt(-raiseTo))
}

/** The root where it is a fraction itself; null where it is none. */
export const exactRoot = ({ top, bottom, approximate }: Fraction): Fraction | null => {
  if (top < 0n) throw new CalculationFault('A negative number has no square root here.')
  const [over, under] = [wholeRoot(top), wholeRoot(bottom)]
  return over === null || under === null ? null : makeFraction(over, under, approximate)
}

const wholeRoot = (value: bigint): bigint | null => {
  if (value < 2n) return value
  let guess = one << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (guess + value / guess) >> one
    if (next >= guess) return guess * guess === value ? guess : null
    guess = next
  }
}
