import { createHash, randomBytes } from 'node:crypto'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { afterEach, expect, test } from 'vitest'
import { type KeyCard, keyCardOf } from '../../../platform/vault/instance-key.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../../testing/accounts.ts'
import { testClock } from '../../../testing/clock.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { serveAccounts } from '../../../testing/serve-accounts.ts'
import { signedIn } from '../../../testing/sign-in.ts'

const password = 'correct horse battery'
const clock = testClock()
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

withDatabase('the key of the instance', (open) => {
  const settled = async (source: 'environment' | 'file') => {
    const database = await open(testAccountMigrations)
    const key = randomBytes(32)
    const vault = await openVault({ database, instanceKey: key, clock })
    const recorded: { action: string; result?: string }[] = []
    const audit = {
      record: async (entry: never) => void recorded.push(entry),
      recordIn: async (_: never, entry: never) => void recorded.push(entry),
    } as never
    const card = { current: keyCardOf({ key, source }) }
    const instanceKey: KeyCard = {
      get about() {
        return card.current.about
      },
      reveal: () => card.current.reveal(),
      previous: null,
    }
    const accounts = createTestAccounts({ database, vault, clock, audit, instanceKey })
    const served = await serveAccounts(accounts, {
      clock,
    })
    stops.push(served.stop)
    const { guest } = served
    await accounts.createAccount({ username: 'ann', password, role: 'admin' })
    await accounts.createAccount({ username: 'ben', password })
    const signIn = async (username: string) => {
      const { token } = signedIn(await guest.call(accountsRoutes.login, { body: { username, password } }))
      return guest.as(token)
    }
    return {
      ann: await signIn('ann'),
      ben: await signIn('ben'),
      guest,
      key: key.toString('hex'),
      recorded,
      served,
      card,
    }
  }

  test('administrators see where it is and how it is told from others, and nobody else does', async () => {
    const { ann, ben, guest, key } = await settled('file')
    const about = await ann.call(accountsRoutes.encryptionKey, {})
    expect(about).toEqual({ source: 'file', fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/), revealedAt: null })
    expect(key).not.toContain(about.fingerprint)
    expect(createHash('sha256').update(Buffer.from(key, 'hex')).digest('hex')).not.toContain(about.fingerprint)
    expect(await ben.refusal(accountsRoutes.encryptionKey, {})).toMatchObject({ status: 403 })
    expect(await guest.refusal(accountsRoutes.encryptionKey, {})).toMatchObject({ status: 401 })
    const { token } = await ann.call(apiTokensRoutes.createToken, { body: { name: 'Program', scopes: ['admin'] } })
    expect(await guest.as(token).refusal(accountsRoutes.encryptionKey, {})).toMatchObject({ code: 'token_scope' })
    expect(await guest.as(token).refusal(accountsRoutes.revealEncryptionKey, { body: { password } })).toMatchObject({
      code: 'token_scope',
    })
  })

  test('it is shown once to an administrator who proves it is them, also when many ask at once', async () => {
    const { ann, ben, key, recorded, served } = await settled('file')
    clock.advance(11 * 60_000)
    const reveal = (body: { password?: string; code?: string }) =>
      ann.refusal(accountsRoutes.revealEncryptionKey, { body })
    expect(await reveal({})).toMatchObject({ code: 'proof_needed' })
    expect(await reveal({ password: 'wrong horse battery' })).toMatchObject({ status: 401, code: 'wrong_password' })
    expect(await ben.refusal(accountsRoutes.revealEncryptionKey, { body: { password } })).toMatchObject({ status: 403 })
    expect((await ann.call(accountsRoutes.encryptionKey, {})).revealedAt).toBeNull()

    const call = { body: { password } }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ann.answer(accountsRoutes.revealEncryptionKey, call)),
    )
    const shown = answers.find(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
    expect(shown?.headers.get('cache-control')).toBe('no-store')
    const { fingerprint } = await ann.call(accountsRoutes.encryptionKey, {})
    expect(await shown?.json()).toEqual({ key, fingerprint })
    expect(await reveal({ password })).toMatchObject({ status: 409, code: 'key_revealed' })
    expect((await ann.call(accountsRoutes.encryptionKey, {})).revealedAt).toBe(new Date(clock.now()).toISOString())

    const reveals = recorded.filter(({ action }) => action === 'auth.encryption-key.reveal')
    expect(reveals.filter(({ result }) => result === undefined)).toHaveLength(1)
    expect(reveals.filter(({ result }) => result === 'denied')).toHaveLength(7)
    expect(JSON.stringify(recorded)).not.toContain(key)
    expect(served.lines.join('')).not.toContain(key)
  })

  test('one that takes its place is shown once, too', async () => {
    const { ann, card } = await settled('file')
    const reveal = () => ann.answer(accountsRoutes.revealEncryptionKey, { body: { password } })
    expect((await reveal()).status).toBe(200)
    const next = randomBytes(32)
    card.current = keyCardOf({ key: next, source: 'file' })
    expect((await ann.call(accountsRoutes.encryptionKey, {})).revealedAt).toBeNull()
    expect(await (await reveal()).json()).toMatchObject({ key: next.toString('hex') })
    expect((await reveal()).status).toBe(409)
  })

  test('a key that the environment gives is not shown', async () => {
    const { ann } = await settled('environment')
    expect(await ann.call(accountsRoutes.encryptionKey, {})).toMatchObject({ source: 'environment', revealedAt: null })
    expect(await ann.refusal(accountsRoutes.revealEncryptionKey, { body: { password } })).toMatchObject({
      status: 409,
      code: 'key_in_environment',
    })
  })
})
