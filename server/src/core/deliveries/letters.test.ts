/** Letters of notifications: what they say, to whom, and when there is none. With a mail server that speaks SMTP. */
import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { NotificationPreferences } from '@atrium/contract/notifications'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { createLog } from '../../platform/log/log.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { type JobTables, jobMigrations } from '../../platform/jobs/tables.ts'
import { JobFailure } from '../../platform/jobs/types.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { testAccountMigrations } from '../../testing/accounts.ts'
import { testClock } from '../../testing/clock.ts'
import { withDatabase, type Open } from '../../testing/databases.ts'
import { createTestNotifications } from '../../testing/notifications.ts'
import { savedSettings } from '../../testing/settings.ts'
import { startSmtpServer } from '../../testing/smtp.ts'
import { createMail, MailFailure, mailMigrations, mailSettings } from '../mail/index.ts'
import { notificationMigrations } from '../notifications/index.ts'
import { settingsMigrations } from '../settings/index.ts'
import { createDigests, digestJob } from './digest.ts'
import { createOutcomes, deliveryMigrations } from './index.ts'
import { createLetters, type LettersDeps, letterJob } from './letters.ts'
import { createDeliveryStore } from './store.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const openLetters = async (open: Open, appUrl = 'https://atrium.example.org') => {
  const smtp = await startSmtpServer()
  stops.push(smtp.close)
  const clock = testClock()
  const lines: string[] = []
  const log = createLog({ level: 'warn', write: (line) => void lines.push(line) })
  const database = await open([
    ...[...testAccountMigrations, ...eventMigrations, ...jobMigrations, ...settingsMigrations],
    ...[...mailMigrations, ...notificationMigrations, ...deliveryMigrations],
  ])
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const inbox = createTestNotifications({ clock, database, vault })
  const people = { ben: { email: 'ben@example.org' as string | null, emailVerified: true, status: 'active' } }
  const ben = people.ben
  const user: LettersDeps['user'] = async (accountId) => (accountId === 'ben' ? ben : null)
  const saved = savedSettings(
    { database, vault, clock },
    {
      SMTP_HOST: 'localhost',
      SMTP_PORT: String(smtp.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM: 'Atrium <atrium@example.org>',
      BASE_URL: appUrl,
    },
  )
  stops.push(async () => saved.close())
  const queued: { payload: unknown; key: string | undefined; delayMs: number | undefined }[] = []
  const parts = { database, vault, clock, log, processId: 'one' }
  const events = createEventLog(parts)
  const queue = createJobs({ ...parts, events, concurrency: 1 })
  stops.push(queue.stop, events.stop)
  /** Nobody works on them by themselves. */
  const jobs: LettersDeps['jobs'] = {
    async enqueue(kind, payload, options) {
      queued.push({ payload, key: options.key, delayMs: options.delayMs })
      return await queue.enqueue(kind, payload, options)
    },
  }
  /** They are sent at once, and kept by nothing. */
  const none = { enqueue: () => Promise.reject(new Error('no job')) }
  const settings = saved.bind(mailSettings).mail
  const workspaceName = async () => 'Atrium'
  const mail = createMail({ metrics: null, database, vault, clock, log, jobs: none, settings, workspaceName, user })
  /** What a test lays over the preferences. */
  const chosen: { -readonly [K in keyof NotificationPreferences]?: NotificationPreferences[K] } = {}
  const preferencesOf = async (accountId: string): Promise<NotificationPreferences> => {
    const stored = await inbox.preferencesOf(accountId)
    const kinds = { ...stored.kinds, share: { ...stored.kinds.share, mail: 'now' as const } }
    return { ...stored, kinds, ...chosen }
  }
  const spoken: { language: 'ar' | 'en' } = { language: 'en' }
  const notifications = { ...inbox, preferencesOf }
  const languageOf = async () => spoken.language
  const note = createOutcomes({ clock, database })
  const letterDeps = { clock, log, vault, mail, notifications, jobs, note, user, languageOf }
  const letters = createLetters(letterDeps)
  const digests = createDigests({ ...letterDeps, waiting: createDeliveryStore(database).waitingForDigest })
  const share = async (name: string): Promise<string> => {
    const facts = { resourceType: 'chat' as const, resourceId: 'c1', name, by: 'ann' }
    await inbox.publish({ accountId: 'ben', kind: 'share', sourceKey: `grant:${name}`, facts })
    const [[notification] = []] = await Array.fromAsync(inbox.listAll('ben'))
    return notification?.id ?? ''
  }
  const send = async (notificationId: string, attempt = 1) => {
    const context = { jobId: 'j', accountId: null, attempt, signal: AbortSignal.timeout(60_000) }
    const rest = { progress: () => undefined, guard: async () => undefined }
    const payload = { deliveryId: 'd1', accountId: 'ben', notificationId }
    await letters.jobs[letterJob].prepare(payload)?.({ ...context, ...rest })
  }
  const sendDigest = async (payload: unknown) => {
    const context = { jobId: 'j', accountId: null, attempt: 1, signal: AbortSignal.timeout(60_000) }
    await digests.jobs[digestJob].prepare(payload as never)?.({
      ...context,
      progress: () => undefined,
      guard: async () => undefined,
    })
  }
  /** What became of a notification by mail. */
  const outcome = async (id: string) => {
    const [mailed] = await createDeliveryStore(database).outcomes('ben', id)
    return mailed && `${mailed.state} ${mailed.reason ?? ''}`.trim()
  }
  return {
    ben,
    chosen,
    clock,
    database,
    digests,
    inbox,
    letters,
    lines,
    notifications,
    outcome,
    queued,
    saved,
    send,
    sendDigest,
    share,
    smtp,
    spoken,
  }
}

withDatabase('letters of notifications', (open) => {
  test('say what kind of thing happened and where it is, and are stopped with one click', async () => {
    const { send, share, smtp } = await openLetters(open)
    const id = await share('Plans')
    await send(id)
    const [received] = await smtp.waitFor('ben@example.org')
    const text = received?.mail.text ?? ''
    expect(received?.mail.subject).toBe('Shared with you · Atrium')
    expect(text).toContain(`https://atrium.example.org/notifications/${id}`)
    expect(text).toMatch(/https:\/\/atrium\.example\.org\/unsubscribe#ben\.share\.[0-9a-f]{64}/)
    expect(`${text}${received?.mail.html}${received?.mail.subject}`).not.toMatch(/Plans|ann/)
    const header = (name: string) => received?.mail.headers.find(({ key }) => key === name)?.value
    expect(header('list-unsubscribe')).toMatch(
      /^<https:\/\/atrium\.example\.org\/api\/unsubscribe\/ben\.share\.[0-9a-f]{64}>$/,
    )
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(header('auto-submitted')).toBe('auto-generated')
    expect(received?.mail.messageId).toBe('<d1@example.org>')
  })

  test('hold names where their reader lets them, on one line, in their language', async () => {
    const { chosen, send, share, smtp, spoken } = await openLetters(open, 'http://10.0.0.7:3000')
    chosen.words = true
    spoken.language = 'ar'
    await send(await share('Plans\n\nhttps://evil.example'))
    const [received] = await smtp.waitFor('ben@example.org')
    expect(received?.mail.subject).toBe('مشاركة معك · Atrium')
    expect(received?.mail.text).toContain('شارك ann «Plans https://evil.example» معك.')
    expect(received?.mail.html).not.toContain('href="https://evil.example"')
    expect(received?.mail.html).toContain('dir="rtl"')
    // One click is for https alone.
    const names = received?.mail.headers.map(({ key }) => key)
    expect(names).toContain('list-unsubscribe')
    expect(names).not.toContain('list-unsubscribe-post')
  })

  test('are not sent for what was read, to an address that nobody confirmed, or where mail is off', async () => {
    const { ben, chosen, database, inbox, saved, send, share, smtp } = await openLetters(open)
    const id = await share('Plans')
    ben.emailVerified = false
    await send(id)
    Object.assign(ben, { emailVerified: true, email: null })
    await send(id)
    Object.assign(ben, { email: 'ben@example.org', status: 'disabled' })
    await send(id)
    ben.status = 'active'
    chosen.kinds = (await inbox.preferencesOf('ben')).kinds
    await send(id)
    delete chosen.kinds
    await saved.bind(mailSettings).mail.change(
      () => ({ enabled: false }),
      () => undefined,
    )
    await send(id)
    await saved.bind(mailSettings).mail.change(
      () => ({ enabled: null }),
      () => undefined,
    )
    const publisher = await inbox.publisher(['ben'])
    await database.write((trx) => publisher.settle(trx, { accountId: 'ben', sourceKeys: ['grant:Plans'] }))
    await send(id)
    await send('withdrawn')
    // Each is sent before its run ends, so that none is on its way.
    await send(await share('Last'))
    expect(smtp.mails).toHaveLength(1)
  })

  test('a digest tells once a day of what is still unread, at the hour of its reader, and stops with one click', async () => {
    const { chosen, clock, database, digests, inbox, notifications, outcome, queued, sendDigest, share, smtp } =
      await openLetters(open)
    const { kinds } = await inbox.preferencesOf('ben')
    chosen.kinds = { ...kinds, share: { ...kinds.share, mail: 'digest' } }
    Object.assign(chosen, { digestAt: '07:30', timeZone: 'Europe/Berlin', words: true })
    const deliver = async (name: string) => {
      const notificationId = await share(name)
      const delivery = { id: `d-${name}`, accountId: 'ben', notificationId, kind: 'share', at: clock.now() } as const
      const preferences = await notifications.preferencesOf('ben')
      await digests.deliver(delivery, preferences)
      expect(await outcome(notificationId)).toBe('waiting digest')
      return notificationId
    }
    const read = await deliver('Read')
    clock.advance(1000)
    const plans = await deliver('Plans')
    await deliver('Notes')
    const [job] = queued
    const dueAt = z.object({ dueAt: z.number() }).parse(job?.payload).dueAt
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' })
    expect(local.format(dueAt)).toBe('07:30')
    expect(new Set(queued.map(({ key }) => key)).size).toBe(1)

    // Before its hour it waits.
    await sendDigest(job?.payload)
    expect(smtp.mails).toHaveLength(0)
    const publisher = await inbox.publisher(['ben'])
    await database.write((trx) => publisher.settle(trx, { accountId: 'ben', sourceKeys: ['grant:Read'] }))
    clock.advance((job?.delayMs ?? 0) + 2000)
    await sendDigest(job?.payload)
    const [received] = await smtp.waitFor('ben@example.org')
    expect(received?.mail.subject).toBe('Unread notifications · Atrium')
    const text = received?.mail.text ?? ''
    expect(text).toMatch(/ann shared “Notes” with you\.[^]*ann shared “Plans” with you\./)
    expect(text).not.toContain('Read”')
    expect(text).toContain('https://atrium.example.org/notifications\n')
    expect(text).toMatch(/\/unsubscribe#ben\.digest\.[0-9a-f]{64}/)
    expect([await outcome(plans), await outcome(read)]).toEqual(['sent digest', 'not-sent read-before'])

    // What it told of is not told again, also where that is handed over once more; and nothing else is no letter.
    await sendDigest(job?.payload)
    await digests.deliver(
      { id: 'd-Plans', accountId: 'ben', notificationId: plans, kind: 'share', at: clock.now() },
      await notifications.preferencesOf('ben'),
    )
    await sendDigest(queued.at(-1)?.payload)
    expect(smtp.mails).toHaveLength(1)
    await deliver('Late')
    clock.advance(queued.at(-1)?.delayMs ?? 0)
    await sendDigest(queued.at(-1)?.payload)
    expect(smtp.mails).toHaveLength(2)
    expect(smtp.mails[1]?.mail.text).toMatch(/“Late”/)
    expect(smtp.mails[1]?.mail.text).not.toMatch(/“Plans”/)
    await deliver('Stopped')
    delete chosen.kinds
    await inbox.stopMail('ben', 'digest')
    chosen.kinds = { ...kinds, share: { ...kinds.share, mail: 'off' } }
    clock.advance(queued.at(-1)?.delayMs ?? 0)
    await sendDigest(queued.at(-1)?.payload)
    expect(smtp.mails).toHaveLength(2)
  })

  test('what comes while a digest is written is told with the next one', async () => {
    const { chosen, clock, database, digests, inbox, notifications, outcome, queued, sendDigest, share, smtp } =
      await openLetters(open)
    const { kinds } = await inbox.preferencesOf('ben')
    Object.assign(chosen, { kinds: { ...kinds, share: { ...kinds.share, mail: 'digest' } }, words: true })
    const deliver = async (name: string) => {
      const notificationId = await share(name)
      const delivery = { id: `d-${name}`, accountId: 'ben', notificationId, kind: 'share', at: clock.now() } as const
      await digests.deliver(delivery, await notifications.preferencesOf('ben'))
      return notificationId
    }
    await deliver('Plans')
    clock.advance((queued.at(-1)?.delayMs ?? 0) - 1)
    const [first] = queued
    await database.tables<JobTables>().updateTable('jobs').set({ state: 'running' }).execute()
    const late = await deliver('Late')
    expect(await outcome(late)).toBe('waiting digest')
    await database.tables<JobTables>().updateTable('jobs').set({ state: 'succeeded' }).execute()
    const last = queued.at(-1)
    expect(last?.key).not.toBe(first?.key)
    clock.advance(last?.delayMs ?? 0)
    await sendDigest(last?.payload)
    expect(smtp.mails.at(-1)?.mail.text).toMatch(/“Late”/)
    expect(await outcome(late)).toBe('sent digest')
  })

  test('a digest waits for the end of quiet hours that hold its time, and is none where they never end', async () => {
    const { chosen, clock, digests, inbox, lines, notifications, outcome, queued, send, sendDigest, share, smtp } =
      await openLetters(open)
    const { kinds } = await inbox.preferencesOf('ben')
    const quiet = (from: string, to: string) => Array.from({ length: 7 }, () => ({ from, to }))
    chosen.kinds = { ...kinds, share: { ...kinds.share, mail: 'digest' } }
    Object.assign(chosen, { digestAt: '07:30', quietHours: quiet('22:00', '08:15') })
    const deliver = async (name: string) => {
      const notificationId = await share(name)
      const delivery = { id: `d-${name}`, accountId: 'ben', notificationId, kind: 'share', at: clock.now() } as const
      await digests.deliver(delivery, await notifications.preferencesOf('ben'))
      return notificationId
    }
    await deliver('Plans')
    clock.advance(queued[0]?.delayMs ?? 0)
    await sendDigest(queued[0]?.payload)
    expect([smtp.mails.length, queued[1]?.delayMs]).toEqual([0, 45 * 60_000])
    clock.advance(45 * 60_000)
    smtp.refuse(1, '451 4.3.0 Later')
    await expect(sendDigest(queued[1]?.payload)).rejects.toBeInstanceOf(MailFailure)
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(['notifications could not be mailed as a digest'])
    await sendDigest(queued[1]?.payload)
    expect(smtp.mails).toHaveLength(1)

    const late = await deliver('Late')
    chosen.quietHours = quiet('00:00', '00:00')
    clock.advance(queued.at(-1)?.delayMs ?? 0)
    await sendDigest(queued.at(-1)?.payload)
    expect([smtp.mails.length, await outcome(late)]).toEqual([1, 'not-sent quiet-hours'])
    delete chosen.kinds
    const alone = await share('Alone')
    await send(alone)
    expect([smtp.mails.length, await outcome(alone)]).toEqual([1, 'not-sent quiet-hours'])
  })

  test('wait where quiet hours began between two tries, and for a mail server that is away', async () => {
    const { chosen, clock, letters, queued, send, share, smtp } = await openLetters(open)
    const id = await share('Plans')
    await letters.deliver({ id: 'd1', accountId: 'ben', notificationId: id, kind: 'share', at: clock.now() })
    expect(queued).toMatchObject([{ key: 'd1', payload: { deliveryId: 'd1', accountId: 'ben', notificationId: id } }])
    smtp.refuse(2, '451 4.3.0 Later')
    await expect(send(id)).rejects.toBeInstanceOf(MailFailure)
    await expect(send(id, 20)).rejects.toBeInstanceOf(JobFailure)
    smtp.refuse(1, '550 5.1.1 No such mailbox')
    await expect(send(id)).rejects.toBeInstanceOf(JobFailure)
    chosen.quietHours = Array.from({ length: 7 }, () => ({ from: '11:00', to: '14:00' }))
    await send(id)
    await send(id)
    expect(queued.slice(1).map(({ delayMs }) => delayMs)).toEqual([2 * 3600_000, 2 * 3600_000])
    expect(new Set(queued.map(({ key }) => key)).size).toBe(2)
    expect(smtp.mails).toHaveLength(0)
  })
})
