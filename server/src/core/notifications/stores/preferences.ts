/** How accounts want to be told. What they never chose is as usual; what cannot be read is as if never chosen. */
import {
  type NotificationKind,
  NotificationPreferences,
  type NotificationPreferencesPatch,
  type WaysOfKind,
  isAlwaysTold,
  notificationKinds,
} from '@atrium/contract/notifications'
import { fail } from '../../../platform/http/refusal.ts'
import { storedJson, unlessUnreadable } from '../../../platform/stored-json.ts'
import { z } from 'zod'
import type { NotificationsDeps } from '../context.ts'
import type { KeywordStore } from './keywords.ts'
import type { NotificationPreferenceRow, NotificationTables } from '../tables.ts'

const { kinds: _, ...members } = NotificationPreferences.shape
/** Kinds by name, as some may be gone with an area. */
const Stored = z
  .object({ ...members, kinds: z.record(z.string(), NotificationPreferences.shape.kinds.valueType) })
  .partial()
type Stored = z.infer<typeof Stored>
const storedPreferences = storedJson('notification_preferences.preferences', Stored)

const usualWays = { app: true, push: true, mail: 'off', webhook: true } as const
/** Where something else is usual. */
const otherWays: Partial<Readonly<Record<string, Partial<WaysOfKind>>>> = {
  alert: { mail: 'now' },
  'answer-finished': { push: false },
}
const usualWaysOf = (kind: NotificationKind): WaysOfKind => ({ ...usualWays, ...otherWays[kind] })

export type PreferenceStore = ReturnType<typeof createPreferenceStore>

export const createPreferenceStore = ({
  database,
  keywords,
  vault,
}: Pick<NotificationsDeps, 'database' | 'vault'> & { readonly keywords: Pick<KeywordStore, 'replace'> }) => {
  const tables = database.tables<NotificationTables>()
  const open = async (row: NotificationPreferenceRow): Promise<Stored> => {
    const keyring = await vault.keyring(row.account_id)
    return unlessUnreadable(() => storedPreferences.open(keyring, row.account_id, row.preferences), {})
  }

  return {
    /** Of these accounts, by id. */
    async read(accountIds: readonly string[]): Promise<ReadonlyMap<string, NotificationPreferences>> {
      if (accountIds.length === 0) return new Map()
      const rows = await tables
        .selectFrom('notification_preferences')
        .selectAll()
        .where('account_id', 'in', accountIds)
        .execute()
      const stored = new Map(await Promise.all(rows.map(async (row) => [row.account_id, await open(row)] as const)))
      return new Map(accountIds.map((id) => [id, complete(stored.get(id) ?? {})]))
    },

    /**
     * Takes a patch, or what makes one of what stands. Refuses with `validation_failed` what would silence what is never
     * silent, or have a letter beside those that accounts get of their safety in any case.
     */
    async change(
      accountId: string,
      wanted: NotificationPreferencesPatch | ((before: NotificationPreferences) => NotificationPreferencesPatch),
    ): Promise<NotificationPreferences> {
      if (typeof wanted !== 'function') requireTold(wanted)
      const keyring = await vault.keyring(accountId)
      const after = await database.write<NotificationTables, Stored>(async (trx) => {
        const row = await trx
          .selectFrom('notification_preferences')
          .selectAll()
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        const before: Stored = row
          ? unlessUnreadable(() => storedPreferences.open(keyring, accountId, row.preferences), {})
          : {}
        const patch = typeof wanted === 'function' ? wanted(complete(before)) : wanted
        const changed: Stored = { ...before, ...withoutUndefined(patch), kinds: { ...before.kinds, ...patch.kinds } }
        const preferences = storedPreferences.seal(keyring, accountId, changed)
        await trx
          .insertInto('notification_preferences')
          .values({ account_id: accountId, preferences })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ preferences }))
          .execute()
        if (patch.keywords) await keywords.replace(trx, accountId, patch.keywords)
        return changed
      })
      return complete(after)
    },

    async removeAccount(accountId: string): Promise<void> {
      for (const table of ['notification_preferences', 'notification_keywords'] as const)
        await tables.deleteFrom(table).where('account_id', '=', accountId).execute()
    },
  }
}

const requireTold = ({ kinds }: NotificationPreferencesPatch): void => {
  for (const kind of notificationKinds.filter(isAlwaysTold)) {
    const { app, mail } = kinds?.[kind] ?? usualWaysOf(kind)
    const path = `body.kinds.${kind}`
    if (!app)
      throw fail('validation_failed', undefined, [{ path: `${path}.app`, message: 'this kind can’t be turned off' }])
    if (mail !== 'off') {
      const message = 'leave it off: notices about your account are sent by mail in any case'
      throw fail('validation_failed', undefined, [{ path: `${path}.mail`, message }])
    }
  }
}

const complete = ({ kinds = {}, ...chosen }: Stored): NotificationPreferences => ({
  timeZone: 'UTC',
  digestAt: '08:00',
  onlyWhenAway: false,
  quietHours: Array.from({ length: 7 }, () => null),
  words: false,
  keywords: [],
  ...withoutUndefined(chosen),
  kinds: Object.fromEntries(
    notificationKinds.map((kind) => {
      const ways = kinds[kind] ?? usualWaysOf(kind)
      return [kind, isAlwaysTold(kind) ? { ...ways, mail: 'off' } : ways]
    }),
  ) as NotificationPreferences['kinds'],
})

const withoutUndefined = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
