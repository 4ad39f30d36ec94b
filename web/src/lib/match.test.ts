import { expect, test } from 'vitest'
import { matches } from './match.ts'

test('words of a query are found in any order, without accents or case', () => {
  expect(matches('them dark', 'Theme: dark')).toBe(true)
  expect(matches('dark theme', 'Theme: dark')).toBe(true)
  expect(matches('resume', 'Résumé')).toBe(true)
  expect(matches('zen', 'Focus mode', 'zen full')).toBe(true)
  expect(matches('light', 'Theme: dark', undefined)).toBe(false)
  expect(matches('', 'anything')).toBe(true)
})
