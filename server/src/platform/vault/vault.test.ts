import { createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { openDatabase } from '../db/index.ts'
import type { Database } from '../db/types.ts'
import { sqliteKey, wrap, wrapKey } from './keys.ts'
import { type VaultTables, vaultMigrations } from './tables.ts'
import { openVault } from './vault.ts'
import { replaceInstanceKey, rewrapKeys, verifyInstanceKey } from './wrapped-keys.ts'

const clock = testClock()
const dump = (database: Database) =>
  database.tables<VaultTables>().selectFrom('vault_keys').selectAll().orderBy('owner').orderBy('number').execute()

onBothDatabases('the vault', (open) => {
  const fresh = async () => {
    const database = await open(vaultMigrations)
    const instanceKey = randomBytes(32)
    return { database, instanceKey, vault: await openVault({ database, instanceKey, clock }) }
  }
  const reopen = ({ database, instanceKey }: { database: Database; instanceKey: Buffer }) =>
    openVault({ database, instanceKey, clock })

  test('what was sealed opens again after a restart, for accounts and for the instance', async () => {
    const harness = await fresh()
    const sealed = (await harness.vault.keyring('ann')).seal('chats.title', 'c1', 'Tuesday')
    const own = (await harness.vault.keyring(null)).seal('settings.value', 's1', 'secret')
    const later = await reopen(harness)
    expect((await later.keyring('ann')).open('chats.title', 'c1', sealed)).toBe('Tuesday')
    expect((await later.keyring(null)).open('settings.value', 's1', own)).toBe('secret')
  })

  test('each account has a data key of its own', async () => {
    const { vault } = await fresh()
    const sealed = (await vault.keyring('ann')).seal('a.b', '1', 'x')
    const [ben, instance] = [await vault.keyring('ben'), await vault.keyring(null)]
    expect(() => ben.open('a.b', '1', sealed)).toThrow(/cannot be opened/)
    expect(() => instance.open('a.b', '1', sealed)).toThrow(/cannot be opened/)
  })

  test('data keys stand in the database only wrapped', async () => {
    const { vault, database, instanceKey } = await fresh()
    await vault.keyring('ann')
    const rows = await dump(database)
    expect(rows.map(({ owner, number }) => [owner, number])).toEqual([
      ['', 1],
      ['ann', 1],
    ])
    for (const { wrapped } of rows) {
      expect(Buffer.from(wrapped).includes(instanceKey)).toBe(false)
      expect(wrapped.byteLength).toBe(65)
    }
  })

  test('a wrapped key moved to another account does not unwrap', async () => {
    const harness = await fresh()
    await harness.vault.keyring('ann')
    await harness.vault.keyring('ben')
    const [, ann] = await dump(harness.database)
    const tables = harness.database.tables<VaultTables>()
    await tables.updateTable('vault_keys').set({ wrapped: ann?.wrapped }).where('owner', '=', 'ben').execute()
    const later = await reopen(harness)
    const broken = await later.keyring('ben')
    expect(() => broken.seal('notes.title', 'n', 'x')).toThrow(expect.objectContaining({ kind: 'damaged' }))
    await later.keyring('ann')
  })

  test('many who ask for a new account’s keyring at the same time, in two processes, get the same key', async () => {
    const harness = await fresh()
    const other = await reopen(harness)
    const rings = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? harness.vault : other).keyring(`account-${i >> 3}`)),
    )
    for (let i = 0; i < rings.length; i += 8) {
      const sealed = rings[i]?.seal('a.b', '1', 'same') ?? new Uint8Array()
      for (const ring of rings.slice(i, i + 8)) expect(ring.open('a.b', '1', sealed)).toBe('same')
    }
    expect(await dump(harness.database)).toHaveLength(6)
  })

  test('two processes that open a new database at the same time share the instance’s key', async () => {
    const database = await open(vaultMigrations)
    const instanceKey = randomBytes(32)
    const vaults = await Promise.all(Array.from({ length: 8 }, () => openVault({ database, instanceKey, clock })))
    expect(new Set(vaults.map((vault) => vault.blindIndex('x', 'y'))).size).toBe(1)
  })

  test('the wrong key stops with a sentence, and nothing is written', async () => {
    const harness = await fresh()
    await harness.vault.keyring('ann')
    const before = await dump(harness.database)
    const wrong = randomBytes(32)
    await expect(openVault({ ...harness, instanceKey: wrong, clock })).rejects.toMatchObject({
      kind: 'key-wrong',
      message: expect.stringContaining('Nothing was changed'),
    })
    await expect(verifyInstanceKey(harness.database, wrong)).rejects.toMatchObject({ kind: 'key-wrong' })
    await verifyInstanceKey(harness.database, harness.instanceKey)
    expect(await dump(harness.database)).toEqual(before)
  })

  test('the key can be verified before there are any tables', async () => {
    const { options } = await open.place()
    const database = await openDatabase(options)
    try {
      await verifyInstanceKey(database, randomBytes(32))
    } finally {
      await database.close()
    }
  })

  test('removing an account destroys its key, in memory too', async () => {
    const harness = await fresh()
    const other = await reopen(harness)
    const sealed = (await harness.vault.keyring('ann')).seal('a.b', '1', 'x')
    await other.keyring('ann')
    await harness.vault.removeKeys('ann')
    expect((await dump(harness.database)).map(({ owner }) => owner)).toEqual([''])
    for (const vault of [harness.vault, other]) {
      await expect
        .poll(async () => {
          const ring = await vault.keyring('ann')
          try {
            return ring.open('a.b', '1', sealed)
          } catch {
            return 'destroyed'
          }
        })
        .toBe('destroyed')
    }
    await expect(harness.vault.removeKeys('')).rejects.toThrow('has an id')
  })

  test('the instance key can be exchanged: all opens with the new one, nothing with the old one', async () => {
    const harness = await fresh()
    const sealed = (await harness.vault.keyring('ann')).seal('a.b', '1', 'x')
    const own = (await harness.vault.keyring(null)).seal('a.b', '2', 'y')
    const index = harness.vault.blindIndex('accounts.username', 'ann')
    const newKey = randomBytes(32)
    const { database, instanceKey: from } = harness
    expect(await replaceInstanceKey(database, { from, to: newKey, now: 5 })).toEqual({ rewrapped: 2, unreadable: 0 })
    await expect(reopen(harness)).rejects.toMatchObject({ kind: 'key-wrong' })
    const later = await openVault({ database: harness.database, instanceKey: newKey, clock })
    expect((await later.keyring('ann')).open('a.b', '1', sealed)).toBe('x')
    expect((await later.keyring(null)).open('a.b', '2', own)).toBe('y')
    expect(later.blindIndex('accounts.username', 'ann')).toBe(index)
    expect(await later.formerKeys()).toEqual([from])
  })

  test('a data key that was damaged before the exchange stays as it is, and the others are exchanged', async () => {
    const { database, instanceKey, vault } = await fresh()
    for (const owner of ['ann', 'zoe']) await vault.keyring(owner)
    const damaged = new Uint8Array(65)
    await database
      .tables<VaultTables>()
      .updateTable('vault_keys')
      .set({ wrapped: damaged })
      .where('owner', '=', 'ann')
      .execute()
    const to = randomBytes(32)
    expect(await replaceInstanceKey(database, { from: instanceKey, to, now: 0 })).toEqual({
      rewrapped: 2,
      unreadable: 1,
    })
    expect(Buffer.from((await dump(database))[1]?.wrapped ?? []).equals(damaged)).toBe(true)
    await (await openVault({ database, instanceKey: to, clock })).keyring('zoe')
  })

  test('an exchange from a key that is not the one of the database changes nothing', async () => {
    const { database, vault } = await fresh()
    await vault.keyring('ann')
    const before = await dump(database)
    const keys = { from: randomBytes(32), to: randomBytes(32), now: 0 }
    await expect(replaceInstanceKey(database, keys)).rejects.toMatchObject({ kind: 'key-wrong' })
    expect(await dump(database)).toEqual(before)
  })

  test('processes with the old key, with both and with the new key alone read each other’s, before and after the exchange', async () => {
    const { database, instanceKey: from, vault: old } = await fresh()
    const to = randomBytes(32)
    const both = await openVault({ database, instanceKey: to, previousKey: from, clock })
    const other = await openVault({ database, instanceKey: to, previousKey: from, clock })
    // Before the exchange what is new can be opened by those who know the old key alone.
    const sealed = (await both.keyring('ann')).seal('a.b', '1', 'x')
    expect((await old.keyring('ann')).open('a.b', '1', sealed)).toBe('x')
    await old.keyring('ben')
    await other.keyring('ben')
    const made = Array.from({ length: 20 }, (_, i) => (i % 2 ? both : other).keyring(`account-${i}`))
    const exchanges = [
      replaceInstanceKey(database, { from, to, now: 0 }),
      replaceInstanceKey(database, { from, to, now: 0 }),
    ]
    const during = Array.from({ length: 20 }, (_, i) => (i % 2 ? both : other).keyring(`later-${i}`))
    await Promise.all([...made, ...exchanges, ...during])
    // After it the new key alone opens all of them, and nobody goes on with the old one alone.
    expect(await rewrapKeys(database, [], to)).toEqual({ rewrapped: 0, unreadable: 0 })
    const refused = await old.keyring('cleo')
    expect(() => refused.seal('a.b', '3', 'z')).toThrow(expect.objectContaining({ kind: 'key-wrong' }))
    const late = (await both.keyring('dan')).seal('a.b', '2', 'y')
    const next = await openVault({ database, instanceKey: to, clock })
    expect((await next.keyring('dan')).open('a.b', '2', late)).toBe('y')
    expect((await next.keyring('ann')).open('a.b', '1', sealed)).toBe('x')
  })

  test('a new data key seals from then on, and the old one still opens', async () => {
    const harness = await fresh()
    const before = (await harness.vault.keyring('ann')).seal('a.b', '1', 'old')
    const wrapped = wrap(wrapKey(harness.instanceKey), 'ann', 2, randomBytes(32))
    await harness.database
      .tables<VaultTables>()
      .insertInto('vault_keys')
      .values({ owner: 'ann', number: 2, wrapped, created_at: 0 })
      .execute()
    const ring = await (await reopen(harness)).keyring('ann')
    expect(ring.open('a.b', '1', before)).toBe('old')
    expect(ring.seal('a.b', '1', 'new')[4]).toBe(2)
  })

  test('blind indexes are the same for the same value, differ by purpose and instance, and tell nothing', async () => {
    const [one, two] = [await fresh(), await fresh()]
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(one.vault.blindIndex('p', a) === one.vault.blindIndex('p', b)).toBe(a === b)
        expect(one.vault.blindIndex('p', a)).not.toBe(one.vault.blindIndex('q', a))
        expect(one.vault.blindIndex('p', a)).not.toBe(two.vault.blindIndex('p', a))
      }),
    )
    expect(one.vault.blindIndex('p', 'ann')).toMatch(/^[0-9a-f]{64}$/)
  })
})

test('the key of the SQLite file is another one than the instance key, and always the same', () => {
  const instanceKey = randomBytes(32)
  expect(sqliteKey(instanceKey).equals(sqliteKey(Buffer.from(instanceKey)))).toBe(true)
  expect(sqliteKey(instanceKey).equals(instanceKey)).toBe(false)
  expect(createSecretKey(sqliteKey(instanceKey)).symmetricKeySize).toBe(32)
})
