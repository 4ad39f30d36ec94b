import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openVault } from '../vault/vault.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { auditMigrations, createAudit } from './index.ts'
import type { AuditTables } from './tables.ts'

onBothDatabases('the audit', (open) => {
  const clock = testClock()

  test('what many processes record at the same time becomes one chain without gaps', async () => {
    const database = await open([...vaultMigrations, ...auditMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const processes = Array.from({ length: 5 }, () => createAudit({ database, vault, clock }))
    await Promise.all(
      processes.flatMap(({ record }, process) =>
        Array.from({ length: 20 }, (_, at) =>
          record({ action: 'auth.login', actor: { kind: 'user', accountId: `a${process * 20 + at}` } }),
        ),
      ),
    )
    const rows = await database
      .tables<AuditTables>()
      .selectFrom('audit_events')
      .select(['seq', 'hash', 'actor_account_id'])
      .orderBy('seq')
      .execute()
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(100)
    expect(new Set(rows.map(({ actor_account_id }) => actor_account_id)).size).toBe(100)
  })

  test('an entry that comes in the very moment in which the one before is done is written, too', async () => {
    const database = await open([...vaultMigrations, ...auditMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const { record } = createAudit({ database, vault, clock })
    const entry = { action: 'auth.login', actor: { kind: 'user', accountId: 'ann' } } as const
    await record(entry)
    // Each turn of the microtasks behind the end of the last batch is tried once.
    for (let turns = 0; turns < 12; turns++) {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      await record(entry)
    }
    const rows = await database.tables<AuditTables>().selectFrom('audit_events').select('seq').execute()
    expect(rows).toHaveLength(13)
  })
})
