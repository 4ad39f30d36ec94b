/** Which channels the list shows, and where. Pure. */
import type { Channel } from '@atrium/contract/channels'
import { isQuiet } from '../notices/rules.ts'
import { isDirect, nameOfChannel } from '../rules.ts'
import { matchesQuery } from '../../../lib/match.ts'

export interface ChannelGroups {
  /** By name. */
  readonly rooms: readonly Channel[]
  /** Newest activity first. */
  readonly direct: readonly Channel[]
  readonly archived: readonly Channel[]
}

/** `nobody`: what a direct message is called whose people are gone. */
export function groupChannels(channels: readonly Channel[], words: string, nobody: string): ChannelGroups {
  const named = channels
    .map((channel) => ({ channel, name: nameOfChannel(channel, nobody) }))
    .filter(({ name }) => matchesQuery(words, name))
  const of = (fits: (channel: Channel) => boolean) => named.filter(({ channel }) => fits(channel))
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
  const only = ({ channel }: { channel: Channel }) => channel
  const lives = ({ archivedAt }: Channel) => archivedAt === null
  return {
    rooms: of((channel) => !isDirect(channel) && lives(channel))
      .sort(byName)
      .map(only),
    direct: of(isDirect)
      .sort((a, b) => latest(b.channel).localeCompare(latest(a.channel)))
      .map(only),
    archived: of((channel) => !isDirect(channel) && !lives(channel))
      .sort(byName)
      .map(only),
  }
}

const latest = ({ latestMessageAt, createdAt }: Channel): string => latestMessageAt ?? createdAt

/** As they stand in the list, one below the other. */
export const inOrder = ({ rooms, direct, archived }: ChannelGroups): Channel[] => [...rooms, ...direct, ...archived]

/** The channel `by` places further; from elsewhere the first one, at the ends none. */
export function neighbourOf(all: readonly Channel[], hereId: string | undefined, by: 1 | -1): Channel | undefined {
  const at = all.findIndex(({ id }) => id === hereId)
  return at < 0 ? all[0] : all[at + by]
}

/** The next one in which something waits, those that name the reader first; from the end it goes on at the beginning. */
export function nextUnread(all: readonly Channel[], hereId: string | undefined): Channel | undefined {
  const at = all.findIndex(({ id }) => id === hereId)
  const others = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))].filter(
    (channel) => !isQuiet(channel, Date.now()),
  )
  return (
    others.find(({ mentionCount, type, unreadCount }) => mentionCount > 0 || (type === 'dm' && unreadCount > 0)) ??
    others.find(({ unreadCount }) => unreadCount > 0)
  )
}
