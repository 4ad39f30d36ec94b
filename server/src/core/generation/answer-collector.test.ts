import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { createLog } from '../../platform/log/log.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import type { Part } from '../../providers/types.ts'
import { insertAccount } from '../../testing/chats.ts'
import { realClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { accountMigrations } from '../accounts/index.ts'
import { createAnswerCollector } from './answer-collector.ts'
import type { RunEvent } from './types.ts'

withDatabase('the events of an answer', (open) => {
  const openEvents = async (tuning: { windowMs?: number } = {}) => {
    const database = await open([...vaultMigrations, ...eventMigrations, ...accountMigrations])
    await insertAccount(database, 'ann')
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock: realClock })
    const log = createLog({ level: 'silent' })
    return createEventLog({ database, vault, clock: realClock, log, processId: 'p', tuning })
  }

  test('a call is on disk as soon as it is told, so that it is known also when its process dies', async () => {
    // By themselves they would be committed in an hour.
    const events = await openEvents({ windowMs: 3600_000 })
    const stream = { id: 'generation:a', accountId: 'ann' }
    const collected = createAnswerCollector(events.open<RunEvent>(stream), realClock.now)
    const end = Promise.withResolvers<void>()
    const call = { id: 'a', name: 'send', arguments: '{}', round: 1, textBefore: 0 }
    async function* answer(): AsyncGenerator<readonly Part[]> {
      yield [
        { type: 'text', delta: 'I send it.' },
        { type: 'tool-call', call },
      ]
      await end.promise
    }
    const reading = collected.read({ plan: null, open: answer }, new AbortController().signal)
    const types = async () => (await events.read<RunEvent>(stream, 0)).map(({ event }) => event.type)
    await expect.poll(types).toEqual(['text', 'tool-call'])
    end.resolve()
    await reading
    await events.stop()
  })

  test('a call that is being written is told of twice a second at most, each piece with its place', async () => {
    const events = await openEvents()
    const stream = { id: 'generation:b', accountId: 'ann' }
    let now = 0
    const writer = events.open<RunEvent>(stream)
    const collected = createAnswerCollector(writer, () => now)
    async function* answer(): AsyncGenerator<readonly Part[]> {
      for (let n = 0; n < 12; n += 1) {
        yield [{ type: 'tool-draft', draft: '1.0', name: 'create_artifact', delta: `${n},` }]
        now += 100
      }
      yield [{ type: 'tool-call', call: { id: 'a', name: 'create_artifact', arguments: '{}' } }]
    }
    await collected.read({ plan: null, open: answer }, new AbortController().signal)
    await writer.flush()
    const told = (await events.read<RunEvent>(stream, 0)).map(({ event }) => event)
    const drafts = told.flatMap((event) => (event.type === 'tool-draft' ? [event.data] : []))
    expect(drafts.map(({ at, delta }) => [at, delta])).toEqual([
      [0, '0,'],
      [2, '1,2,3,4,5,'],
      [12, '6,7,8,9,10,'],
    ])
    await events.stop()
  })

  test('what was written of a call before its model paused is told during the pause', async () => {
    const events = await openEvents()
    const stream = { id: 'generation:c', accountId: 'ann' }
    const collected = createAnswerCollector(events.open<RunEvent>(stream), realClock.now)
    const pause = Promise.withResolvers<void>()
    async function* answer(): AsyncGenerator<readonly Part[]> {
      for (const delta of ['a', 'b', 'c']) yield [{ type: 'tool-draft', draft: '1.0', name: 'create_artifact', delta }]
      await pause.promise
    }
    const reading = collected.read({ plan: null, open: answer }, new AbortController().signal)
    const told = async () =>
      (await events.read<RunEvent>(stream, 0)).flatMap(({ event }) =>
        event.type === 'tool-draft' ? [event.data.delta] : [],
      )
    await expect.poll(told).toEqual(['a', 'bc'])
    pause.resolve()
    await reading
    await events.stop()
  })
})
