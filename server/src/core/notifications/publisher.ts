/** Publishes within transactions of the caller: what happened and who is told of it stand or fall together. */
import { NotificationContent, type NotificationKind, isAlwaysTold } from '@atrium/contract/notifications'
import { type AnyTransaction, inTables } from '../../platform/db/types.ts'
import { isUnreadable } from '../../platform/stored-json.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import type { NotificationsDeps, Publication, PublishedNotification, Publisher } from './context.ts'
import type { PreferenceStore } from './stores/preferences.ts'
import { contentJson } from './stores/content.ts'
import {
  changeNotification,
  deleteWithdrawn,
  endDueSnooze,
  insertNotification,
  markSettled,
  readBySource,
} from './stores/publications.ts'
import type { NotificationRow, NotificationTables } from './tables.ts'

export interface PublisherDeps extends NotificationsDeps {
  readonly readPreferences: PreferenceStore['read']
}

/** Make it before the transaction begins: keys and preferences are asked for here. */
export const createPublisher = async (
  { announce, clock, deliveries, prepareAnnouncement, readPreferences, vault, watch }: PublisherDeps,
  accountIds: readonly string[],
): Promise<Publisher & { wake(trx: AnyTransaction, snoozed: { id: string; accountId: string }): Promise<void> }> => {
  const event = { type: 'notifications-changed', data: {} } as const
  const preferences = await readPreferences([...new Set(accountIds)])
  const recipients = new Map(
    await Promise.all(
      [...preferences].map(async ([id, { kinds }]) => {
        const [keyring, announcement] = await Promise.all([vault.keyring(id), prepareAnnouncement(id, event)])
        return [id, { keyring, announcement, kinds }] as const
      }),
    ),
  )
  /** Told with the transaction, and after it. */
  const told = new Set<string>()
  const others = new Set<string>()
  let isAwaited = false

  const recipientOf = (accountId: string) => {
    const recipient = recipients.get(accountId)
    if (!recipient) throw new Error('The publisher was not made for this account.')
    return recipient
  }
  const spread = async (trx: AnyTransaction, published: PublishedNotification): Promise<void> => {
    await recipientOf(published.accountId).announcement.write(trx)
    await deliveries.value?.published(trx, published)
    if (await watch.value?.note(trx, published)) isAwaited = true
    told.add(published.accountId)
  }

  return {
    async publish(trx, publication) {
      const { keyring, kinds } = recipientOf(publication.accountId)
      const isHidden = !kinds[publication.kind].app && !isAlwaysTold(publication.kind)
      const published = await write(trx, publication, { keyring, hidden: isHidden ? 1 : 0 }, clock)
      if (published) await spread(trx, published)
    },

    /** One that was snoozed until now comes back. */
    async wake(trx, { id, accountId }) {
      const row = await endDueSnooze(inTables<NotificationTables>(trx), id, clock.now())
      if (!row || row.content === null || row.done_at !== null) return
      const kind = row.kind as NotificationKind
      await spread(trx, { id, accountId, kind, version: row.version, change: 'again' })
    },

    async withdraw(trx, { accountId, ...origin }) {
      const inTrx = inTables<NotificationTables>(trx)
      for (const id of await deleteWithdrawn(inTrx, origin, accountId)) others.add(id)
    },

    async settle(trx, { accountId, until, ...origin }) {
      const now = clock.now()
      const span = { accountId, until: until ?? now, now }
      if (await markSettled(inTables<NotificationTables>(trx), origin, span)) others.add(accountId)
    },

    async tell() {
      for (const id of told) await recipients.get(id)?.announcement.tell()
      for (const id of others) if (!told.has(id)) await announce(id, event)
      if (told.size > 0) deliveries.value?.wake()
      if (isAwaited) watch.value?.wake()
    },
  }
}

/** null: it stands so already, or its owner deleted it. */
const write = async (
  transaction: AnyTransaction,
  { accountId, sourceKey, about, again = false, kind, facts }: Publication,
  { keyring, hidden }: { readonly keyring: Keyring; readonly hidden: 0 | 1 },
  clock: NotificationsDeps['clock'],
): Promise<PublishedNotification | null> => {
  const trx = inTables<NotificationTables>(transaction)
  const now = clock.now()
  const content = NotificationContent.parse({ kind, facts })
  const row: NotificationRow = {
    id: clock.id(),
    account_id: accountId,
    kind,
    source_key: sourceKey,
    about: about ?? null,
    content: null,
    version: 1,
    happened_at: now,
    sorted_at: now,
    read_at: null,
    done_at: null,
    snoozed_until: null,
    hidden,
  }
  const sealed = (id: string) => contentJson.seal(keyring, id, content)
  if (await insertNotification(trx, Object.assign(row, { content: sealed(row.id) })))
    return { id: row.id, accountId, kind, version: 1, change: 'new' }
  const there = await readBySource(trx, accountId, sourceKey)
  if (!again && (there.content === null || isSame(keyring, there, content))) return null
  const { id } = there
  const version = there.version + 1
  const changes = { kind, about: row.about, content: sealed(id), version }
  const anew = { happened_at: now, sorted_at: now, read_at: null, done_at: null, snoozed_until: null, hidden }
  await changeNotification(trx, id, again ? Object.assign(changes, anew) : changes)
  return { id, accountId, kind, version, change: again ? 'again' : 'changed' }
}

const isSame = (keyring: Keyring, { id, content }: NotificationRow, wanted: NotificationContent): boolean => {
  try {
    const stood = contentJson.open(keyring, id, content ?? new Uint8Array())
    return contentJson.write(stood) === contentJson.write(wanted)
  } catch (error) {
    // What cannot be read is written anew.
    if (!isUnreadable(error)) throw error
    return false
  }
}
