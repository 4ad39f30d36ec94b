/** The channels that are open or were lately: their messages, and what happens to them. */
import type { ChannelEvent, ChannelMessage } from '@atrium/contract/channels'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { applyEvent, changeMessage, putMessage, type Timeline } from './timeline.ts'

export interface OpenState {
  /** Null until it was loaded. */
  readonly timeline: Timeline | null
  /** Why it could not be loaded. */
  readonly problem: unknown
  readonly loading: 'earlier' | 'later' | null
  /** The last try to load more did not succeed; nothing more is tried by itself. */
  readonly stuck: boolean
  /** A message to scroll to and flash; a new object each time it is asked for. */
  readonly target: { readonly messageId: string } | null
  /** What comes after the message of this number was new when the channel was opened. */
  readonly newFrom: number | null
  /** The mark stays at this number until the channel is opened anew: it was set back on purpose. */
  readonly held: number | null
  /** Of a thread that the account follows: all up to the message of this number is read. */
  readonly readSeq: number | null
  /** Counts up when the view should go to the end. */
  readonly sent: number
}

/** The messages of a channel, or of the thread below `rootId`. */
export interface OpenTimeline {
  readonly channelId: string
  readonly rootId: string | null
  readonly store: StoreApi<OpenState>
  /** How many components show it. */
  users: number
  /** What happens while it is read, for each answer that is on its way: it may be older. */
  readonly meanwhile: Set<ChannelEvent[]>
  opening: Promise<void> | null
}

const kept = 12
const open = new Map<string, OpenTimeline>()
const empty: OpenState = {
  timeline: null,
  problem: null,
  loading: null,
  stuck: false,
  target: null,
  newFrom: null,
  held: null,
  readSeq: null,
  sent: 0,
}

/** The open timeline; the least lately used ones beyond twelve are forgotten. */
export function openTimeline(channelId: string, rootId: string | null = null): OpenTimeline {
  const key = rootId ?? channelId
  const known = open.get(key)
  const one: OpenTimeline = known ?? {
    channelId,
    rootId,
    store: createStore<OpenState>(() => empty),
    users: 0,
    meanwhile: new Set(),
    opening: null,
  }
  open.delete(key)
  open.set(key, one)
  for (const [other, { users }] of open) if (open.size > kept && users === 0) open.delete(other)
  return one
}

/** Those of a channel: its own, and its threads. */
export const timelinesOf = (channelId: string): OpenTimeline[] =>
  [...open.values()].filter((one) => one.channelId === channelId)

/** Those that are on screen. */
export const shownTimelines = (): OpenTimeline[] => [...open.values()].filter(({ users }) => users > 0)

/** Forgets what is not on screen, so that it is read again when it is opened. */
export function forgetTimelines(channelId: string): void {
  for (const [key, one] of open) if (one.channelId === channelId && one.users === 0) open.delete(key)
}

export const useOpen = <T>(one: OpenTimeline, select: (state: OpenState) => T): T => useStore(one.store, select)

export function changeTimeline(one: OpenTimeline, step: (now: Timeline) => Timeline): void {
  const { timeline } = one.store.getState()
  if (!timeline) return
  const next = step(timeline)
  if (next !== timeline) one.store.setState({ timeline: next })
}

/** Shows a message as it is now wherever it is loaded. */
export function showMessage(message: ChannelMessage): void {
  for (const one of timelinesOf(message.channelId))
    changeTimeline(one, (now) => changeMessage(now, message.id, () => message))
}

/** Puts a message that was just sent where it belongs. */
export function addMessage(one: OpenTimeline, message: ChannelMessage): void {
  changeTimeline(one, (now) => putMessage(now, message))
}

/** Takes what happened in a channel into all that is open of it. */
export function takeEvents(channelId: string, events: readonly ChannelEvent[]): void {
  const at = new Date().toISOString()
  for (const one of timelinesOf(channelId)) {
    for (const heard of one.meanwhile) heard.push(...events)
    changeTimeline(one, (now) => events.reduce((state, event) => applyEvent(state, event, one.rootId, at), now))
  }
}
