/** What people choose of an event for themselves, saved by several processes at once. */
import { afterEach, expect, test } from 'vitest'
import { type Database, migrate, openDatabase } from '../../../platform/db/index.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { type CalendarTables, calendarMigrations } from '../tables.ts'
import { createEventColorStore } from './event-colors.ts'
import { createReminderStore } from './reminders.ts'

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
      reminders: createReminderStore({ database }, { readMany: async () => [] }),
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
})
