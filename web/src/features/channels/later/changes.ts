/** What is done to scheduled messages and reminders. */
import { type ChannelMessage, channelsRoutes as routes, type ScheduledMessage } from '@atrium/contract/channels'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { toast } from '../../../ui/toaster.tsx'
import { translate } from 'virtual:words/channels-later'

const say = (word: string, values?: Record<string, string>): string => translate(`channels-later:${word}`, values)

export const refreshLater = async (): Promise<void> => {
  await Promise.all([refresh(routes.scheduled), refresh(routes.reminders)])
}

onAccountEvent('channel-later-changed', () => void refreshLater())

export async function remindOf({ id }: ChannelMessage, at: Date): Promise<void> {
  await said(async () => {
    const { remindAt } = await call(routes.remind, { params: { messageId: id }, body: { remindAt: at.toISOString() } })
    toast(say('willRemind', { when: formatDateTime(remindAt) }))
  })
}

export async function forgetReminder({ id }: ChannelMessage): Promise<void> {
  await said(async () => {
    await call(routes.forgetReminder, { params: { messageId: id } })
    toast(say('forgotten'))
  })
}

export async function sendNow({ id }: ScheduledMessage): Promise<void> {
  await said(async () => {
    await call(routes.sendScheduled, { params: { scheduledId: id } })
    toast(say('sent'))
  })
}

/** Deletes one; until the toast is gone it can be scheduled again. */
export async function deleteScheduled({
  id,
  channelId,
  parentId,
  inChannel,
  content,
  attachments,
  models,
  sendAt,
}: ScheduledMessage) {
  await said(async () => {
    await call(routes.unschedule, { params: { scheduledId: id } })
    const again = async () =>
      void (await call(routes.schedule, {
        params: { channelId },
        body: {
          content,
          sendAt,
          ...(attachments.length === 0 ? {} : { attachmentIds: attachments.map((file) => file.id) }),
          ...(models.length === 0 ? {} : { models }),
          ...(parentId === null ? {} : { parentId, inChannel }),
        },
      }))
    toast(say('deleted'), {
      ms: 10_000,
      ...(Date.parse(sendAt) > Date.now() ? { action: { label: say('undo'), onClick: () => void said(again) } } : {}),
    })
  })
}

async function said(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  await refreshLater()
}
