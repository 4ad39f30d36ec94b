import { readFileSync } from 'node:fs'
import { languageCodes } from '@atrium/contract/languages'
import { describe, expect, test } from 'vitest'
import { writeMail } from './mail-texts.ts'

interface Words {
  readonly mails: Readonly<Record<string, { subject: string; lines: readonly string[] }>>
}
const wordsOf = (code: string): Words =>
  JSON.parse(readFileSync(new URL(`./locales/${code}.json`, import.meta.url), 'utf8')) as Words
const valuesIn = ({ lines }: { lines: readonly string[] }): string[] =>
  [...new Set(lines.flatMap((line) => line.match(/\{\w+\}/g) ?? []))].sort()

describe.each(languageCodes)('mails in %s', (code) => {
  test('hold the same values as in English', () => {
    const english = wordsOf('en').mails
    for (const [kind, words] of Object.entries(wordsOf(code).mails))
      expect([kind, valuesIn(words)]).toEqual([kind, valuesIn(english[kind] ?? { lines: [] })])
  })

  test.each([1, 2, 3, 11, 30])('say for %i days how long an invitation lasts', (days) => {
    const { text } = writeMail({ kind: 'invite', link: 'https://x.example', by: 'Ann', days }, code)
    expect(text).not.toMatch(/[{}]/)
  })
})

test('the workspace has its own name, also in the subject', () => {
  const mail = { kind: 'invite', link: 'https://x.example', by: 'Ann', days: 3 } as const
  expect(writeMail(mail, 'en', { workspace: 'Harbour\n{by} House' })).toMatchObject({
    subject: 'You’re invited to Harbour {by} House',
    text: expect.stringContaining('Ann invited you to Harbour {by} House.'),
  })
})

test('what somebody wrote is one line, and no name of a value', () => {
  const { text } = writeMail(
    {
      kind: 'support-access',
      username: 'ann',
      administrator: 'Ben\n{reason}',
      reason: 'look\r\n\r\nat {username}',
      expiresAt: '2026-11-23T10:00:00Z',
    },
    'en',
  )
  expect(text).toContain('Ben {reason} started support access')
  expect(text).toContain('“look at {username}”')
  expect(text.split('\n\n')).toHaveLength(3)
})

test('times are those of the reader where the zone is known, and say which they are', () => {
  const mail = { kind: 'removal-set', username: 'ann', at: '2026-11-23T23:30:00Z' } as const
  expect(writeMail(mail, 'en').text).toContain('November 23, 2026 at 23:30 UTC')
  expect(writeMail(mail, 'en', { timeZone: 'Asia/Tokyo' }).text).toContain('November 24, 2026 at 08:30 (Asia/Tokyo)')
})
