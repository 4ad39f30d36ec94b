import { expect, test } from 'vitest'
import { showDirectionSigns } from './direction.ts'

test('signs that turn the direction are seen, in their places, and everything else stays', () => {
  expect(showDirectionSigns('if (isAdmin\u202e) { \u2066// سلام\u2069 }')).toBe(
    'if (isAdmin\ufffd) { \ufffd// سلام\ufffd }',
  )
})
