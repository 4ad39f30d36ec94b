import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOwnOrigin, isSessionShaped, plainName } from './rules.ts'

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

describe('a place where the first account is made', () => {
  const baseUrl = new URL('https://chat.example.org')
  test.each([
    ...['http://127.0.0.1:3001', 'http://192.168.1.5:3000', 'http://[fd00::1]:3001', 'http://localhost:3001'],
    ...[
      'http://nas:3000',
      'http://nas.local:3000',
      'http://NAS.home.arpa',
      'http://nas.fritz.box',
      'http://atrium.internal.',
    ],
    'https://chat.example.org',
  ])('%s is nobody else’s', (origin) => expect(isOwnOrigin(origin, baseUrl)).toBe(true))
  test.each([
    ...[
      'http://evil.example:3001',
      'http://127.0.0.1.evil.example',
      'http://chat.example.org:3001',
      'http://mylocal.org',
    ],
    ...['http://localhost.evil.example', 'http://local.evil.org', 'http://', 'http://xfritz.box'],
  ])('%s may be a stranger’s', (origin) => expect(isOwnOrigin(origin, baseUrl)).toBe(false))
})
