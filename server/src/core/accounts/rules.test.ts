import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSessionShaped, plainName } from './rules.ts'

describe('names', () => {
  test.each([
    ['Ann', 'ann'],
    [' ann ', 'ann'],
    ['ＡＮＮ', 'ann'],
    ['ﬁona', 'fiona'],
    ['Zoe\u0308', 'zoë'],
    ['ΑΘΗΝΑ', 'αθηνα'],
  ])('%j and %j are one name', (a, b) => expect(plainName(a)).toBe(plainName(b)))

  test('the plain form of a plain form is itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(plainName(plainName(name))).toBe(plainName(name))
      }),
    )
  })
})

test('only tokens look like tokens', () => {
  expect(isSessionShaped(`ats_${'a'.repeat(43)}`)).toBe(true)
  for (const text of [
    '',
    'ats_',
    `atr_${'a'.repeat(43)}`,
    `ats_${'a'.repeat(42)}`,
    `ats_${'a'.repeat(44)}`,
    `ats_${'a'.repeat(42)}!`,
    `ats_${'a'.repeat(43)}\n`,
  ]) {
    expect(isSessionShaped(text)).toBe(false)
  }
})
