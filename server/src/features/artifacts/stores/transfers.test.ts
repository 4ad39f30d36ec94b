/** Artifacts that are handed over while somebody writes on them. */
import { expect, test } from 'vitest'
import { createSearchIndexes, searchMigrations } from '../../../platform/db/search/index.ts'
import { createFiles } from '../../../platform/files/files.ts'
import { fileMigrations } from '../../../platform/files/tables.ts'
import { vaultMigrations } from '../../../platform/vault/tables.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { testClock } from '../../../testing/clock.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { artifactMigrations, type ArtifactTables } from '../tables.ts'
import { createArtifactStore } from './artifacts.ts'
import { noChanges, type StoredArtifact, type StoredVersion } from './rows.ts'
import { createTransferStore } from './transfers.ts'

onBothDatabases('an artifact that is handed over', (open) => {
  test('stays its new owner’s when somebody saves what they read before', async () => {
    const database = await open([...vaultMigrations, ...fileMigrations, ...searchMigrations, ...artifactMigrations])
    const clock = testClock()
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock })
    const files = createFiles({ database, vault, clock })
    const deps = { database, files, indexes: createSearchIndexes({ database, vault }), vault }
    const artifacts = createArtifactStore({ ...deps, access: { removeGrants: async () => undefined } })
    const transfers = createTransferStore(deps)
    const before: StoredArtifact = {
      id: 'a',
      accountId: 'ann',
      kind: 'html',
      title: 'Page',
      language: null,
      chatId: null,
      version: 1,
      sizeBytes: 3,
      createdAt: 1,
      updatedAt: 1,
      deletedAt: null,
    }
    const versionOf = (number: number, content: string): StoredVersion => ({
      artifactId: 'a',
      number,
      accountId: 'ann',
      content,
      sizeBytes: content.length,
      authorKind: 'person',
      authorId: 'ann',
      restoredFrom: null,
      callDigest: null,
      createdAt: 1,
      autosaveSince: null,
    })
    expect(await artifacts.add(before, versionOf(1, 'One'))).toBe('added')
    const handOver = await files.prepareHandOver()
    const keys = { from: await vault.keyring('ann'), to: await vault.keyring('ben') }
    const sides = { fromId: 'ann', toId: 'ben', ...keys }
    await database.write<ArtifactTables, void>((trx) => transfers.move(trx, 'a', sides, handOver))
    const after = { ...before, title: 'Mine again', version: 2 }
    expect(await artifacts.replace(before, after, 'Two', { ...noChanges, added: versionOf(2, 'Two') })).toBe(false)
    await transfers.finish('a', sides)
    expect(await artifacts.readMany(['a'])).toMatchObject([{ accountId: 'ben', title: 'Page', version: 1 }])
    expect([await files.used('ann'), await files.used('ben')]).toEqual([0, 3])
  })
})
