/** What an expression may name: exact where the result is a fraction, and else to some 15 digits. */
import {
  sizeOf,
  CalculationFault,
  compareFractions,
  divideFractions,
  exactRoot,
  roundDown,
  type Fraction,
  makeFraction,
  fromNumber,
  greatestDivisor,
  multiplyFractions,
  negateFraction,
  roundTo,
  smallWhole,
  subtractFractions,
  toNumber,
} from './number.ts'

type Call = (given: readonly Fraction[]) => Fraction

const mostFactorial = 1000
const mostPower = 20_000
const mostPlaces = 1000

export const constants: ReadonlyMap<string, Fraction> = new Map([
  ['pi', fromNumber(Math.PI)],
  ['e', fromNumber(Math.E)],
])

export const raiseTo = (base: Fraction, exponent: Fraction): Fraction => {
  if (exponent.bottom !== 1n || exponent.approximate) {
    if (exponent.top === 1n && exponent.bottom === 2n) return squareRoot(base)
    return fromNumber(Math.pow(toNumber(base), toNumber(exponent)))
  }
  const times = smallWhole(exponent, mostPower, 'A power')
  const digits = Math.max(sizeOf(base.top).toString(16).length, base.bottom.toString(16).length)
  if (digits > 1 && digits * Math.abs(times) > mostPower) throw new CalculationFault('A number in it grows too large.')
  const size = BigInt(Math.abs(times))
  const raised = makeFraction(base.top ** size, base.bottom ** size, base.approximate)
  return times < 0 ? divideFractions(makeFraction(1n), raised) : raised
}

export const factorialOf = (value: Fraction): Fraction => {
  const last = smallWhole(value, mostFactorial, 'A factorial')
  if (last < 0) throw new CalculationFault('A negative number has no factorial.')
  let product = 1n
  for (let factor = 2n; factor <= BigInt(last); factor += 1n) product *= factor
  return makeFraction(product)
}

const squareRoot = (value: Fraction): Fraction => exactRoot(value) ?? fromNumber(Math.sqrt(toNumber(value)))

const of =
  (count: number, work: (...values: Fraction[]) => Fraction): Call =>
  (given) => {
    if (given.length !== count) throw new CalculationFault(`It gives a function ${given.length} numbers, not ${count}.`)
    return work(...given)
  }
const zero = makeFraction(0n)
const one = (work: (value: Fraction) => Fraction): Call => of(1, (value = zero) => work(value))
const near = (work: (value: number) => number): Call => one((value) => fromNumber(work(toNumber(value))))
const whole = (work: (a: bigint, b: bigint) => bigint): Call =>
  of(2, (a = zero, b = zero) => {
    if (a.bottom !== 1n || b.bottom !== 1n) throw new CalculationFault('This function takes whole numbers.')
    return makeFraction(work(sizeOf(a.top), sizeOf(b.top)))
  })
const best =
  (sign: 1 | -1): Call =>
  (given) =>
    given.reduce((taken, value) => (compareFractions(value, taken) * sign > 0 ? value : taken))
const minus = (value: Fraction): Fraction => negateFraction(roundDown(negateFraction(value)))

export const functions: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['abs', one((value) => (value.top < 0n ? negateFraction(value) : value))],
  ['min', best(-1)],
  ['max', best(1)],
  ['sum', (given) => given.reduce((total, value) => subtractFractions(total, negateFraction(value)), zero)],
  ['floor', one(roundDown)],
  ['ceil', one(minus)],
  [
    'round',
    (given) => {
      const [value = zero, places = zero, ...more] = given
      if (more.length > 0) throw new CalculationFault('round takes a number and how many places it is to have.')
      return roundTo(value, smallWhole(places, mostPlaces, 'The number of places'))
    },
  ],
  ['sqrt', one(squareRoot)],
  ['gcd', whole(greatestDivisor)],
  ['lcm', whole((a, b) => (a === 0n || b === 0n ? 0n : (a * b) / greatestDivisor(a, b)))],
  ['factorial', one(factorialOf)],
  ['pow', of(2, (base = zero, exponent = zero) => raiseTo(base, exponent))],
  ['percent', of(2, (part = zero, all = zero) => divideFractions(multiplyFractions(part, all), makeFraction(100n)))],
  ['exp', near(Math.exp)],
  ['ln', near(Math.log)],
  ['log', near(Math.log10)],
  ['log2', near(Math.log2)],
  ['sin', near(Math.sin)],
  ['cos', near(Math.cos)],
  ['tan', near(Math.tan)],
  ['asin', near(Math.asin)],
  ['acos', near(Math.acos)],
  ['atan', near(Math.atan)],
])
