import { expect, test } from 'vitest'
import { argumentsOf } from './json.ts'

test('arguments of a call that are nested or filled beyond measure are as good as garbled', () => {
  expect(argumentsOf('{"city":"Oslo"}')).toEqual({ city: 'Oslo' })
  expect(argumentsOf('')).toEqual({})
  for (const text of [
    `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    `{"a":[${'{},'.repeat(30_000)}{}]}`,
    '{"city":',
    '[1]',
  ])
    expect(argumentsOf(text)).toEqual({})
})
