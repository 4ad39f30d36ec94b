import { expect, test } from 'vitest'
import { claimAt, claimsOf } from './claim.ts'

test('a mark before the full stop belongs to its own sentence', () => {
  expect(claimAt('Kites fly. A single one reached 4879 metres', '. It was in 2014.')).toBe(
    'A single one reached 4879 metres',
  )
})

test('a mark after the full stop belongs to the sentence before it', () => {
  expect(claimAt('Kites fly. One reached 4879 metres. ', ' It was in 2014.')).toBe('One reached 4879 metres.')
})

test('a mark at the beginning belongs to what follows', () => {
  expect(claimAt('', ' Kites fly high. They fall.')).toBe('Kites fly high.')
})

test('all sentences that cite a source are its claims, without marks and signs of Markdown', () => {
  const answer = 'One reached **4879 metres** [1].\n\n- A tail keeps it steady [2, 1].\n- Wind helps [12].'
  expect(claimsOf(answer, 1)).toBe('One reached  4879 metres - A tail keeps it steady')
  expect(claimsOf(answer, 12)).toContain('Wind helps')
  expect(claimsOf(answer, 3)).toBe('')
  expect(claimsOf(answer, undefined)).toBe('')
})
