/** The routes of the inbox. */
import {
  type Notification,
  type NotificationPreferences,
  type notificationsRoutes,
  longestSnoozeMs,
} from '@atrium/contract/notifications'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { NotificationsDeps } from './context.ts'
import type { PreferenceStore } from './stores/preferences.ts'
import type { InboxStore } from './stores/inbox.ts'
import type { NotificationRow } from './tables.ts'

export const inboxHandlers = ({
  announce,
  clock,
  deliveries,
  store,
}: Pick<NotificationsDeps, 'announce' | 'clock' | 'deliveries'> & { readonly store: InboxStore }): Omit<
  Handlers<typeof notificationsRoutes>,
  'events' | 'preferences' | 'updatePreferences'
> => {
  const tell = (accountId: string) => announce(accountId, { type: 'notifications-changed', data: {} })
  const read = async (accountId: string, id: string): Promise<Notification> => {
    const found = await store.read(accountId, id)
    if (!found) throw fail('notification_not_found')
    return found
  }
  const change = async (accountId: string, id: string, values: Partial<NotificationRow>): Promise<Notification> => {
    if (!(await store.change(accountId, id, values))) throw fail('notification_not_found')
    await tell(accountId)
    return await read(accountId, id)
  }
  const markAll = async (accountId: string, mark: 'read' | 'done', kind: string | undefined) => {
    const now = clock.now()
    const count = await store.markAll(accountId, mark, kind, now)
    if (count > 0) await tell(accountId)
    return { count, at: new Date(now).toISOString() }
  }

  return {
    list: ({ query }, { caller }) => store.page(caller.accountId, query, clock.now()),

    async unreadCount(_input, { caller: { accountId } }) {
      const now = clock.now()
      const [count, nextAt] = await Promise.all([store.countUnread(accountId, now), store.nextWake(accountId, now)])
      return { count, nextAt: nextAt === null ? null : new Date(nextAt).toISOString() }
    },

    readAll: ({ body }, { caller }) => markAll(caller.accountId, 'read', body.kind),
    doneAll: ({ body }, { caller }) => markAll(caller.accountId, 'done', body.kind),
    async undoAll({ body }, { caller: { accountId } }) {
      const count = await store.undoAll(accountId, Date.parse(body.at))
      if (count > 0) await tell(accountId)
      return { count }
    },

    one: ({ params }, { caller }) => read(caller.accountId, params.id),

    async deliveries({ params: { id } }, { caller: { accountId } }) {
      const [{ at }, isHidden, elsewhere] = await Promise.all([
        read(accountId, id),
        store.isHidden(accountId, id),
        deliveries.value?.outcomesOf(accountId, id) ?? [],
      ])
      const app = {
        way: 'app',
        state: isHidden ? 'not-sent' : 'sent',
        reason: isHidden ? 'kind-off' : null,
        at,
      } as const
      return { items: [app, ...elsewhere] }
    },

    async read({ params }, { caller: { accountId } }) {
      const before = await read(accountId, params.id)
      return before.readAt === null ? await change(accountId, params.id, { read_at: clock.now() }) : before
    },

    async update({ params: { id }, body }, { caller: { accountId } }) {
      const now = clock.now()
      const before = await read(accountId, id)
      const until = body.snoozedUntil && requireSnooze(body.snoozedUntil, now)
      if (before.snoozedUntil !== null && (body.snoozedUntil === null || body.done))
        await store.endSnooze(accountId, id)
      // What is snoozed comes back as if it were new.
      if (until)
        return await change(accountId, id, { snoozed_until: until, sorted_at: until, read_at: null, done_at: null })
      const isRead = body.done || body.read
      return await change(accountId, id, {
        ...(isRead === undefined ? {} : { read_at: isRead ? (timeOf(before.readAt) ?? now) : null }),
        ...(body.done === undefined ? {} : { done_at: body.done ? now : null }),
      })
    },

    async remove({ params }, { caller: { accountId } }) {
      if (!(await store.remove(accountId, params.id))) throw fail('notification_not_found')
      await tell(accountId)
      return {}
    },
  }
}

/** The routes of how one wants to be told. */
export const preferenceHandlers = ({
  announce,
  deliveries,
  preferences,
}: Pick<NotificationsDeps, 'announce' | 'deliveries'> & { readonly preferences: PreferenceStore }): Pick<
  Handlers<typeof notificationsRoutes>,
  'preferences' | 'updatePreferences'
> => {
  const ways = () => [...(deliveries.value?.ways ?? [])]
  return {
    async preferences(_input, { caller: { accountId } }) {
      const stored = (await preferences.read([accountId])).get(accountId) as NotificationPreferences
      return { ...stored, ways: ways() }
    },
    async updatePreferences({ body }, { caller: { accountId } }) {
      const stored = await preferences.change(accountId, body)
      await announce(accountId, { type: 'notification-preferences-changed', data: {} })
      return { ...stored, ways: ways() }
    },
  }
}

const timeOf = (time: string | null): number | null => (time === null ? null : Date.parse(time))

const requireSnooze = (time: string, now: number): number => {
  const until = Date.parse(time)
  if (until > now && until <= now + longestSnoozeMs) return until
  const message = until > now ? 'at most a year from now' : 'this time is over'
  throw fail('validation_failed', undefined, [{ path: 'body.snoozedUntil', message }])
}
