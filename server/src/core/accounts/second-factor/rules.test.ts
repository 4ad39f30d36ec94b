import { expect, test } from 'vitest'
import { oneTimeCode } from '../../../testing/one-time-code.ts'
import {
  enrolmentFor,
  sessionKindAfter,
  newRecoveryCodes,
  newSecret,
  parseCode,
  requiredSecondStep,
  totpStep,
} from './rules.ts'

test('the codes are those of RFC 6238, appendix B, for SHA-1 and six digits', () => {
  // '12345678901234567890' as Base32.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    expect(totpStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
  }
})

test('a code is taken one step before and after its own, and not two', () => {
  const secret = newSecret()
  const now = 1_700_000_010_000
  const step = Math.floor(now / 30_000)
  for (const [shift, found] of [
    [-60_000, null],
    [-30_000, step - 1],
    [0, step],
    [30_000, step + 1],
    [60_000, null],
  ] as const) {
    expect(totpStep(secret, oneTimeCode(secret, now + shift), now)).toBe(found)
  }
})

test('a secret has 160 bits, and its address says what every app needs', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const { otpauthUrl } = enrolmentFor(secret, 'ann@example.org')
  const url = new URL(otpauthUrl)
  expect(url.protocol).toBe('otpauth:')
  expect(decodeURIComponent(url.pathname)).toContain('Atrium:ann@example.org')
  expect(url.searchParams.get('secret')).toBe(secret)
  expect(url.searchParams.get('issuer')).toBe('Atrium')
})

test('recovery codes are ten, different, and without signs that look like others', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/)
})

test.each([
  ['123456', { totp: '123456' }],
  [' 123 456 ', { totp: '123456' }],
  ['１２３４５６', { totp: '123456' }],
  ['12345', null],
  ['abcde-fghjk', { recovery: 'ABCDEFGHJK' }],
  ['AB CDE FGHJK', { recovery: 'ABCDEFGHJK' }],
  ['2345678923', { recovery: '2345678923' }],
  ['ABCDE-FGHI0', null],
  ['', null],
  ['x'.repeat(64), null],
])('%j is read as %j', (typed, read) => {
  expect(parseCode(typed)).toEqual(read)
})

const nothing = { kind: 'password', isActive: false, isRequired: false, hasPasskey: false, wasReset: false } as const
test.each([
  ['nothing where nothing is set up or required', {}, null],
  ['a code where codes are on', { isActive: true }, 'verify'],
  ['a code where codes are on and required', { isActive: true, isRequired: true, hasPasskey: true }, 'verify'],
  ['to set codes up where a factor is required and there is none', { isRequired: true }, 'enroll'],
  [
    'the passkey where a factor is required and that is the only one',
    { isRequired: true, hasPasskey: true },
    'passkey',
  ],
  ['to set codes up after a reset', { isRequired: true, hasPasskey: true, wasReset: true }, 'enroll'],
  ['nothing after a passkey', { kind: 'passkey', isActive: true, isRequired: true, hasPasskey: true }, null],
  ['a code after another provider', { kind: 'oidc', isActive: true }, 'verify'],
  ['to set codes up after a directory', { kind: 'ldap', isRequired: true }, 'enroll'],
] as const)('a first step wants %s', (_name, given, wanted) => {
  expect(requiredSecondStep({ ...nothing, ...given })).toBe(wanted)
})

test('the session of a password says which second factor was shown, other roads keep their name', () => {
  expect(sessionKindAfter('password', 'totp')).toBe('password+totp')
  expect(sessionKindAfter('password', 'recovery')).toBe('password+recovery')
  expect(sessionKindAfter('oauth:github', 'totp')).toBe('oauth:github')
  expect(sessionKindAfter('ldap', 'recovery')).toBe('ldap')
})
