/** What people choose of an event for themselves, saved by several processes at once. */
import { afterEach, expect, test } from 'vitest'
import { type Database, migrate, openDatabase } from '../../../platform/db/index.ts'
import { createSearchIndexes, searchMigrations } from '../../../platform/db/search/index.ts'
import { vaultMigrations } from '../../../platform/vault/tables.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { testClock } from '../../../testing/clock.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { contentFrom } from '../series/edits.ts'
import { type CalendarTables, calendarMigrations } from '../tables.ts'
import { createEventColorStore } from './event-colors.ts'
import { createEventStore } from './events.ts'
import { createGuestStore } from './guests.ts'
import { createReminderStore, type ReminderRow } from './reminders.ts'

const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

onBothDatabases('own choices of an event', (open, dialect) => {
  test('that are saved at once are all taken, and one of each stands whole', async () => {
    const { folder, options } = await open.place()
    // Only PostgreSQL has several processes.
    const databases: Database[] = []
    for (let at = 0; at < (dialect === 'postgres' ? 4 : 1); at += 1) {
      const database = await openDatabase(options)
      closes.push(() => database.close())
      if (at === 0) await migrate(database, calendarMigrations, { version: '1', snapshotFolder: folder, now: Date.now })
      databases.push(database)
    }
    const event = { account_id: 'ann', calendar_id: null, content: new Uint8Array(1), starts_at: 0, ends_at: 1 }
    const times = { version: 1, created_at: 0, updated_at: 0, deleted_at: null }
    const rows = ['e1', 'e2'].map((id) => Object.assign({ id, uid_digest: id }, event, times))
    await databases[0]?.tables<CalendarTables>().insertInto('calendar_events').values(rows).execute()
    const stores = databases.map((database) => ({
      reminders: createReminderStore({ clock: testClock(), database }, { readMany: async () => [] }),
      colors: createEventColorStore({ database }),
    }))
    const chosen = Array.from({ length: 6 }, (_, at) => [at, at + 100])
    // Whoever takes a choice back makes room for the next one to be inserted; and the order of events is everybody’s own.
    const saves = stores.flatMap(({ reminders, colors }) =>
      chosen.flatMap((minutes) => [
        () => reminders.set('ben', ['e1', 'e2'], minutes),
        () => reminders.set('ben', ['e2', 'e1'], []),
        () => colors.set('e1', 'ben', `#00000${minutes[0]}`),
        () => colors.set('e1', 'ben', null),
      ]),
    )
    await Promise.all(saves.map((save) => save()))
    await Promise.all(
      stores.flatMap(({ reminders }) => chosen.map((minutes) => reminders.set('ben', ['e1', 'e2'], minutes))),
    )
    const kept = await stores[0]?.reminders.of('ben', ['e1', 'e2'])
    expect(chosen).toContainEqual(kept?.get('e1'))
    expect(kept?.get('e2')).toEqual(kept?.get('e1'))
  })

  test('a reminder of an event that is moved while it is reckoned is reckoned again', async () => {
    const database = await open([...vaultMigrations, ...searchMigrations, ...calendarMigrations])
    const clock = testClock()
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock })
    const indexes = createSearchIndexes({ database, vault })
    const deps = { clock, database, indexes, vault, namesOf: async () => new Map<string, string>() }
    const events = createEventStore(deps, createGuestStore(deps))
    const reminders = createReminderStore(deps, events)
    const content = contentFrom({ title: 'Review', startLocal: '2026-11-20T12:00', timeZone: 'UTC' }, 'uid')
    const times = { version: 1, createdAt: 1, updatedAt: 1, deletedAt: null }
    const first = { id: 'e', accountId: 'ann', calendarId: null, content, ...times }
    const [moved, again] = [2, 3].map((version) => ({ ...first, version }))
    if (!moved || !again) throw new Error('two versions')
    const due = () => reminders.due(clock.now(), 10)
    const move = (row: ReminderRow | undefined, next: number | null) =>
      database.write<CalendarTables, boolean>(
        async (trx) => row !== undefined && (await reminders.move(trx, row, next)),
      )
    await events.put('ann', [first], [], 10)
    await reminders.set('ann', ['e'], [10])
    // As two processes read it, of which one is slow.
    const [slow] = await due()
    await events.replace(first, moved)
    expect(await move(slow, clock.now() + 1)).toBe(false)
    const [read] = await due()
    expect(await move(read, clock.now() + 2)).toBe(true)
    expect(await due()).toEqual([])
    await events.replace(moved, again)
    expect(await move(read, null)).toBe(false)
    expect(await due()).toMatchObject([{ eventId: 'e', event: { version: 3 } }])
  })
})
