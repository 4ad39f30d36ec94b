/** How the messages of a channel or a thread are loaded: at once, page by page, around one, and after a gap. */
import {
  type Channel,
  type ChannelEvent,
  type ChannelMessage,
  channelsRoutes as routes,
} from '@atrium/contract/channels'
import { call } from '../../../api/client.ts'
import { codeOf, Problem } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query.ts'
import { channelQuery, dropChannel, knownChannel } from '../data/list.ts'
import { changeTimeline, type OpenTimeline } from './store.ts'
import { appendPage, applyEvent, prependPage, putMessage, reachesUnread, type Timeline } from './timeline.ts'

/** It comes on screen: what is known of it is up to date, as its events are taken while it is not seen, too. */
export async function enterTimeline(one: OpenTimeline): Promise<void> {
  one.users++
  const channel = knownChannel(one.channelId)
  const { timeline, problem } = one.store.getState()
  const from =
    one.rootId === null ? newFrom(channel) : newReplies(timeline?.messages ?? [], one.store.getState().readSeq)
  one.store.setState({ newFrom: from, held: null, target: null, stuck: false })
  if (timeline && problem === null && !timeline.hasNewer && reachesUnread(timeline, channel?.readSeq ?? 0)) return
  await loadTimeline(one)
  if (!channel && one.rootId === null) one.store.setState({ newFrom: newFrom(knownChannel(one.channelId)) })
}

export const leaveTimeline = (one: OpenTimeline): void => void one.users--

const newFrom = (channel: Channel | undefined): number | null =>
  channel && channel.unreadCount > 0 ? channel.readSeq : null

const newReplies = (messages: readonly ChannelMessage[], readSeq: number | null): number | null =>
  readSeq !== null && messages.some(({ seq }) => seq > readSeq) ? readSeq : null

/** Events may have been missed: reads the end again, and keeps what is loaded before it. */
export async function refreshTimeline(one: OpenTimeline): Promise<void> {
  // What is on its way may have been read before them.
  await one.opening
  const { timeline } = one.store.getState()
  if (!timeline || timeline.hasNewer) return loadTimeline(one)
  try {
    const joined = await hearMeanwhile(one, async (andThen) => {
      const items = await readLatest(one)
      const isJoined = items.length === 0 || items.some(({ id }) => timeline.messages.some((known) => known.id === id))
      if (isJoined) changeTimeline(one, (now) => andThen(items.reduce(putMessage, now)))
      return isJoined
    })
    if (!joined) return await reloadTimeline(one)
  } catch (error) {
    if (isGone(error)) return reloadTimeline(one)
  }
}

async function readLatest({ rootId, channelId }: OpenTimeline): Promise<readonly ChannelMessage[]> {
  if (rootId === null) return (await call(routes.messages, { params: { channelId }, query: { limit: 100 } })).items
  const { root, items } = await call(routes.thread, { params: { messageId: rootId }, query: { limit: 100 } })
  return [root, ...items]
}

/** Loads it anew, and not by what is on its way already, which may have been read before what calls for it. */
export async function reloadTimeline(one: OpenTimeline): Promise<void> {
  await one.opening
  await loadTimeline(one)
}

/** Loads it, once. Errors end up in the state. */
export function loadTimeline(one: OpenTimeline): Promise<void> {
  one.opening ??= read(one).finally(() => {
    one.opening = null
  })
  return one.opening
}

async function read(one: OpenTimeline): Promise<void> {
  try {
    await replace(one, () => (one.rootId === null ? readChannel(one) : readThread(one, one.rootId)))
    one.store.setState({ problem: null, stuck: false })
  } catch (error) {
    if (isGone(error) && one.rootId === null) dropChannel(one.channelId)
    // While something is on screen, a passing failure is no reason to take it away.
    if (isGone(error) || !one.store.getState().timeline) one.store.setState({ problem: error })
  }
}

/** Puts what is read in the place of what is there, with what happened meanwhile. */
const replace = (one: OpenTimeline, work: () => Promise<Timeline>): Promise<void> =>
  hearMeanwhile(one, async (andThen) => {
    const timeline = await work()
    one.store.setState({ timeline: andThen(timeline) })
  })

/** Gives `work`, which reads, the way to put on top of what it read all that has happened since it began. */
async function hearMeanwhile<T>(
  one: OpenTimeline,
  work: (andThen: (read: Timeline) => Timeline) => Promise<T>,
): Promise<T> {
  const heard: ChannelEvent[] = []
  one.meanwhile.add(heard)
  try {
    return await work((read) => {
      const at = new Date().toISOString()
      return heard.reduce((state, event) => applyEvent(state, event, one.rootId, at), read)
    })
  } finally {
    one.meanwhile.delete(heard)
  }
}

const isGone = (error: unknown): boolean => ['channel_not_found', 'channel_message_not_found'].includes(codeOf(error))

/** So many messages that were not read are loaded at once; whoever missed more goes to them by a button. */
const mostPages = 3

async function readChannel(one: OpenTimeline): Promise<Timeline> {
  const params = { channelId: one.channelId }
  const channel = knownChannel(one.channelId) ?? (await queryClient.fetchQuery(channelQuery(one.channelId)))
  const limit = Math.min(100, Math.max(50, channel.unreadCount + 20))
  const page = await call(routes.messages, { params, query: { limit } })
  let now: Timeline = { messages: page.items, cursor: page.nextCursor, hasNewer: page.hasNewer }
  if (channel.unreadCount > 0) now = await reachUnread(one, now, channel.readSeq)
  return now
}

async function reachUnread(one: OpenTimeline, from: Timeline, readSeq: number): Promise<Timeline> {
  let now = from
  for (let page = 0; page < mostPages && !reachesUnread(now, readSeq) && now.cursor !== null; page++) {
    const query = { cursor: now.cursor, limit: 100 }
    now = prependPage(now, await call(routes.messages, { params: { channelId: one.channelId }, query }))
  }
  return now
}

/** A long thread is read to its beginning, as it is not windowed. */
async function readThread(one: OpenTimeline, messageId: string): Promise<Timeline> {
  const params = { messageId }
  const { root, items, nextCursor, readSeq } = await call(routes.thread, { params, query: { limit: 100 } })
  // The line above what is new stays while the thread is open.
  const { newFrom, timeline } = one.store.getState()
  one.store.setState({ readSeq, newFrom: timeline ? newFrom : newReplies(items, readSeq) })
  return { messages: [root, ...items], cursor: nextCursor, hasNewer: false }
}

/** Loads the page before the first message. */
export async function loadEarlier(one: OpenTimeline): Promise<void> {
  const { timeline, loading } = one.store.getState()
  const cursor = timeline?.cursor
  if (!cursor || loading) return
  one.store.setState({ loading: 'earlier', stuck: false })
  try {
    if (one.rootId === null) {
      const query = { cursor, limit: 50 }
      const page = await call(routes.messages, { params: { channelId: one.channelId }, query })
      changeTimeline(one, (now) => (now.cursor === cursor ? prependPage(now, page) : now))
    } else {
      const page = await call(routes.thread, { params: { messageId: one.rootId }, query: { cursor, limit: 100 } })
      changeTimeline(one, (now) => (now.cursor === cursor ? beforeReplies(now, page) : now))
    }
  } catch (error) {
    if (error instanceof Problem && error.code === 'bad_cursor') await loadTimeline(one)
    else one.store.setState({ stuck: true })
  } finally {
    one.store.setState({ loading: null })
  }
}

/** The first message of a thread stays the first. */
function beforeReplies(now: Timeline, page: { items: readonly ChannelMessage[]; nextCursor: string | null }): Timeline {
  const [root, ...replies] = now.messages
  const next = prependPage({ ...now, messages: replies }, page)
  return root ? { ...next, messages: [root, ...next.messages] } : next
}

/** Loads the page after the last message, where the channel was opened at an older one. */
export async function loadLater(one: OpenTimeline): Promise<void> {
  const { timeline, loading } = one.store.getState()
  const last = timeline?.messages.at(-1)
  if (!timeline?.hasNewer || !last || loading) return
  one.store.setState({ loading: 'later', stuck: false })
  try {
    const params = { channelId: one.channelId }
    const page = await call(routes.messages, { params, query: { after: last.id, limit: 50 } })
    changeTimeline(one, (now) => appendPage(now, page.items, page.hasNewer))
  } catch {
    one.store.setState({ stuck: true })
  } finally {
    one.store.setState({ loading: null })
  }
}

/** Shows one message, loading what is around it where needed. False where there is none. */
export async function goToMessage(one: OpenTimeline, messageId: string): Promise<boolean> {
  if (!one.store.getState().timeline) await loadTimeline(one)
  const isLoaded = () => one.store.getState().timeline?.messages.some(({ id }) => id === messageId) ?? false
  if (!isLoaded() && one.rootId === null) {
    try {
      await replace(one, () => readPage(one, { around: messageId }))
    } catch (error) {
      if (isGone(error)) return false
      throw error
    }
  }
  if (!isLoaded()) return false
  one.store.setState({ target: { messageId } })
  return true
}

/** Goes back to the end after the channel was opened at an older message. */
export async function goToEnd(one: OpenTimeline): Promise<void> {
  if (!one.store.getState().timeline?.hasNewer) return
  await replace(one, () => readPage(one, {}))
}

async function readPage({ channelId }: OpenTimeline, where: { around?: string }): Promise<Timeline> {
  const page = await call(routes.messages, { params: { channelId }, query: { limit: 50, ...where } })
  return { messages: page.items, cursor: page.nextCursor, hasNewer: page.hasNewer }
}

/** Loads back to what was not read, however much it is, and shows the first of it. */
export async function goToUnread(one: OpenTimeline, readSeq: number): Promise<void> {
  for (let before: string | null = null; ; ) {
    const { timeline } = one.store.getState()
    if (!timeline) return
    // Nothing came: the page says so, and has a button for another try.
    if (reachesUnread(timeline, readSeq) || timeline.cursor === before) break
    before = timeline.cursor
    await loadEarlier(one)
  }
  const first = one.store.getState().timeline?.messages.find(({ seq }) => seq > readSeq)
  if (first) one.store.setState({ target: { messageId: first.id } })
}
