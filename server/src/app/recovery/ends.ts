/** What does not outlive a restore: whoever was signed in then must sign in again, and no link of then opens anything. */
import { sql } from 'kysely'
import type { Database } from '../../platform/db/index.ts'
import { createPause } from '../../platform/pause.ts'
import { createSavedSettings } from '../../platform/settings/index.ts'
import { systemClock } from '../../platform/system-clock.ts'
import { openVault } from '../../platform/vault/vault.ts'

/** Sessions, one-time links, and what waits between two steps of a sign-in. */
const endedTables = [
  'socket_tickets',
  'identity_sessions',
  'auth_sessions',
  'one_time_links',
  'external_flows',
  'external_arrivals',
  'sign_in_challenges',
  'passkey_challenges',
]
/** What a copy must not send once more. */
const outgoingTables = ['mail_letters']
/** Settings by which an instance acts elsewhere, by the names of their rows. */
const outgoingSettings = ['mail', 'recovery-backup']

interface Ending {
  readonly asCopy: boolean
  readonly instanceKey: Buffer
  readonly now: () => number
}

/**
 * Ends them; with `asCopy` also what waits to be sent, and the mail server that was set up, and whatever else acts outside
 * is paused.
 */
export const endWhatDoesNotLast = async (database: Database, { asCopy, instanceKey, now }: Ending): Promise<void> => {
  const present = new Set((await database.tables<unknown>().introspection.getTables()).map(({ name }) => name))
  await database.write<unknown, void>(async (trx) => {
    for (const table of asCopy ? [...endedTables, ...outgoingTables] : endedTables)
      if (present.has(table)) await sql`delete from ${sql.table(table)}`.execute(trx)
    if (asCopy) await sql`delete from instance_settings where name in (${sql.join(outgoingSettings)})`.execute(trx)
  })
  if (!asCopy) return
  const vault = await openVault({ database, instanceKey, clock: systemClock })
  const saved = createSavedSettings({ database, vault, clock: systemClock, readVariable: () => undefined })
  try {
    await createPause(saved).begin(now())
  } finally {
    saved.close()
  }
}
