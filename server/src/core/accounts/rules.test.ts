import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSessionShaped, passwordWeakness, plainName } from './rules.ts'

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

describe('passwords', () => {
  test.each([
    'correct horse battery',
    'twelve chars',
    '            x',
    '🙂🙃🙂🙃🙂🙃🙂🙃🙂🙃🙂🙃',
    'пароль-пароль',
    `${'ab'.repeat(100)}`,
  ])('%j will do', (password) => expect(passwordWeakness(password, ['ann', null])).toBeNull())

  test.each([
    ['short-11-ch', 'at least 12'],
    ['', 'at least 12'],
    // Eleven characters, though twice as many units in memory.
    ['🙂🙃🙂🙃🙂🙃🙂🙃🙂🙃🙂', 'at least 12'],
    ['a'.repeat(201), 'at most'],
    ['Ann.Example-Long', 'name of the account'],
    ['ＡＮＮ.example-long', 'name of the account'],
    ['ann@example.org', 'name of the account'],
  ])('%j will not', (password, words) =>
    expect(passwordWeakness(password, ['ann.example-long', 'ann@example.org', undefined])).toContain(words),
  )
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
