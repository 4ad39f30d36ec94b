import { expect, test } from 'vitest'
import { matchesQuery } from './match.ts'

test('words of a query are found in any order, without accents or case', () => {
  expect(matchesQuery('them dark', 'Theme: dark')).toBe(true)
  expect(matchesQuery('dark theme', 'Theme: dark')).toBe(true)
  expect(matchesQuery('resume', 'Résumé')).toBe(true)
  expect(matchesQuery('zen', 'Focus mode', 'zen full')).toBe(true)
  expect(matchesQuery('light', 'Theme: dark', undefined)).toBe(false)
  expect(matchesQuery('', 'anything')).toBe(true)
})
