import { expect, test } from 'vitest'
import { accountMigrations } from '../accounts/tables.ts'
import { inTables } from '../../platform/db/types.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { createGenerationStore } from './store.ts'
import { type GenerationRow, type GenerationTables, generationMigrations } from './tables.ts'
import type { RunOutcome } from './types.ts'

onBothDatabases('runs in the database', (open) => {
  test('end once: what comes second changes nothing, and writes nothing', async () => {
    const database = await open([...accountMigrations, ...generationMigrations])
    await database.tables<{ accounts: object }>().insertInto('accounts').values(account).execute()
    const store = createGenerationStore(database)
    await store.insert(row, undefined)
    const end = (state: RunOutcome['state'], endedAt: number) =>
      store.end('run', { state, answer: {} as RunOutcome['answer'], failure: null, endedAt }, 7, async (trx) => {
        await inTables<GenerationTables>(trx)
          .updateTable('generations')
          .set({ digest: `by ${state}` })
          .execute()
      })
    expect(await Promise.all([end('cancelled', 2), end('done', 3)])).toEqual([true, false])
    expect(await store.read('run', 'ann')).toMatchObject({ state: 'cancelled', endedAt: 2, digest: 'by cancelled' })
  })
})

const account = {
  id: 'ann',
  username_index: 'ann',
  username: Buffer.from('x'),
  role: 'user',
  status: 'active',
  credential: Buffer.from('x'),
  created_at: 0,
  updated_at: 0,
}

const row: GenerationRow = {
  id: 'run',
  account_id: 'ann',
  kind: 'chat',
  scope_id: 'chat',
  subject_id: 'message',
  state: 'running',
  owner: 'process',
  cancel_requested: 0,
  base_length: 0,
  digest: null,
  started_at: 1,
  ended_at: null,
  last_seq: null,
}
