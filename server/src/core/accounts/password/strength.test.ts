import { describe, expect, test } from 'vitest'
import { passwordWeakness, requireStrong } from './strength.ts'

const words = ['ann.example-long', 'ann@firm.example', 'ann', 'Atrium']

describe('passwords', () => {
  test.each([
    'correct horse battery',
    'twelve chars',
    '            x',
    '🙂🙃🙂🙃🙂🙃🙂🙃🙂🙃🙂🙃',
    'пароль-пароль',
    `${'ab'.repeat(100)}`,
    // A word, and more digits than anybody would try.
    'dragon83726153920',
    // Names and common words among others.
    'ann likes atriums',
    'password of the north sea',
  ])('%j will do', (password) => expect(passwordWeakness(password, words)).toBeNull())

  test.each([
    ['short-11-ch', 'at least 12'],
    ['', 'at least 12'],
    // Eleven characters, though twice as many units in memory.
    ['🙂🙃🙂🙃🙂🙃🙂🙃🙂🙃🙂', 'at least 12'],
    ['a'.repeat(201), 'at most'],
  ])('%j will not', (password, sentence) =>
    expect(passwordWeakness(password, words)).toMatchObject({
      code: 'weak_password',
      detail: expect.stringContaining(sentence),
    }),
  )

  test.each([
    // The first, the hundredth, the thousandth and the three-thousandth commonest of twelve characters and more.
    ...['123qweasdzxc', '1234567890qw', 'severodvinsk', 'fyutkbyf2005'],
    ...['password1234', 'Password 1234!', 'P@ssw0rd2024!', 'iloveyou12345678', 'passwordpassword', 'aaaaaaaaaaaa'],
    ...['Atrium-2026!!', 'atriumatrium1', 'atriumpassword', 'Ａtrium Ａtrium'],
    ...['Ann.Example-Long', 'ＡＮＮ.example-long', 'ann@firm.example', 'annexample2024', 'Ann1234567890'],
  ])('%j is too common', (password) => expect(passwordWeakness(password, words)).toEqual({ code: 'common_password' }))

  test('the place where the instance is reached, and both parts of an address, are words that stand near at hand', () => {
    const of = { names: ['ann', 'a.lovelace@firm.example'], baseUrl: new URL('https://chat.babbage.example:8443') }
    for (const password of ['babbage2026!', 'lovelace2026', 'chatchatchat1'])
      expect(() => requireStrong(password, of)).toThrow('too easy to guess')
    expect(() => requireStrong('lovelace at babbage', of)).not.toThrow()
  })
})
