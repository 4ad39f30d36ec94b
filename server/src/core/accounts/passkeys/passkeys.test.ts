import { randomBytes } from 'node:crypto'
import { accountsRoutes } from '@atrium/contract/accounts'
import { afterEach, expect, test } from 'vitest'
import { openVault } from '../../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../../testing/accounts.ts'
import { createAuthenticator, type MadeKey, type Quirks } from '../../../testing/authenticator.ts'
import type { Client } from '../../../testing/client.ts'
import { testClock } from '../../../testing/clock.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { serveAccounts } from '../../../testing/serve-accounts.ts'
import { signedIn } from '../../../testing/sign-in.ts'
import { noPassword } from '../password/hashing.ts'
import { createDirectoryIds } from '../../sign-in-providers/provisioning/directory-id-store.ts'
import type { AccountTables } from '../tables.ts'

const password = 'correct horse battery'
const clock = testClock()
const origin = 'https://chat.example.org'
const device = createAuthenticator(origin)
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const rejected = { status: 401, code: 'passkey_rejected' }

withDatabase('passkeys', (open) => {
  const settled = async () => {
    const database = await open(testAccountMigrations)
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const recorded: { action: string; result?: string | undefined; reason: unknown }[] = []
    const note = (entry: { action: string; result?: string; details?: Record<string, unknown> }) =>
      void recorded.push({ action: entry.action, result: entry.result, reason: entry.details?.['reason'] })
    const audit = {
      record: async (entry: never) => note(entry),
      recordIn: async (_: never, entry: never) => note(entry),
    } as never
    const base = { database, vault, clock, audit, baseUrl: new URL(origin) }
    const accounts = createTestAccounts(base)
    const served = await serveAccounts(accounts, {
      clock,
      requireFresh: accounts.requireFresh,
    })
    stops.push(served.stop)
    const { guest } = served
    const ann = await accounts.createAccount({ username: 'ann', password, role: 'admin' })
    return { accounts, guest, ann, recorded, database, vault, lines: served.lines }
  }
  const signIn = async (guest: Client, username = 'ann') => {
    const { token } = signedIn(await guest.call(accountsRoutes.login, { body: { username, password } }))
    return guest.as(token)
  }
  const begin = (client: Client) => client.call(accountsRoutes.passkeyRegisterOptions, { body: {} })
  const add = async (client: Client, name?: string) => {
    const options = await begin(client)
    const { made, credential } = device.make(options)
    const { challengeToken } = options
    const passkey = await client.call(accountsRoutes.registerPasskey, { body: { challengeToken, credential, name } })
    return { made, passkey }
  }
  const show = async (guest: Client, made: MadeKey, quirks: Quirks = {}, count?: number) => {
    const options = await guest.call(accountsRoutes.passkeyLoginOptions, {})
    const credential = device.show(made, options, quirks, count)
    return { body: { challengeToken: options.challengeToken, credential } }
  }

  test('a passkey is added, named, listed, signs in as two factors, and is removed', async () => {
    const { guest, ann, recorded } = await settled()
    const client = await signIn(guest)
    expect(await guest.call(accountsRoutes.systemInfo, {})).toMatchObject({ passkeysInUse: false })
    const options = await begin(client)
    expect(options.publicKey).toMatchObject({
      rp: { id: 'chat.example.org', name: 'Atrium' },
      user: { name: 'ann' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: 120_000,
      excludeCredentials: [],
    })
    const offered = options.publicKey['pubKeyCredParams'] as { alg: number }[]
    expect(offered.map(({ alg }) => alg)).toEqual([-7, -8, -257])

    const { made, passkey } = await add(client, 'Key of Ann')
    expect(passkey).toMatchObject({ name: 'Key of Ann', lastUsedAt: null, suspect: false })
    expect((await begin(client)).publicKey['excludeCredentials']).toMatchObject([{ id: made.id }])
    expect(await guest.call(accountsRoutes.systemInfo, {})).toMatchObject({ passkeysInUse: true })

    clock.advance(1000)
    const answer = await guest.call(accountsRoutes.passkeyLogin, await show(guest, made))
    expect(answer.user.id).toBe(ann.id)
    const fresh = guest.as(answer.token)
    const [session] = (await fresh.call(accountsRoutes.sessions, {})).items
    expect(session).toMatchObject({ kind: 'passkey', current: true })
    const [listed] = (await fresh.call(accountsRoutes.passkeys, {})).items
    expect(listed?.lastUsedAt).toBe(new Date(clock.now()).toISOString())
    const named = await fresh.call(accountsRoutes.renamePasskey, {
      params: { id: passkey.id },
      body: { name: 'Old key' },
    })
    expect(named.name).toBe('Old key')

    await fresh.call(accountsRoutes.removePasskey, { params: { id: passkey.id } })
    expect((await fresh.call(accountsRoutes.passkeys, {})).items).toEqual([])
    expect(await guest.refusal(accountsRoutes.passkeyLogin, await show(guest, made))).toMatchObject(rejected)
    expect(recorded.map(({ action }) => action)).toEqual([
      ...['auth.login', 'auth.passkey.register', 'auth.login', 'auth.passkey.rename', 'auth.passkey.remove'],
      'auth.login',
    ])
    expect(recorded.at(-1)).toMatchObject({ result: 'failure' })
  })

  test('what is not signed by the key, for this place, by a person who was verified, is refused the same way', async () => {
    const { guest } = await settled()
    const { made } = await add(await signIn(guest))
    const stranger = { ...made, key: device.make(await begin(await signIn(guest))).made.key }
    const wrong: [string, Quirks, MadeKey?][] = [
      ['another origin', { origin: 'https://evil.example.org' }],
      ['plain http', { origin: 'http://chat.example.org' }],
      ['a frame on another site', { crossOrigin: true }],
      ['a frame that says so with a word', { crossOrigin: 'true' }],
      ['a page that names the outer one', { topOrigin: 'https://evil.example.org' }],
      ['another relying party', { rpId: 'evil.example.org' }],
      ['a registration', { type: 'webauthn.create' }],
      ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
      ['nobody verified', { flags: 1 }],
      ['nobody present', { flags: 4 }],
      ['another account', { userHandle: Buffer.from('somebody').toString('base64url') }],
      ['another key', {}, stranger],
      ['an unknown credential', {}, { ...made, id: randomBytes(32).toString('base64url') }],
    ]
    const details = new Set<string>()
    for (const [name, quirks, key] of wrong) {
      const refused = await guest.refusal(accountsRoutes.passkeyLogin, await show(guest, key ?? made, quirks))
      expect(refused, name).toMatchObject(rejected)
      details.add(refused.problem.detail ?? '')
    }
    expect(details.size).toBe(1)
    // None of it has harmed the passkey.
    expect(await guest.call(accountsRoutes.passkeyLogin, await show(guest, made))).toMatchObject({
      user: { username: 'ann' },
    })
  })

  test('a challenge is good once, for its own ceremony and account, for five minutes, and burned by failure too', async () => {
    const { guest, accounts } = await settled()
    const client = await signIn(guest)
    const { made } = await add(client)
    const used = await show(guest, made)
    await guest.call(accountsRoutes.passkeyLogin, used)
    expect(await guest.refusal(accountsRoutes.passkeyLogin, used)).toMatchObject(rejected)

    const failed = await guest.call(accountsRoutes.passkeyLoginOptions, {})
    const { challengeToken } = failed
    const bad = { challengeToken, credential: device.show(made, failed, { flags: 1 }) }
    expect(await guest.refusal(accountsRoutes.passkeyLogin, { body: bad })).toMatchObject(rejected)
    const good = { challengeToken, credential: device.show(made, failed) }
    expect(await guest.refusal(accountsRoutes.passkeyLogin, { body: good })).toMatchObject(rejected)

    const late = await show(guest, made)
    clock.advance(5 * 60_000)
    expect(await guest.refusal(accountsRoutes.passkeyLogin, late)).toMatchObject(rejected)

    await accounts.createAccount({ username: 'ben', password })
    const ben = await signIn(guest, 'ben')
    const fresh = await signIn(guest)
    const options = await begin(fresh)
    const body = { challengeToken: options.challengeToken, credential: device.make(options).credential }
    expect(await ben.refusal(accountsRoutes.registerPasskey, { body })).toMatchObject(rejected)
    expect(await fresh.refusal(accountsRoutes.registerPasskey, { body })).toMatchObject(rejected)
    const register = await begin(fresh)
    const mixed = { publicKey: { ...register.publicKey, rpId: 'chat.example.org' } }
    const across = { challengeToken: register.challengeToken, credential: device.show(made, mixed) }
    expect(await guest.refusal(accountsRoutes.passkeyLogin, { body: across })).toMatchObject(rejected)

    const raced = await show(guest, made)
    const racers = await Promise.all(Array.from({ length: 10 }, () => guest.answer(accountsRoutes.passkeyLogin, raced)))
    expect(racers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a passkey that counts backwards is a copy: it is refused, recorded, and opens nothing from then on', async () => {
    const { guest, recorded } = await settled()
    const client = await signIn(guest)
    const { made, passkey } = await add(client)
    await guest.call(accountsRoutes.passkeyLogin, await show(guest, made, {}, 7))
    expect(await guest.refusal(accountsRoutes.passkeyLogin, await show(guest, made, {}, 7))).toMatchObject(rejected)
    expect(recorded.at(-1)).toMatchObject({ action: 'auth.login', result: 'failure', reason: 'copied' })
    expect((await client.call(accountsRoutes.passkeys, {})).items).toMatchObject([{ id: passkey.id, suspect: true }])
    expect(await guest.refusal(accountsRoutes.passkeyLogin, await show(guest, made, {}, 9))).toMatchObject(rejected)
    expect(recorded.at(-1)).toMatchObject({ reason: 'suspect' })
    expect(await client.call(accountsRoutes.mfa, {})).toMatchObject({ passkeys: [] })
  })

  test('a passkey that never counts is good for ever', async () => {
    const { guest } = await settled()
    const client = await signIn(guest)
    const options = await begin(client)
    const { made, credential } = device.make(options, { count: 0 })
    await client.call(accountsRoutes.registerPasskey, { body: { challengeToken: options.challengeToken, credential } })
    for (let i = 0; i < 3; i++) await guest.call(accountsRoutes.passkeyLogin, await show(guest, made, {}, 0))
    // Once it has counted, not counting any more is a copy, too.
    await guest.call(accountsRoutes.passkeyLogin, await show(guest, made, {}, 5))
    expect(await guest.refusal(accountsRoutes.passkeyLogin, await show(guest, made, {}, 0))).toMatchObject(rejected)
  })

  test('what a device sends at registration is checked as well, and certificates are never followed', async () => {
    const { guest } = await settled()
    const client = await signIn(guest)
    const statement = new Map<string, unknown>([['x5c', [new Uint8Array([1, 2, 3])]]])
    const wrong: [string, Quirks][] = [
      ['another origin', { origin: 'https://evil.example.org' }],
      ['another relying party', { rpId: 'evil.example.org' }],
      ['a sign-in', { type: 'webauthn.get' }],
      ['a frame on another site', { crossOrigin: true }],
      ['bytes behind the attestation', { trailing: new Uint8Array([0]) }],
      ['a second attestation behind it', { trailing: new Uint8Array([0xa0]) }],
      ['nobody verified', { flags: 1 + 64 }],
      ['a certificate', { attestation: { fmt: 'packed', statement } }],
      ['another attestation', { attestation: { fmt: 'apple', statement } }],
    ]
    for (const [name, quirks] of wrong) {
      const options = await begin(client)
      const body = { challengeToken: options.challengeToken, credential: device.make(options, quirks).credential }
      expect(await client.refusal(accountsRoutes.registerPasskey, { body }), name).toMatchObject(rejected)
    }
    const options = await begin(client)
    const { credential } = device.make(options)
    const response = { ...credential.response, attestationObject: randomBytes(200).toString('base64url') }
    const broken = { challengeToken: options.challengeToken, credential: { ...credential, response } }
    expect(await client.refusal(accountsRoutes.registerPasskey, { body: broken })).toMatchObject(rejected)
    const long = { ...broken, challengeToken: 'x'.repeat(44) }
    expect(await client.refusal(accountsRoutes.registerPasskey, { body: long })).toMatchObject({ status: 400 })
    expect((await client.call(accountsRoutes.passkeys, {})).items).toEqual([])
  })

  test('an account has ten passkeys at most, also when many are added at once; no credential is there twice', async () => {
    const { guest } = await settled()
    const client = await signIn(guest)
    const first = await begin(client)
    const twice = device.make(first)
    await client.call(accountsRoutes.registerPasskey, {
      body: { challengeToken: first.challengeToken, credential: twice.credential },
    })
    const again = await begin(client)
    const copy = device.make(again, { id: twice.made.id }).credential
    expect(
      await client.refusal(accountsRoutes.registerPasskey, {
        body: { challengeToken: again.challengeToken, credential: copy },
      }),
    ).toMatchObject({ status: 409, code: 'passkey_exists' })
    for (let i = 0; i < 8; i++) await add(client)
    const waiting = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const options = await begin(client)
        return { body: { challengeToken: options.challengeToken, credential: device.make(options).credential } }
      }),
    )
    const answers = await Promise.all(waiting.map((call) => client.answer(accountsRoutes.registerPasskey, call)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    expect((await client.call(accountsRoutes.passkeys, {})).items).toHaveLength(10)
    const begun = await client.refusal(accountsRoutes.passkeyRegisterOptions, { body: {} })
    expect(begun).toMatchObject({ status: 409, code: 'passkey_limit' })
  })

  test('accounts that wait or are disabled stay outside, and a stranger learns nothing of who has a passkey', async () => {
    const { guest, accounts, ann } = await settled()
    const ben = await accounts.createAccount({ username: 'ben', password })
    const { made, passkey } = await add(await signIn(guest, 'ben'))
    await accounts.administration.setStatus(ben.id, 'disabled')
    expect(await guest.refusal(accountsRoutes.passkeyLogin, await show(guest, made))).toMatchObject({
      status: 403,
      code: 'account_disabled',
    })
    const options = await guest.call(accountsRoutes.passkeyLoginOptions, {})
    expect(options.publicKey['allowCredentials'] ?? []).toEqual([])
    expect(JSON.stringify(options)).not.toContain(ann.id)
    const client = await signIn(guest)
    expect(await client.refusal(accountsRoutes.removePasskey, { params: { id: passkey.id } })).toMatchObject({
      status: 404,
      code: 'passkey_not_found',
    })
    expect(
      await client.refusal(accountsRoutes.renamePasskey, { params: { id: passkey.id }, body: { name: 'Mine' } }),
    ).toMatchObject({ status: 404 })
  })

  test('neither credential, key nor name is kept in plain, and no secret is logged', async () => {
    const { guest, database, lines } = await settled()
    const client = await signIn(guest)
    const options = await begin(client)
    const { made, credential } = device.make(options)
    await client.call(accountsRoutes.registerPasskey, {
      body: { challengeToken: options.challengeToken, credential, name: 'Planted name' },
    })
    const pending = await guest.call(accountsRoutes.passkeyLoginOptions, {})
    const tables = database.tables<Record<string, Record<string, unknown>>>()
    const rows = [
      ...(await tables.selectFrom('passkeys').selectAll().execute()),
      ...(await tables.selectFrom('passkey_challenges').selectAll().execute()),
    ]
    expect(rows).toHaveLength(2)
    const dump = rows
      .flatMap((row) => Object.values(row))
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
      .join('\n')
    for (const plain of [made.id, 'Planted', pending.challengeToken, String(pending.publicKey['challenge'])]) {
      expect(dump).not.toContain(plain)
      expect(lines.join('')).not.toContain(plain)
    }
  })

  test('where a second factor is required, the last one cannot be removed', async () => {
    const { guest } = await settled()
    const client = await signIn(guest)
    const one = await add(client)
    const two = await add(client)
    await client.call(accountsRoutes.setMfaPolicy, { body: { mode: 'required' } })
    await client.call(accountsRoutes.removePasskey, { params: { id: one.passkey.id } })
    expect(await client.refusal(accountsRoutes.removePasskey, { params: { id: two.passkey.id } })).toMatchObject({
      status: 409,
      code: 'last_factor',
    })
    expect((await client.call(accountsRoutes.passkeys, {})).items).toHaveLength(1)
    // A password alone does not come in beside it, and the passkey does.
    expect(await guest.refusal(accountsRoutes.login, { body: { username: 'ann', password } })).toMatchObject({
      code: 'passkey_needed',
    })
    const { token } = await guest.call(accountsRoutes.passkeyLogin, await show(guest, two.made))
    await guest.as(token).call(accountsRoutes.setMfaPolicy, { body: { mode: 'optional' } })
    await guest.as(token).call(accountsRoutes.removePasskey, { params: { id: two.passkey.id } })
  })

  test('the last one stays where there is no other way in: no password, no linked sign-in, no directory', async () => {
    const { guest, ann, database, vault, recorded } = await settled()
    const client = await signIn(guest)
    const [one, two] = [await add(client), await add(client)]
    const keyring = await vault.keyring(ann.id)
    await database
      .tables<AccountTables>()
      .updateTable('accounts')
      .set({ credential: keyring.seal('accounts.credential', ann.id, noPassword) })
      .where('id', '=', ann.id)
      .execute()
    const remove = ({ passkey: { id } }: typeof one) => [accountsRoutes.removePasskey, { params: { id } }] as const
    await client.call(...remove(one))
    expect(await client.refusal(...remove(two))).toMatchObject({ status: 409, code: 'last_way_in' })
    expect(recorded.at(-1)).toMatchObject({ action: 'auth.passkey.remove', result: 'denied' })
    const { token } = await guest.call(accountsRoutes.passkeyLogin, await show(guest, two.made))
    await createDirectoryIds({ database, vault }).link('ldap', ann.id, { subject: 'a1', attributes: null }, clock.now())
    await guest.as(token).call(...remove(two))
    expect((await client.call(accountsRoutes.passkeys, {})).items).toEqual([])
  })

  test('adding one needs a fresh sign-in or a proof', async () => {
    const { guest } = await settled()
    const client = await signIn(guest)
    clock.advance(11 * 60_000)
    const refused = (body: object) => client.refusal(accountsRoutes.passkeyRegisterOptions, { body })
    expect(await refused({})).toMatchObject({ code: 'proof_needed' })
    expect(await refused({ password: 'wrong horse battery' })).toMatchObject({ code: 'wrong_password' })
    expect(await client.call(accountsRoutes.passkeyRegisterOptions, { body: { password } })).toHaveProperty(
      'challengeToken',
    )
  })

  test('one of the account proves anew whose session it is, once; one of somebody else proves nothing', async () => {
    const { guest, accounts, recorded } = await settled()
    const client = await signIn(guest)
    const { made, passkey } = await add(client)
    await accounts.createAccount({ username: 'bob', password })
    const foreign = await add(await signIn(guest, 'bob'))
    clock.advance(11 * 60_000)
    const remove = { params: { id: passkey.id } }
    const prove = (passkeyShown: Awaited<ReturnType<typeof show>>['body']) => ({ body: { passkey: passkeyShown } })
    expect(await client.refusal(accountsRoutes.removePasskey, remove)).toMatchObject({ code: 'fresh_proof_needed' })
    expect(await client.refusal(accountsRoutes.prove, prove((await show(guest, foreign.made)).body))).toMatchObject(
      rejected,
    )
    expect(recorded.at(-1)).toEqual({ action: 'auth.proof', result: 'failure', reason: 'passkey_rejected' })
    expect(await client.refusal(accountsRoutes.removePasskey, remove)).toMatchObject({ code: 'fresh_proof_needed' })
    const shown = prove((await show(guest, made)).body)
    await client.call(accountsRoutes.prove, shown)
    expect(recorded.at(-1)).toMatchObject({ action: 'auth.proof' })
    expect(await client.refusal(accountsRoutes.prove, shown)).toMatchObject(rejected)
    await client.call(accountsRoutes.removePasskey, remove)
  })
})
