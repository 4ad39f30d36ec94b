/** Decisions about channels. Pure. */
import type { ChannelLevel, ChannelRole, ChannelType } from '@atrium/contract/channels'

/** Whose key seals what is in a channel: its own. */
export const ownerOf = (channelId: string): string => `channel:${channelId}`
/** The stream of what happens in it. */
export const streamOf = (channelId: string): string => `channel:${channelId}`
/** The partition of the index that holds its words. */
export const partitionOf = (channelId: string): string => `channel:${channelId}`
/** The entry of a message in the index. */
export const entryOf = (messageId: string): string => `channel-message:${messageId}`

/** The places of the events that hold the words of a message: of the first one, and of the last change. */
export const placesOf = ({ event_seqs: places }: { readonly event_seqs: string }): number[] =>
  JSON.parse(places) as number[]

/** Stands for everybody among whom a message names. */
export const everybody = '*'
/** Stands for those who are there when it is written. */
export const hereNow = '*here'
const groupSign = '*group:'
/** Stands for the members of a group. */
export const groupMark = (groupId: string): string => `${groupSign}${groupId}`
/** The group that something among whom a message names stands for; null for everything else. */
export const groupOf = (mark: string): string | null =>
  mark.startsWith(groupSign) ? mark.slice(groupSign.length) : null
/** Whether it stands for several people, and is no account. */
export const isMark = (named: string): boolean => named.startsWith(everybody)

/** Whether its people are chosen once and for all, and equal. */
export const isDirect = (type: ChannelType): boolean => type === 'dm' || type === 'group'

/** Whether somebody may what owners and moderators may. */
export const canModerate = (role: ChannelRole): boolean => role !== 'member'

/** Whether somebody of one role may remove somebody of another: moderators remove members, owners everybody. */
export const mayRemove = (role: ChannelRole, other: ChannelRole): boolean =>
  role === 'owner' || (role === 'moderator' && other === 'member')

/** Who takes over where no owner is left: the longest-serving moderator, else the longest-serving member. */
export const chooseHeir = <M extends { readonly role: ChannelRole }>(byTime: readonly M[]): M | undefined =>
  byTime.find(({ role }) => role === 'moderator') ?? byTime[0]

/** Of what members are told who chose nothing. */
export const usualLevel = (type: ChannelType): ChannelLevel => (isDirect(type) ? 'all' : 'mentions')

/** As what somebody is told of a message. */
export type NoticeKind = 'mention' | 'direct-message' | 'thread-reply' | 'keyword' | 'channel-post'

/** What somebody chose, of a channel or a thread. */
interface Chosen {
  readonly level: ChannelLevel | null
  readonly muted_until: number | null
}

/** Whether somebody wants to be told: what was chosen for the thread goes before what was for the channel, a mute before both. */
export const isWanted = (
  kind: NoticeKind,
  { channel, thread }: { readonly channel: Chosen | undefined; readonly thread: Chosen | undefined },
  now: number,
): boolean => {
  if ([channel, thread].some((chosen) => (chosen?.muted_until ?? 0) > now)) return false
  const isNaming = kind === 'mention' || kind === 'keyword'
  if (thread?.level) return thread.level === 'all' || (thread.level === 'mentions' && isNaming)
  if (channel?.level === 'nothing') return false
  return kind !== 'direct-message' || channel?.level !== 'mentions'
}

const letters = String.raw`\p{L}\p{N}`
const called = new RegExp(String.raw`(?<![${letters}._@-])@([${letters}][${letters}._@-]{0,63})`, 'gu')
/** So many people one message can name. */
export const mostNamed = 50

/**
 * Whom a text calls by `@`: names as they may be meant, each with what it is without the full stop or hyphen behind it,
 * and whether it calls everybody, or those who are there. Code is left out.
 */
export const readMentions = (
  text: string,
): { readonly names: readonly string[]; readonly channel: boolean; readonly here: boolean } => {
  const names = new Set<string>()
  let channel = false
  let here = false
  for (const [, name = ''] of withoutCode(text).matchAll(called)) {
    const plain = name.replace(/[._@-]+$/, '')
    if (plain.toLowerCase() === 'channel') channel = true
    else if (plain.toLowerCase() === 'here') here = true
    else {
      names.add(name)
      names.add(plain)
    }
  }
  return { names: [...names].slice(0, 2 * mostNamed), channel, here }
}

/** What stands between backticks is not said to anybody. */
const withoutCode = (text: string): string => text.replace(/(`+)[\s\S]*?\1/g, ' ')

/** Whether there is an address in a text. */
export const holdsLink = (text: string): boolean => /https?:\/\/[^\s/]/i.test(text)

const emoji = /^\p{RGI_Emoji}$/v
export const isEmoji = (text: string): boolean => emoji.test(text)
