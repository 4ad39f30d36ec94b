import { expect, test } from 'vitest'
import { calculateTool } from './index.ts'

const calculate = async (expression: string) => {
  const context = { signal: new AbortController().signal } as Parameters<typeof calculateTool.run>[1]
  const { text, isError = false } = await calculateTool.run({ expression }, context)
  return isError ? `fault: ${text}` : text.slice(expression.trim().length + 1)
}

test.each([
  ['0.1 + 0.2', '= 0.3'],
  ['2^100 % 97', '= 16'],
  ['(1200 * 1.19) / 12', '= 119'],
  ['1/3', '= 1/3 ≈ 0.333333333333333333333333333333'],
  ['-2^2', '= -4'],
  ['2^-3', '= 0.125'],
  ['2 ** 3 ** 2', '= 512'],
  ['-7 % 3', '= 2'],
  ['20!', '= 2432902008176640000'],
  ['sqrt(16/25)', '= 0.8'],
  ['sqrt(2)', '≈ 1.4142135623731'],
  ['9^0.5', '= 3'],
  ['round(2.675, 2) + max(1, 5, 3) - min(4, 2)', '= 5.68'],
  ['percent(19, 1200)', '= 228'],
  ['sum(1, 2, 3) × 2', '= 12'],
  ['gcd(12, 18) + lcm(4, 6)', '= 18'],
  ['6.02e23 * 2', '= 1204000000000000000000000'],
  ['floor(-1.5) + ceil(-1.5)', '= -3'],
])('%s', async (expression, wanted) => {
  expect(await calculate(expression)).toBe(wanted)
})

test.each([
  ['1 / 0', 'divides by zero'],
  ['1 +', 'ends too early'],
  ['2 3', 'operator is missing'],
  ['process.exit()', 'can’t be read'],
  ['constructor(1)', 'no function constructor'],
  ['9^9^9^9', 'must be a whole number'],
  ['(9^9999)^9999', 'too large'],
  ['1000000!', 'at most 1000'],
  [`${'('.repeat(500)}1`, 'too deep'],
  [`${'-'.repeat(500)}1`, 'too many signs'],
  ['sqrt(-1)', 'no square root'],
  ['1e9999', 'too large'],
])('%s is refused in words', async (expression, words) => {
  const text = await calculate(expression)
  expect(text).toMatch(/^fault: /)
  expect(text).toContain(words)
})
