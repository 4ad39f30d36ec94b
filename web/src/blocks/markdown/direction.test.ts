import { expect, test } from 'vitest'
import { directionOf } from './direction.ts'

test.each([
  [['Space', 'Property'], 'ltr'],
  [['الفضاء', 'Property'], 'rtl'],
  [['**١٢** (', '— ', 'חלל'], 'rtl'],
  [['12', '  ', 'é'], 'ltr'],
  [['𞤀'], 'rtl'],
  [['1', '2 / 3'], undefined],
  [[], undefined],
] as const)('the first letter of %j says the direction', (texts, direction) => {
  expect(directionOf(texts)).toBe(direction)
})
