/**
 * Reads an expression and works it out as it goes: numbers, `+ - * / % ^ !`, brackets, `pi`, `e` and some functions. It
 * is a grammar of its own, and runs nothing.
 *
 *     sum     = product (("+" | "-") product)*
 *     product = signed (("*" | "/" | "%") signed)*
 *     signed  = ("+" | "-") signed | power
 *     power   = postfix (("^" | "**") signed)?
 *     postfix = atom "!"*
 *     atom    = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
 */
import { constants, functions, factorialOf, raiseTo } from './functions.ts'
import {
  addFractions,
  CalculationFault,
  divideFractions,
  type Fraction,
  multiplyFractions,
  negateFraction,
  parseDecimal,
  takeRemainder,
  subtractFractions,
} from './number.ts'

const mostLetters = 2000
const mostDepth = 100
const token = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|(\*\*|[-+*/%^!(),]))/y

interface Token {
  readonly kind: 'number' | 'name' | 'sign'
  readonly text: string
}

/** Throws CalculationFault. */
export const calculateExpression = (expression: string): Fraction => {
  if (expression.length > mostLetters) throw new CalculationFault(`It is longer than ${mostLetters} characters.`)
  const tokens = tokensOf(expression.replace(/[×·]/gu, '*').replace(/÷/gu, '/').replace(/[−–]/gu, '-').trim())
  let at = 0
  let depth = 0
  const isNext = (...signs: string[]): boolean => {
    const next = tokens[at]
    return next?.kind === 'sign' && signs.includes(next.text)
  }
  const take = (): Token => {
    const next = tokens[at]
    if (!next) throw new CalculationFault('It ends too early.')
    at += 1
    return next
  }
  const expect = (sign: string): void => {
    const { text } = take()
    if (text !== sign) throw new CalculationFault(`A ${sign} is missing before ${text}.`)
  }

  const sum = (): Fraction => {
    depth += 1
    if (depth > mostDepth) throw new CalculationFault('Its brackets are too deep.')
    let value = product()
    while (isNext('+', '-'))
      value = take().text === '+' ? addFractions(value, product()) : subtractFractions(value, product())
    depth -= 1
    return value
  }
  const product = (): Fraction => {
    let value = signed()
    while (isNext('*', '/', '%')) value = operations[take().text as keyof typeof operations](value, signed())
    return value
  }
  const signed = (): Fraction => {
    depth += 1
    if (depth > mostDepth) throw new CalculationFault('It has too many signs in a row.')
    const value = isNext('+', '-') ? (take().text === '-' ? negateFraction(signed()) : signed()) : powered()
    depth -= 1
    return value
  }
  const powered = (): Fraction => {
    const base = postfix()
    if (!isNext('^', '**')) return base
    take()
    return raiseTo(base, signed())
  }
  const postfix = (): Fraction => {
    let value = atom()
    while (isNext('!')) {
      take()
      value = factorialOf(value)
    }
    return value
  }
  const atom = (): Fraction => {
    const { kind, text } = take()
    if (kind === 'number') return parseDecimal(text)
    if (kind === 'name') return isNext('(') ? called(text) : constant(text)
    if (text !== '(') throw new CalculationFault(`A number is missing before ${text}.`)
    const value = sum()
    expect(')')
    return value
  }
  const called = (name: string): Fraction => {
    const run = functions.get(name.toLowerCase())
    if (!run)
      throw new CalculationFault(`There is no function ${name}. There are: ${[...functions.keys()].join(', ')}.`)
    expect('(')
    const given = [sum()]
    while (isNext(',')) {
      take()
      given.push(sum())
    }
    expect(')')
    return run(given)
  }

  const value = sum()
  const left = tokens[at]
  if (left) throw new CalculationFault(`An operator is missing before ${left.text}.`)
  return value
}

const operations = { '*': multiplyFractions, '/': divideFractions, '%': takeRemainder } as const

const constant = (name: string): Fraction => {
  const value = constants.get(name.toLowerCase())
  if (!value) throw new CalculationFault(`There is nothing called ${name}; there are pi and e.`)
  return value
}

const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const start = token.lastIndex
    const [, number, name, sign] = token.exec(text) ?? []
    const found = number ?? name ?? sign
    if (found === undefined)
      throw new CalculationFault(`It can’t be read from ${JSON.stringify(text.slice(start, start + 10))} on.`)
    tokens.push({ kind: number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign', text: found })
  }
  if (tokens.length === 0) throw new CalculationFault('There is nothing to calculate.')
  return tokens
}
