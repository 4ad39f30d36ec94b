/** What may be done in a channel, and what it is called. Pure. */
import type { Channel, ChannelAnswer, ChannelMessage, ChannelPerson } from '@atrium/contract/channels'
import { formatList } from '../../lib/format.ts'
import { shownName } from './names.ts'

type Doer = Pick<Channel, 'type' | 'role' | 'archivedAt' | 'isMember' | 'posting'>

/** People who were chosen once, instead of a room with a name. */
export const isDirect = ({ type }: Pick<Channel, 'type'>): boolean => type === 'dm' || type === 'group'

const moderates = ({ role }: Pick<Channel, 'role'>): boolean => role === 'owner' || role === 'moderator'

export const canManage = (channel: Pick<Channel, 'type' | 'role'>): boolean =>
  channel.role === 'owner' && !isDirect(channel)

/** Why nothing can be written there; null: it can. */
export function findSilence(channel: Doer): 'join' | 'archived' | 'readOnly' | null {
  if (!channel.isMember) return 'join'
  if (channel.archivedAt !== null) return 'archived'
  return channel.posting === 'moderators' && !moderates(channel) && !isDirect(channel) ? 'readOnly' : null
}

/** Whether reactions, edits and pins are taken just now. */
const isOpen = ({ isMember, archivedAt }: Doer): boolean => isMember && archivedAt === null

export const canReact = (channel: Doer, { deletedAt }: ChannelMessage): boolean => isOpen(channel) && deletedAt === null

export const canEdit = (channel: Doer, { author, deletedAt }: ChannelMessage, meId: string): boolean =>
  isOpen(channel) && deletedAt === null && author?.id === meId

export const canPin = (channel: Doer, { deletedAt }: ChannelMessage): boolean =>
  isOpen(channel) && deletedAt === null && (isDirect(channel) || moderates(channel))

export const canRemove = (channel: Doer, { author, answer, deletedAt }: ChannelMessage, meId: string): boolean =>
  channel.isMember &&
  deletedAt === null &&
  ((author ?? answer?.askedBy)?.id === meId || (moderates(channel) && !isDirect(channel)))

/** Whoever asked, owners and moderators. */
export const canStop = (channel: Doer, { askedBy }: ChannelAnswer, meId: string): boolean =>
  channel.isMember && (askedBy?.id === meId || (moderates(channel) && !isDirect(channel)))

/** Anybody in a public channel, owners and moderators in a private one. */
export const canInvite = (channel: Doer): boolean =>
  isOpen(channel) && !isDirect(channel) && (channel.type === 'public' || moderates(channel))

/** Owners everybody, moderators members; nobody oneself, as that is called leaving. */
export const canRemoveMember = (channel: Doer, role: Channel['role']): boolean =>
  !isDirect(channel) && (channel.role === 'owner' || (channel.role === 'moderator' && role === 'member'))

/** What a channel is called on screen; direct messages by their people. */
export function nameOfChannel(
  { type, name, people }: Pick<Channel, 'type' | 'name' | 'people'>,
  nobody: string,
): string {
  if (type === 'public' || type === 'private') return name
  return people.length === 0 ? nobody : formatList(people.map((person) => shownName(person.name)))
}

/** A reaction as it is after one person gave it or took it back. */
export function withReaction(
  message: ChannelMessage,
  emoji: string,
  user: ChannelPerson,
  given: boolean,
): ChannelMessage {
  const known = message.reactions.find((one) => one.emoji === emoji)
  const users = (known?.users ?? []).filter(({ id }) => id !== user.id)
  if (given && known && users.length !== known.users.length) return message
  const next = { emoji, users: given ? [...users, user] : users }
  const reactions = known ? message.reactions.map((one) => (one === known ? next : one)) : [...message.reactions, next]
  return { ...message, reactions: reactions.filter((one) => one.users.length > 0) }
}
