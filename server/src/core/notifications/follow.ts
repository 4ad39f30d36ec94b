/** Follows the inbox of an account, for programs that have no page open. */
import type { InboxEvent, notificationsRoutes } from '@atrium/contract/notifications'
import type { AccountEvent } from '@atrium/contract/events'
import type { Entry } from '../../platform/events/types.ts'
import type { Frame, Handlers } from '../../platform/http/area.ts'
import type { NotificationsDeps } from './context.ts'
import type { InboxStore } from './stores/inbox.ts'

const reset = { type: 'reset', data: {} } as const

export const followHandlers = ({
  clock,
  events,
  store,
}: Pick<NotificationsDeps, 'clock' | 'events'> & { readonly store: InboxStore }): Pick<
  Handlers<typeof notificationsRoutes>,
  'events'
> => ({
  async events({ query }, { caller: { accountId }, after: place, signal }) {
    const id = `account:${accountId}`
    const isFromPlace = place > 0 || query.after === 0
    const after = isFromPlace ? place : ((await events.lastSeqsAt([id], Infinity)).get(id) ?? 0)
    const frames = events.follow<AccountEvent | typeof reset>({ id, accountId }, after, signal, { reset })
    return inboxEvents(frames, async () => store.countUnread(accountId, clock.now()))
  },
})

async function* inboxEvents(
  frames: AsyncIterable<Entry<AccountEvent | typeof reset>>,
  countUnread: () => Promise<number>,
): AsyncGenerator<Frame<InboxEvent>> {
  for await (const { seq, event } of frames) {
    if (event.type !== 'notifications-changed' && event.type !== 'reset') continue
    const type = event.type === 'reset' ? 'reset' : 'changed'
    yield { seq, event: { type, data: { unreadCount: await countUnread() } } }
  }
}
