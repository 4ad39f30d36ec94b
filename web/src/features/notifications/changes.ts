/** What can be done with notifications, and how lists follow what happens here and elsewhere. */
import { type Notification, notificationsRoutes } from '@atrium/contract/notifications'
import type { GivenBody } from '@atrium/contract/route'
import { onAccountEvent } from '../../api/account-events.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { toast } from '../../ui/toaster.tsx'
import { translate } from 'virtual:words/notifications'

export async function refreshNotifications(): Promise<void> {
  await Promise.all([refresh(notificationsRoutes.list), refresh(notificationsRoutes.unreadCount)])
}

onAccountEvent('notifications-changed', () => void refreshNotifications())

type Change = GivenBody<typeof notificationsRoutes.update>

/** Changes one; what takes it off the list says so, with a way back. */
export async function changeNotification(
  { id, readAt }: Pick<Notification, 'id' | 'readAt'>,
  body: Change,
  { isUnreadList = false }: { isUnreadList?: boolean } = {},
): Promise<void> {
  const change = changes.find(({ isMeant }) => isMeant(body, isUnreadList))
  const undo = change && change.undo(readAt !== null)
  await act(async () => {
    await call(notificationsRoutes.update, { params: { id }, body })
    if (undo) {
      toast(translate(`notifications:${change.said}`), {
        action: {
          label: translate('notifications:undo'),
          onClick: () => void changeNotification({ id, readAt }, undo),
        },
      })
    }
  })
}

/** What takes one off its list, and what brings it back as it was. */
const changes: readonly {
  readonly said: string
  isMeant(body: Change, isUnreadList: boolean): boolean
  undo(wasRead: boolean): Change
}[] = [
  { said: 'isDone', isMeant: ({ done }) => done === true, undo: (read) => ({ done: false, read }) },
  {
    said: 'isSnoozed',
    isMeant: ({ snoozedUntil }) => Boolean(snoozedUntil),
    undo: (read) => ({ snoozedUntil: null, read }),
  },
  { said: 'isRead', isMeant: ({ read }, isUnreadList) => isUnreadList && read === true, undo: () => ({ read: false }) },
]

export async function removeNotification({ id }: Pick<Notification, 'id'>): Promise<void> {
  await act(() => call(notificationsRoutes.remove, { params: { id } }))
}

/** Marks all, or all of a kind, with a way back. */
export async function changeAll(mark: 'readAll' | 'doneAll', kind: Notification['kind'] | undefined): Promise<void> {
  await act(async () => {
    const { at, count } = await call(notificationsRoutes[mark], { body: kind ? { kind } : {} })
    if (count === 0) return
    toast(translate(`notifications:${mark === 'readAll' ? 'allRead' : 'allDone'}`, { count }), {
      action: {
        label: translate('notifications:undo'),
        onClick: () => void act(() => call(notificationsRoutes.undoAll, { body: { at } })),
      },
    })
  })
}

/** Does something, tells why where that failed, and reads the lists again. */
async function act(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  await refreshNotifications()
}
