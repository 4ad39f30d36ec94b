import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVariableReader, problemsIn, variablesOf } from '../../platform/settings/index.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { testClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { savedSettings } from '../../testing/settings.ts'
import { settingsMigrations } from '../settings/index.ts'
import { createVapidKeys, isPoint } from './keys.ts'
import { payloadOf, type PushMessage, topicOf } from './message.ts'
import { readOutcome } from './send.ts'
import { pushSettings } from './settings.ts'

withDatabase('the keys of an instance', (open) => {
  test('are made once, in whichever process, and those of the environment stand over them', async () => {
    const clock = testClock()
    const database = await open([...vaultMigrations, ...settingsMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const keysOf = (environment: Record<string, string> = {}) => {
      const saved = savedSettings({ database, vault, clock }, environment)
      return createVapidKeys({ saved, variables: saved.bind(pushSettings) })
    }
    const [one, other] = [keysOf(), keysOf()]
    const made = await Promise.all([one(), other(), one()])
    expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(1)
    expect(isPoint(made[0]?.publicKey ?? '')).toBe(true)
    const rows = await database
      .tables<{ instance_settings: { value: Uint8Array } }>()
      .selectFrom('instance_settings')
      .selectAll()
      .execute()
    expect(rows.map(({ value }) => Buffer.from(value).toString('latin1')).join()).not.toContain(made[0]?.privateKey)
    const given = { VAPID_PUBLIC_KEY: `${made[0]?.publicKey}=`, VAPID_PRIVATE_KEY: 'A'.repeat(43) }
    expect(await keysOf(given)()).toEqual({ publicKey: made[0]?.publicKey, privateKey: 'A'.repeat(43) })
  })
})

test('variables that are no keys, and a key without the other, stop the start with a sentence', () => {
  const problems = (environment: Record<string, string>) => problemsIn(environment, variablesOf(pushSettings))
  expect(problems({ VAPID_PUBLIC_KEY: 'x', VAPID_PRIVATE_KEY: '?' })).toEqual([
    'VAPID_PUBLIC_KEY: must be 65 bytes as base64url',
    'VAPID_PRIVATE_KEY: must be 32 bytes as base64url',
  ])
  expect(problems({ VAPID_PRIVATE_KEY: 'A'.repeat(43) })).toEqual([
    'VAPID_PRIVATE_KEY: needs VAPID_PUBLIC_KEY beside it',
  ])
  expect(problems({ VAPID_SUBJECT: 'me' })).toEqual([
    'VAPID_SUBJECT: must be an address such as mailto:you@example.org',
  ])
  expect(createVariableReader({ VAPID_SUBJECT: 'mailto:a@b.example' })(pushSettings.VAPID_SUBJECT)).toBe(
    'mailto:a@b.example',
  )
})

const message: PushMessage = {
  title: 'Title',
  body: 'Body',
  href: '/x',
  tag: 'n1',
  language: 'ar',
  at: 1,
  urgency: 'normal',
  ttlSeconds: 60,
}

test('a message is cut until a push service takes it, in whole letters', () => {
  expect(JSON.parse(payloadOf(message))).toEqual({
    title: 'Title',
    body: 'Body',
    href: '/x',
    tag: 'n1',
    at: 1,
    lang: 'ar',
    dir: 'rtl',
  })
  const long = payloadOf({ ...message, title: 'أ'.repeat(5000), body: '🜁'.repeat(5000) })
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(3800)
  expect(JSON.parse(long)).toMatchObject({
    title: expect.stringMatching(/^أ{199}…$/),
    body: expect.stringMatching(/^🜁+…$/u),
  })
  expect(topicOf('n1')).toMatch(/^[\w-]{32}$/)
  expect(topicOf('n1')).not.toBe(topicOf('n2'))
})

test.each([
  [201, undefined, { outcome: 'sent' }],
  [404, undefined, { outcome: 'gone' }],
  [410, undefined, { outcome: 'gone' }],
  [429, '120', { outcome: 'later', waitMs: 120_000 }],
  [503, 'Thu, 01 Jan 1970 00:01:00 GMT', { outcome: 'later', waitMs: 60_000 }],
  [500, '999999', { outcome: 'later', waitMs: 3_600_000 }],
  [500, 'soon', { outcome: 'later', waitMs: null }],
  [413, undefined, { outcome: 'refused' }],
  [302, undefined, { outcome: 'refused' }],
])('the answer %i with Retry-After %s', (status, retryAfter, expected) => {
  expect(readOutcome(status, retryAfter, 0)).toMatchObject({ ...expected, status })
})
