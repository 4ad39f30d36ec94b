/**
 * What people are told of what concerns them: an inbox for each account, and the one function that publishes to it, in
 * the transaction of what happened. Areas say what they tell of in the contract (`notifications` of their description),
 * and publish facts: pages and letters write the sentences, in the language of the reader. It sends nothing itself, and
 * shows nobody the inbox of another.
 *
 *     const publisher = await notifications.publisher([accountId])
 *     await database.write(async (trx) => {
 *       // what happens
 *       await publisher.publish(trx, { accountId, kind: 'share', sourceKey: `grant:${id}`, facts: { … } })
 *     })
 *     await publisher.tell()
 *
 * `withdraw` takes back what is not so any more, and `settle` marks as read what was seen elsewhere. Who is in no
 * transaction calls `notifications.publish`.
 */
import {
  type Notification,
  type NotificationKind,
  type NotificationPreferences,
  notificationKinds,
} from '@atrium/contract/notifications'
import type { NotificationsDeps, Publication, Publisher } from './context.ts'
import { followHandlers } from './follow.ts'
import { inboxHandlers, preferenceHandlers } from './handlers.ts'
import { createKeywordStore } from './stores/keywords.ts'
import { createPreferenceStore } from './stores/preferences.ts'
import { createPublisher } from './publisher.ts'
import { createInboxStore } from './stores/inbox.ts'
import { every, notificationJobs } from './upkeep.ts'

export type { Deliveries, Publication, PublishedNotification, Publisher } from './context.ts'
export { endOfQuiet } from './quiet-hours.ts'
export { notificationMigrations, notificationSealed } from './tables.ts'

export interface Notifications {
  /**
   * Prepares to tell these accounts within a transaction: make it before the transaction begins. Each account costs the
   * transaction a few statements, so tell many in slices.
   */
  publisher(accountIds: readonly string[]): Promise<Publisher>
  /** Tells somebody in a transaction of its own. */
  publish(publication: Publication): Promise<void>
  /** One of an account as it is now, also where it is not in the inbox; null where it was withdrawn or deleted. */
  read(accountId: string, id: string): Promise<Notification | null>
  /** How an account wants to be told. */
  preferencesOf(accountId: string): Promise<NotificationPreferences>
  /** Whose keywords a text holds; of these accounts, or of all, some at a time. */
  watchersOf(text: string, among: readonly string[] | null): AsyncIterable<string[]>
  /** Those of these that are neither read nor put off, newest first. */
  unreadAmong(accountId: string, ids: readonly string[]): Promise<Notification[]>
  /** Sends an account no more mail about a kind, or no more digests. */
  stopMail(accountId: string, kind: NotificationKind | 'digest'): Promise<void>
  /** All there is of an account, for its export. */
  listAll(accountId: string): AsyncIterable<Notification[]>
}

export const createNotifications = (given: NotificationsDeps) => {
  const store = createInboxStore(given)
  const keywords = createKeywordStore(given)
  const preferences = createPreferenceStore({ ...given, keywords })
  const deps = { ...given, readPreferences: preferences.read }
  const api: Notifications = {
    publisher: (accountIds) => createPublisher(deps, accountIds),
    async publish(publication) {
      const publisher = await createPublisher(deps, [publication.accountId])
      await deps.database.write((trx) => publisher.publish(trx, publication))
      await publisher.tell()
    },
    read: store.read,
    preferencesOf: async (accountId) => (await preferences.read([accountId])).get(accountId) as NotificationPreferences,
    watchersOf: keywords.watchersOf,
    async stopMail(accountId, kind) {
      await preferences.change(accountId, ({ kinds }) => {
        const stopped = kind === 'digest' ? notificationKinds.filter((each) => kinds[each].mail === 'digest') : [kind]
        return { kinds: Object.fromEntries(stopped.map((each) => [each, { ...kinds[each], mail: 'off' }])) }
      })
      await deps.announce(accountId, { type: 'notification-preferences-changed', data: {} })
    },
    unreadAmong: (accountId, ids) => store.unreadAmong(accountId, ids, given.clock.now()),
    listAll: store.all,
  }
  return {
    api,
    handlers: {
      ...inboxHandlers({ ...deps, store }),
      ...followHandlers({ ...deps, store }),
      ...preferenceHandlers({ ...deps, preferences }),
    },
    jobs: notificationJobs(deps),
    every,
    async accountRemoved(accountId: string) {
      await store.removeAccount(accountId)
      await preferences.removeAccount(accountId)
    },
  }
}
