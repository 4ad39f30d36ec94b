/** What happens in channels, as it comes: the open ones show it, the list counts it, and who cannot see it hears it. */
import { type ChannelEvent, type ChannelMessage, channelsRoutes as routes } from '@atrium/contract/channels'
import { useEffect } from 'react'
import { useMe } from '../../../api/account.ts'
import { keyOf, queryClient } from '../../../api/query.ts'
import { onStreamEvent } from '../../../api/stream-events.ts'
import { refreshThreads } from '../followed/data.ts'
import { refreshTimeline, reloadTimeline } from '../open/load.ts'
import { forgetTimelines, shownTimelines, takeEvents, timelinesOf } from '../open/store.ts'
import { changeChannel, dropChannel, isReadingChannels, refreshChannels } from './list.ts'

// What was read without a network may be old.
addEventListener('online', () => {
  for (const one of shownTimelines()) void refreshTimeline(one)
})

let stop: (() => void) | undefined
let listensFor = ''

/**
 * Takes what happens in all channels, from before they are read: call it ahead of the query. Nothing between the two is
 * lost then.
 */
export function useLiveChannels(): void {
  const { id } = useMe()
  useEffect(() => listen(id), [id])
}

function listen(meId: string): void {
  if (listensFor === meId) return
  listensFor = meId
  stop?.()
  stop = onStreamEvent<ChannelEvent>('channel:', (event, stream) => {
    const channelId = stream.slice('channel:'.length)
    if (event.type === 'reset' || event.type === 'closed') catchUp(channelId, event.type === 'closed')
    else takeChannelEvents(channelId, [event], meId)
  })
}

/** Something may have been missed, or the right to the channel has ended. */
function catchUp(channelId: string, isClosed: boolean): void {
  forgetTimelines(channelId)
  for (const one of timelinesOf(channelId)) void (isClosed ? reloadTimeline(one) : refreshTimeline(one))
  refreshChannels()
}

function takeChannelEvents(channelId: string, events: readonly ChannelEvent[], meId: string): void {
  takeEvents(channelId, events)
  for (const event of events) {
    if (changesThread(event)) refreshThreads()
    if (event.type === 'message-created') {
      count(event.data.message, meId)
      if (event.data.message.answer?.state !== 'pending') tell(event.data.message, meId)
    } else if (event.type === 'message-edited') {
      // An answer changes once: when it is there.
      if (event.data.message.answer) tell(event.data.message, meId)
    } else if (event.type === 'channel-updated') refreshChannels()
    else if (event.type === 'channel-deleted' || (event.type === 'member-removed' && event.data.userId === meId)) {
      dropChannel(channelId)
      for (const one of timelinesOf(channelId)) void reloadTimeline(one)
    } else if (event.type.startsWith('member-')) {
      void queryClient.invalidateQueries({ queryKey: keyOf(routes.members) })
      refreshChannels()
    } else if (event.type === 'message-pinned' || event.type === 'message-unpinned' || event.type === 'message-deleted')
      void queryClient.invalidateQueries({ queryKey: keyOf(routes.pins, { params: { channelId } }) })
  }
}

/** Whether it says something in a thread, or takes it back; who follows which, the server knows. */
function changesThread(event: ChannelEvent): boolean {
  if (event.type === 'message-created' || event.type === 'message-edited') return event.data.message.parentId !== null
  return event.type === 'message-deleted' && event.data.parentId !== null
}

function tell(message: ChannelMessage, meId: string): void {
  if (isShown(message.channelId))
    void import('./announce-arrival.ts').then(({ announceArrival }) => announceArrival(message, meId))
}

const isShown = (channelId: string): boolean => timelinesOf(channelId).some(({ users }) => users > 0)

/** The counts of the list, until the server says how many there are. */
function count(message: ChannelMessage, meId: string): void {
  const isOwn = message.author?.id === meId
  // Whether the account is among those whom `@here` or a group called, the server knows.
  const mayBeCalled = message.mentions.some(({ kind }) => kind === 'here' || kind === 'group')
  if (isReadingChannels() || mayBeCalled) refreshChannels()
  const isNamed = message.mentions.some(
    (one) => one.kind === 'channel' || (one.kind === 'person' && one.user.id === meId),
  )
  changeChannel(message.channelId, (channel) =>
    message.seq <= channel.lastSeq
      ? channel
      : {
          ...channel,
          lastSeq: message.seq,
          latestMessageAt: message.createdAt,
          unreadCount: channel.unreadCount + (isOwn || (message.parentId !== null && !message.inChannel) ? 0 : 1),
          mentionCount: channel.mentionCount + (!isOwn && isNamed ? 1 : 0),
        },
  )
}
