import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { createLog } from '../../platform/log/log.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { insertAccount } from '../../testing/chats.ts'
import { realClock as clock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { accountMigrations } from '../accounts/index.ts'
import { createGenerations, generationMigrations } from './index.ts'

onBothDatabases('the events of an answer', (open) => {
  test('are sealed with the key of whom its kind names, and not of the account that asks', async () => {
    const database = await open([...vaultMigrations, ...eventMigrations, ...accountMigrations, ...generationMigrations])
    await insertAccount(database, 'ann')
    const [log, processId] = [createLog({ level: 'silent' }), clock.id()]
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const events = createEventLog({ database, vault, clock, log, processId })
    const generations = createGenerations({ database, events, clock, log, processId })
    const nothing = { write: async () => undefined }
    generations.register('own', { finish: async () => nothing, readStored: async () => null })
    generations.register('shared', {
      owner: ({ scopeId }) => scopeId,
      finish: async () => nothing,
      readStored: async () => null,
    })
    async function* words() {
      yield [{ type: 'text' as const, delta: 'Hello' }]
    }
    for (const kind of ['own', 'shared']) {
      const request = { id: kind, accountId: 'ann', kind, scopeId: `room:${kind}`, subjectId: kind }
      const run = await generations.start({ ...request, prepare: async () => ({ plan: null, open: words }) })
      await generations.waitUntilEnded(kind)
      const types: string[] = []
      for await (const { event } of generations.follow(run, 0, AbortSignal.timeout(300_000))) types.push(event.type)
      expect(types).toEqual(['start', 'text', 'usage', 'end'])
    }
    const streams = await database
      .tables<{ event_streams: { id: string; account_id: string | null } }>()
      .selectFrom('event_streams')
      .select(['id', 'account_id'])
      .orderBy('id')
      .execute()
    expect(streams).toEqual([
      { id: 'generation:own', account_id: 'ann' },
      { id: 'generation:shared', account_id: 'room:shared' },
    ])
    await generations.stop()
    await events.stop()
  })
})
