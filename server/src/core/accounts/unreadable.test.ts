import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { VaultTables } from '../../platform/vault/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { testAccountMigrations } from '../../testing/accounts.ts'
import { testClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { createProviderStore } from '../sign-in-providers/oauth/provider-store.ts'
import type { OAuthTables } from '../sign-in-providers/oauth/tables.ts'
import { createAccountStore } from './people/store.ts'
import type { AccountTables } from './tables.ts'
import { createApiTokenStore } from '../api-tokens/store.ts'
import type { ApiTokenTables } from '../api-tokens/tables.ts'

const noSeal = Buffer.from('no seal at all, but long enough to be one')

withDatabase('rows of accounts that cannot be read', (open) => {
  const start = async () => {
    const clock = testClock()
    const database = await open(testAccountMigrations)
    const instanceKey = randomBytes(32)
    const vault = await openVault({ database, instanceKey, clock })
    const people = createAccountStore({ database, vault })
    for (const id of ['ann', 'ben']) {
      const account = { id, username: id, email: `${id}@x.example`, credential: 'phc', now: clock.now() }
      await people.insert(account, () => ({ role: 'user', status: 'active' }))
    }
    const again = async () => await openVault({ database, instanceKey, clock })
    return {
      database,
      vault,
      clock,
      people,
      again,
      tables: database.tables<AccountTables & ApiTokenTables & OAuthTables>(),
    }
  }
  const names = async (people: ReturnType<typeof createAccountStore>) =>
    Object.fromEntries(
      (await people.page(10, undefined)).items.map(({ id, username, email }) => [id, [username, email]]),
    )
  const ann = ['ann', 'ann@x.example']

  test('an account whose name, address and password cannot be read stands in the list, and no password fits it', async () => {
    const { people, tables } = await start()
    const broken = { username: noSeal, email: noSeal, credential: noSeal }
    await tables.updateTable('accounts').set(broken).where('id', '=', 'ben').execute()
    expect(await names(people)).toEqual({ ann, ben: ['\u{FFFD}', null] })
    expect(await people.findByLogin('ann')).toMatchObject({ phc: 'phc' })
    expect((await people.findByLogin('ben'))?.phc).not.toBe('phc')
  })

  test('an account whose data key is damaged takes no list along, and nothing is sealed for it', async () => {
    const { database, again } = await start()
    const keys = database.tables<VaultTables>()
    await keys.updateTable('vault_keys').set({ wrapped: noSeal }).where('owner', '=', 'ben').execute()
    const vault = await again()
    const people = createAccountStore({ database, vault })
    expect(await names(people)).toEqual({ ann, ben: ['\u{FFFD}', null] })
    await expect(people.update('ben', { displayName: 'Ben' }, 1)).rejects.toMatchObject({ kind: 'damaged' })
  })

  test('a token whose rights cannot be read has none, is listed, and can be revoked', async () => {
    const { database, vault, tables, clock } = await start()
    const tokens = createApiTokenStore({ database, vault })
    for (const id of ['sound', 'broken'])
      await tokens.insert({
        id,
        accountId: 'ann',
        digest: id,
        prefix: id,
        name: id,
        scopes: ['chat:read'],
        models: ['m'],
        ratePerMinute: 60,
        createdAt: clock.now(),
        expiresAt: null,
      })
    await tables
      .updateTable('api_tokens')
      .set({ scopes: '["chat:read', models: '7' })
      .where('id', '=', 'broken')
      .execute()
    expect((await tokens.byDigest('broken'))?.token).toMatchObject({ scopes: [], models: [] })
    const { items } = await tokens.page('ann', 10, undefined, clock.now())
    expect(Object.fromEntries(items.map(({ id, scopes }) => [id, scopes]))).toEqual({
      sound: ['chat:read'],
      broken: [],
    })
    expect(await tokens.revoke('ann', 'broken', clock.now(), async () => undefined)).toBe(true)
  })

  test('a sign-in provider that cannot be read is told by its id, keeps its id taken, and can be removed', async () => {
    const { database, vault, tables } = await start()
    const providers = createProviderStore({ database, vault })
    const settings = {
      name: 'One',
      issuerUrl: null,
      clientId: 'c',
      clientSecret: 's',
      enabled: true,
      scopes: [],
      allowedDomains: [],
      trustsEmail: false,
      groupClaim: null,
      adminGroups: [],
      syncGroups: false,
      signUp: 'off' as const,
    }
    for (const id of ['sound', 'sealed', 'formed']) await providers.insert(id, 'github', settings, 1)
    const formed = (await vault.keyring(null)).seal('identity_providers.settings', 'formed', '{"name":7}')
    await tables.updateTable('identity_providers').set({ secret: noSeal }).where('id', '=', 'sealed').execute()
    await tables.updateTable('identity_providers').set({ settings: formed }).where('id', '=', 'formed').execute()
    expect((await providers.list()).map(({ id }) => id)).toEqual(['sound'])
    expect((await providers.unreadable()).toSorted()).toEqual(['formed', 'sealed'])
    await expect(providers.insert('sealed', 'github', settings, 1)).rejects.toMatchObject({
      code: 'identity_provider_exists',
    })
    for (const id of ['sealed', 'formed']) await providers.remove(id)
    expect(await providers.unreadable()).toEqual([])
  })
})
