/** Takes away what this browser shows of notifications that were read elsewhere. */
import { notificationsRoutes } from '@atrium/contract/notifications'
import { call } from '../../api/client.ts'
import { codeOf } from '../../api/errors.ts'

/** A screen holds few; the rest goes with the next change. */
const mostAsked = 10
/** What a test shows is no notification of the inbox. */
const testTag = 'test'

export async function closeRead(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  const shown = (await registration?.getNotifications()) ?? []
  const asked = shown.filter(({ tag }) => tag !== '' && tag !== testTag).slice(0, mostAsked)
  await Promise.all(
    asked.map(async (notification) => {
      if (!(await isUnread(notification.tag))) notification.close()
    }),
  )
}

async function isUnread(id: string): Promise<boolean> {
  try {
    const { readAt, doneAt } = await call(notificationsRoutes.one, { params: { id } })
    return readAt === null && doneAt === null
  } catch (error) {
    // One that was taken back is shown no longer; what the network keeps from us stays.
    return codeOf(error) !== 'notification_not_found'
  }
}
