/**
 * Channels: rooms and direct messages in which accounts talk with each other. A message is a row and an event, however
 * many people are in its channel. Membership is the only right to one: administrators read nothing, and no support access
 * opens one. It refuses to write a row for each member and message, and to fetch an address that stands in a message.
 */
import type { channelsRoutes } from '@atrium/contract/channels'
import type { FollowedStream } from '../../platform/events/types.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { answerHandlers } from './answers/handlers.ts'
import { answerKind, answerRunKind } from './answers/run-kind.ts'
import { attachmentHandlers } from './attachments.ts'
import { channelHandlers } from './channels.ts'
import type { ChannelContext, ChannelsDeps } from './context.ts'
import { catchUpHandlers } from './catch-up/handlers.ts'
import { draftHandlers } from './drafts.ts'
import { admitAfter, eventHandlers } from './events.ts'
import { reminderHandlers, reminderJobs } from './later/reminders.ts'
import { scheduledHandlers, scheduledJobs } from './later/scheduled.ts'
import { memberHandlers } from './members.ts'
import { changeHandlers } from './messages/change.ts'
import { forwardHandlers } from './messages/forward.ts'
import { mentionHandlers } from './messages/mentions.ts'
import { createUnattendedPosts, postHandlers } from './messages/post.ts'
import { readHandlers } from './messages/read.ts'
import { callJobs } from './notices.ts'
import { threadHandlers } from './messages/threads.ts'
import { preferenceHandlers } from './preferences.ts'
import { channelResources } from './resources.ts'
import { ownerOf, streamOf } from './rules.ts'
import { createChannelStores } from './stores/index.ts'
import { tidyJob, tidyJobs } from './tidy.ts'
import { channelTools } from './tools.ts'
import { typingHandlers } from './typing.ts'

export { channelMigrations } from './migrations.ts'
export { channelSealed } from './tables.ts'
export { tidyJob } from './tidy.ts'

export const createChannels = (deps: ChannelsDeps) => {
  const context: ChannelContext = {
    ...deps,
    store: createChannelStores(deps.database),
    sweepSoon: async () =>
      void (await deps.jobs.enqueue(tidyJob, {}, { accountId: null, key: 'soon', keyUntil: 'ended', again: true })),
  }
  deps.generations.register(answerKind, answerRunKind(context))
  const handlers: Handlers<typeof channelsRoutes> = {
    ...channelHandlers(context),
    ...memberHandlers(context),
    ...postHandlers(context),
    ...mentionHandlers(context),
    ...changeHandlers(context),
    ...readHandlers(context),
    ...threadHandlers(context),
    ...catchUpHandlers(context),
    ...attachmentHandlers(context),
    ...answerHandlers(context),
    ...eventHandlers(context),
    ...typingHandlers(context),
    ...preferenceHandlers(context),
    ...draftHandlers(context),
    ...forwardHandlers(context),
    ...reminderHandlers(context),
    ...scheduledHandlers(context),
  }
  const unattended = createUnattendedPosts(context)
  return {
    handlers,
    tools: channelTools(context, handlers, unattended),
    unattended,
    acquaintances: context.store.acquaintances.among,
    resources: channelResources(context),
    jobs: { ...tidyJobs(context), ...callJobs(context), ...scheduledJobs(context), ...reminderJobs(context) },
    async followedStreams(accountId: string): Promise<FollowedStream[]> {
      const floors = await context.store.history.floorsOf(accountId)
      return (await context.store.channels.idsOf(accountId)).map((id) => {
        const floor = floors.get(id)
        return { id: streamOf(id), accountId: ownerOf(id), admits: floor ? admitAfter(floor) : null }
      })
    },
  }
}
