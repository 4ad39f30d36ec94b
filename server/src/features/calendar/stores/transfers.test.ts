/** Calendars that are handed over while somebody writes in them. */
import { expect, test } from 'vitest'
import { createSearchIndexes, searchMigrations } from '../../../platform/db/search/index.ts'
import { vaultMigrations } from '../../../platform/vault/tables.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { testClock } from '../../../testing/clock.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import type { EventContent } from '../content.ts'
import { type CalendarTables, calendarMigrations } from '../tables.ts'
import { createCalendarStore } from './calendars.ts'
import { createEventStore, type StoredEvent } from './events.ts'
import { createGuestStore } from './guests.ts'
import { createTransferStore } from './transfers.ts'

const contentOf = (title: string): EventContent => ({
  title,
  notes: '',
  place: '',
  link: '',
  start: '2026-03-01T09:00:00',
  end: '2026-03-01T10:00:00',
  color: null,
  status: 'confirmed',
  allDay: false,
  timeZone: 'Europe/Berlin',
  recurrence: null,
  changes: [],
  uid: `${title}@elsewhere`,
  sequence: 0,
  extra: [],
})

onBothDatabases('a calendar that is handed over', (open) => {
  test('keeps what was in it and what comes into it meanwhile; who writes on what was read before is told so', async () => {
    const database = await open([...vaultMigrations, ...searchMigrations, ...calendarMigrations])
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock: testClock() })
    const indexes = createSearchIndexes({ database, vault })
    const deps = { clock: testClock(), database, indexes, vault, namesOf: async () => new Map<string, string>() }
    const calendars = createCalendarStore({ ...deps, access: { removeGrants: async () => undefined } })
    const events = createEventStore(deps, createGuestStore(deps))
    const transfers = createTransferStore(deps)
    const times = { createdAt: 1, updatedAt: 1, deletedAt: null }
    const calendar = { id: 'c', accountId: 'ann', name: 'Work', ...times }
    const eventOf = (id: string): StoredEvent => ({
      id,
      accountId: 'ann',
      calendarId: 'c',
      content: contentOf(id),
      version: 1,
      ...times,
    })
    const [before, late] = [eventOf('before'), eventOf('late')]
    await calendars.add(calendar, 10)
    await events.put('ann', [before], [], 10)

    const keys = { from: await vault.keyring('ann'), to: await vault.keyring('ben') }
    const sides = { fromId: 'ann', toId: 'ben', ...keys }
    await database.write<CalendarTables, void>((trx) => transfers.move(trx, 'c', sides))
    expect(await calendars.replace(calendar, { ...calendar, name: 'Mine again' })).toBe(false)
    const changed = { ...before, content: contentOf('changed'), version: 2 }
    expect(await events.replace(before, changed)).toBe('changed')
    await events.put('ann', [late], [], 10)
    await transfers.finish('c', sides)

    const found = await events.readMany(['before', 'late'])
    expect(found.map(({ accountId, content }) => `${accountId} ${content.title}`).toSorted()).toEqual([
      'ben before',
      'ben late',
    ])
    expect(await calendars.readMany(['c'])).toMatchObject([{ accountId: 'ben', name: 'Work' }])
    // The same file once more finds them.
    const uids = ['before@elsewhere', 'late@elsewhere']
    expect([...(await events.withUids('ben', uids)).keys()].toSorted()).toEqual(uids)
  })
})
