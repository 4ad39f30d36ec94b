/** Saves what somebody wants to be told of in a channel or a thread. */
import { type ChannelLevel, channelsRoutes as routes } from '@atrium/contract/channels'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { toast } from '../../../ui/toaster.tsx'
import { translate } from 'virtual:words/channels-notices'
import { changeChannel } from '../data/list.ts'

interface Change<L> {
  readonly level?: L
  readonly mutedUntil?: string | null
}

export async function saveChannelNotices(channelId: string, body: Change<ChannelLevel>): Promise<void> {
  await said(async () => {
    const notices = await call(routes.updatePreferences, { params: { channelId }, body })
    changeChannel(channelId, (channel) => ({ ...channel, notices }))
  })
}

export async function saveThreadNotices(messageId: string, body: Change<ChannelLevel | null>): Promise<void> {
  await said(async () => void (await call(routes.updateThreadPreferences, { params: { messageId }, body })))
}

async function said(work: () => Promise<void>): Promise<void> {
  try {
    await work()
    await refresh(routes.preferences)
    toast(translate('channels-notices:saved'))
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
}
