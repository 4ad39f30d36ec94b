import { expect, test } from 'vitest'
import { migrations } from '../../app/areas.ts'
import { migrate } from '../../platform/db/index.ts'
import { createFiles } from '../../platform/files/files.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { realClock as clock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import type { ArtifactTables } from './tables.ts'

onBothDatabases('an upgrade', (open) => {
  test('counts the artifacts that are there already against the storage of their owners', async () => {
    const before = migrations.filter(({ id }) => id !== 'artifacts/0002-room')
    const database = await open(before)
    const tables = database.tables<ArtifactTables>()
    const row = { account_id: 'ann', created_at: 1 }
    const about = { kind: 'html', about: new Uint8Array(1), chat_id: null, version: 2, updated_at: 1, deleted_at: null }
    await tables
      .insertInto('artifacts')
      .values({ ...row, ...about, id: 'page', size_bytes: 20 })
      .execute()
    const by = { author_kind: 'person', author_id: 'ann', restored_from: null, call_digest: null }
    for (const [number, size_bytes] of [
      [1, 10],
      [2, 20],
    ] as const)
      await tables
        .insertInto('artifact_versions')
        .values({ ...row, ...by, artifact_id: 'page', number, size_bytes, content: new Uint8Array(1) })
        .execute()
    const { folder: snapshotFolder } = await open.place()
    await migrate(database, migrations, { version: '1', snapshotFolder, now: () => 1 })
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 7), clock })
    const files = createFiles({ database, vault, clock })
    expect([await files.used('ann'), await files.count('ann')]).toEqual([30, 0])
  })
})
