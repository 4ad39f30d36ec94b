/** Letters about what is wrong, by a mail server that speaks SMTP. */
import { afterEach, expect, test } from 'vitest'
import { type Open, withDatabase } from '../../testing/databases.ts'
import { openMailHarness } from '../../testing/mail-harness.ts'
import { createOutageMail } from './mail.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const begin = async (open: Open) => {
  const harness = await openMailHarness(open, { smtp: {} })
  stops.push(harness.close)
  let isAway = false
  const answer =
    <T>(value: T) =>
    async (): Promise<T> => {
      if (isAway) throw new Error('The database is away.')
      return value
    }
  const languages: Readonly<Record<string, string>> = { ann: 'system', ben: 'ar' }
  const prepare = createOutageMail({
    accounts: {
      administratorIds: answer(['ann', 'ben', 'without-address']),
      user: async (id) => ({ email: id in languages ? `${id}@example.org` : null }) as never,
    },
    mail: { ...harness.mail, address: answer(null), available: answer(true), send: answer(undefined) },
    settings: { preferencesOf: async (id) => ({ language: languages[id] ?? 'system' }) as never },
  })
  return { harness, prepare, leave: () => (isAway = true) }
}

withDatabase('a letter that the database is away', (open) => {
  test('reaches every administrator in their language, with nothing but the mail server', async () => {
    const { harness, prepare, leave } = await begin(open)
    await harness.switchMailOn()
    const tell = await prepare()
    leave()
    await tell({ host: 'nas', since: Date.UTC(2026, 0, 2, 3, 4, 5) })
    const [letter] = await harness.smtp.waitFor('ann@example.org')
    expect(letter?.mail.subject).toBe('Atrium can’t reach its database')
    expect(letter?.mail.text).toContain('The process on nas hasn’t reached its database since 2026-01-02T03:04:05')
    const [other] = await harness.smtp.waitFor('ben@example.org')
    expect(other?.mail.text).toContain('nas')
    expect(other?.mail.text).not.toContain('The process')
    expect(harness.smtp.mails).toHaveLength(2)
  })

  test('is none where no mail is set up, and one that is refused keeps no other back', async () => {
    const { harness, prepare } = await begin(open)
    await (await prepare())({ host: 'nas', since: 0 })
    expect(harness.smtp.mails).toHaveLength(0)
    await harness.switchMailOn()
    harness.smtp.refuse(1, '550 5.1.1 Nobody here')
    await expect((await prepare())({ host: 'nas', since: 0 })).rejects.toThrow()
    expect(harness.smtp.mails).toHaveLength(1)
  })
})
