/** Events as rows and back, sealed with the keys of their owner. */
import { readableOf } from '../../../platform/stored-json.ts'
import { storedContent } from '../content.ts'
import type { CalendarDeps } from '../dependencies.ts'
import { boundsOf } from '../series/occurrences.ts'
import type { CalendarEventRow } from '../tables.ts'
import type { StoredEvent } from './events.ts'

/** So many are opened before others get their turn. */
const atOnce = 200

export const createEventRows = ({ vault }: Pick<CalendarDeps, 'vault'>) => {
  /** Keyed, of the UID by which other programs know an event. */
  const digestOf = (accountId: string, uid: string): string => vault.blindIndex('calendar-uid', `${accountId} ${uid}`)

  const seal = async (event: StoredEvent): Promise<CalendarEventRow> => {
    const { startsAt, endsAt } = boundsOf(event.content)
    return {
      id: event.id,
      account_id: event.accountId,
      calendar_id: event.calendarId,
      uid_digest: digestOf(event.accountId, event.content.uid),
      content: storedContent.seal(await vault.keyring(event.accountId), event.id, event.content),
      starts_at: startsAt,
      ends_at: endsAt,
      version: event.version,
      created_at: event.createdAt,
      updated_at: event.updatedAt,
      deleted_at: event.deletedAt,
    }
  }

  /** Those that can be read; in slices, so that others get their turn meanwhile. */
  const openAll = async (rows: readonly CalendarEventRow[]): Promise<StoredEvent[]> => {
    const found: StoredEvent[] = []
    const keyrings = new Map(
      await Promise.all(
        [...new Set(rows.map((row) => row.account_id))].map(async (id) => [id, await vault.keyring(id)] as const),
      ),
    )
    for (let begin = 0; begin < rows.length; begin += atOnce) {
      const slice = readableOf(rows.slice(begin, begin + atOnce), (row) => {
        const keyring = keyrings.get(row.account_id)
        if (!keyring) throw new Error('An account has no keyring.')
        return {
          id: row.id,
          accountId: row.account_id,
          calendarId: row.calendar_id,
          content: storedContent.open(keyring, row.id, row.content),
          version: row.version,
          createdAt: row.created_at,
          updatedAt: row.updated_at,
          deletedAt: row.deleted_at,
        }
      })
      found.push(...slice)
      if (begin + atOnce < rows.length) await new Promise(setImmediate)
    }
    return found
  }

  return { digestOf, seal, openAll }
}
