/** From rows to what people see: names are looked up, content is opened. */
import { Selection } from '@atrium/contract/common'
import type {
  Channel,
  ChannelAnswer,
  ChannelAttachment,
  ChannelMember,
  ChannelMention,
  ChannelMessage,
  ChannelNotices,
  ChannelPerson,
  ChannelReaction,
  ThreadNotices,
} from '@atrium/contract/channels'
import type { Kysely } from 'kysely'
import { openWords } from '../../platform/stored-json.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../platform/iso-time.ts'
import { type ChannelContext } from './context.ts'
import { openForward, type StoredForward } from './messages/forwards.ts'
import { everybody, groupMark, groupOf, hereNow, isDirect, isMark, ownerOf, usualLevel } from './rules.ts'
import type { SeenChannel } from './stores/channels.ts'
import type { PreferenceRow } from './own-tables.ts'
import type {
  AnswerRow,
  AttachmentRow,
  ChannelRow,
  ChannelTables,
  MemberRow,
  MentionRow,
  MessageRow,
  ReactionRow,
} from './tables.ts'

type People = ReadonlyMap<string, ChannelPerson>

const personOf = (people: People, id: string): ChannelPerson => people.get(id) ?? { id, name: '', avatar: null }

/** What a channel is called; empty for direct messages. */
export const openName = (keys: Keyring, { id, name }: Pick<ChannelRow, 'id' | 'name'>): string =>
  name === null ? '' : openWords(keys, 'channels.name', id, name)

/** Channels as their reader sees them. */
export const presentChannels = async (
  { people, store, vault }: ChannelContext,
  rows: readonly SeenChannel[],
  callerId: string,
): Promise<Channel[]> => {
  const members = await store.members.ofChannels(rows.flatMap(({ id, type }) => (isDirect(type) ? [id] : [])))
  const named = await people.named([...new Set([...members.values()].flat())])
  const chosen = await store.preferences.ofChannels(
    callerId,
    rows.map(({ id }) => id),
  )
  return await Promise.all(
    rows.map(async (row): Promise<Channel> => {
      const keys = await vault.keyring(ownerOf(row.id))
      const words = (column: 'topic' | 'description') => {
        const sealed = row[column]
        return sealed === null ? null : openWords(keys, `channels.${column}`, row.id, sealed)
      }
      const others = (members.get(row.id) ?? []).filter((id) => id !== callerId)
      return {
        id: row.id,
        type: row.type,
        name: openName(keys, row),
        topic: words('topic'),
        description: words('description'),
        posting: row.posting,
        calling: row.calling,
        history: row.history,
        retentionDays: row.retention_days,
        memberCount: row.member_count,
        people: others.map((id) => personOf(named, id)),
        createdAt: toIsoTime(row.created_at),
        updatedAt: toIsoTime(row.updated_at),
        archivedAt: toIsoTimeOrNull(row.archived_at),
        latestMessageAt: toIsoTimeOrNull(row.latest_message_at),
        lastSeq: row.last_seq,
        isMember: row.role !== null,
        role: row.role,
        readSeq: row.read_seq ?? 0,
        unreadCount: row.unread,
        mentionCount: row.mentions,
        notices: channelNotices(row, chosen.get(row.id)),
      }
    }),
  )
}

/** What somebody chose for a channel, with what holds where they did not. */
export const channelNotices = (
  { type }: Pick<ChannelRow, 'type'>,
  row: PreferenceRow | null | undefined,
): ChannelNotices => ({
  level: row?.level ?? usualLevel(type),
  mutedUntil: toIsoTimeOrNull(row?.muted_until ?? null),
})

/** What somebody chose for a thread. */
export const threadNotices = (row: PreferenceRow | null): ThreadNotices => ({
  level: row?.level ?? null,
  mutedUntil: toIsoTimeOrNull(row?.muted_until ?? null),
})

export const rowToMember = (people: People, row: MemberRow): ChannelMember => ({
  user: personOf(people, row.account_id),
  role: row.role,
  joinedAt: toIsoTime(row.joined_at),
})

export const rowToAttachment = (keys: Keyring, row: AttachmentRow): ChannelAttachment => ({
  id: row.id,
  name: openWords(keys, 'channel_attachments.name', row.id, row.name),
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  width: row.width,
  height: row.height,
})

/** What messages hold beside their text. */
export interface MessageParts {
  readonly answers: ReadonlyMap<string, AnswerRow>
  readonly attachments: ReadonlyMap<string, readonly AttachmentRow[]>
  readonly reactions: ReadonlyMap<string, readonly ReactionRow[]>
  readonly mentions: ReadonlyMap<string, readonly MentionRow[]>
}

/** `from`: the transaction that has just changed them. */
export const readParts = async (
  { store }: ChannelContext,
  rows: readonly MessageRow[],
  from?: Kysely<ChannelTables>,
): Promise<MessageParts> => ({
  answers: await store.answers.ofMessages(rows, from),
  attachments: await store.attachments.ofMessages(rows, from),
  reactions: await store.reactions.ofMessages(rows, from),
  mentions: await store.mentions.ofMessages(rows, from),
})

/** Everybody whom messages show. */
const idsIn = (rows: readonly MessageRow[], { answers, reactions, mentions }: MessageParts): string[] => {
  const ids = new Set(rows.flatMap(({ author_id: id }) => id ?? []))
  for (const { asked_by: id } of answers.values()) if (id !== null) ids.add(id)
  for (const { account_id: id } of [...reactions.values(), ...mentions.values()].flat()) ids.add(id)
  return [...ids]
}

/** Messages of one channel, as every member sees them. */
export const presentMessages = async (
  context: ChannelContext,
  channelId: string,
  rows: readonly MessageRow[],
): Promise<ChannelMessage[]> => {
  if (rows.length === 0) return []
  const [keys, parts] = await Promise.all([context.vault.keyring(ownerOf(channelId)), readParts(context, rows)])
  const people = await nameAll(context, [...idsIn(rows, parts), ...forwardersIn(keys, rows)])
  return rows.map((row) => rowToMessage(keys, row, parts, people))
}

/** One message, as it is now. */
export const presentMessage = async (context: ChannelContext, row: MessageRow): Promise<ChannelMessage> => {
  const [message] = await presentMessages(context, row.channel_id, [row])
  return message as ChannelMessage
}

/** Those whom a message shows, for whoever tells of it within a transaction, where nobody can be looked up. */
export const findPeople = async (
  context: ChannelContext,
  rows: readonly MessageRow[],
  others: readonly string[] = [],
): Promise<People> => {
  const authors = await Promise.all(
    rows.map(async (row) => forwardersIn(await context.vault.keyring(ownerOf(row.channel_id)), [row])),
  )
  const shown = idsIn(rows, await readParts(context, rows))
  return await nameAll(context, [...new Set([...shown, ...authors.flat(), ...others])])
}

/** Who said what was forwarded. */
const forwardersIn = (keys: Keyring, rows: readonly MessageRow[]): string[] =>
  rows.flatMap((row) => openForward(keys, row)?.authorId ?? [])

/** Accounts by id, and groups by what stands for them among whom a message names. */
const nameAll = async ({ groups, people }: ChannelContext, ids: readonly string[]): Promise<People> => {
  const groupIds = ids.flatMap((id) => groupOf(id) ?? [])
  const [named, names] = await Promise.all([
    people.named(ids.filter((id) => !isMark(id))),
    groupIds.length === 0 ? new Map<string, string>() : groups.names(groupIds),
  ])
  const marks = [...names].map(([id, name]) => [groupMark(id), { id, name, avatar: null }] as const)
  return new Map<string, ChannelPerson>([...named, ...marks])
}

export const rowToMessage = (keys: Keyring, row: MessageRow, parts: MessageParts, people: People): ChannelMessage => ({
  id: row.id,
  channelId: row.channel_id,
  seq: row.seq,
  parentId: row.parent_id,
  inChannel: row.shown === 1,
  author: row.author_id === null ? null : personOf(people, row.author_id),
  answer: toAnswer(parts.answers.get(row.id), people),
  content: row.content === null ? '' : openWords(keys, 'channel_messages.content', row.id, row.content),
  forwarded: toForwarded(openForward(keys, row), people),
  mentions: (parts.mentions.get(row.id) ?? []).map(({ account_id: id }) => toMention(id, people)),
  attachments: (parts.attachments.get(row.id) ?? []).map((attachment) => rowToAttachment(keys, attachment)),
  reactions: groupReactions(keys, parts.reactions.get(row.id) ?? [], people),
  createdAt: toIsoTime(row.created_at),
  editedAt: toIsoTimeOrNull(row.edited_at),
  deletedAt: toIsoTimeOrNull(row.deleted_at),
  pinnedAt: toIsoTimeOrNull(row.pinned_at),
  replyCount: row.reply_count,
  lastReplyAt: toIsoTimeOrNull(row.last_reply_at),
})

const toForwarded = (forward: StoredForward | null, people: People): ChannelMessage['forwarded'] => {
  if (forward === null) return null
  const { authorId, ...rest } = forward
  return Object.assign(rest, { author: authorId === null ? null : (people.get(authorId) ?? null) })
}

const toMention = (id: string, people: People): ChannelMention => {
  if (id === everybody) return { kind: 'channel' }
  if (id === hereNow) return { kind: 'here' }
  const groupId = groupOf(id)
  if (groupId !== null) return { kind: 'group', group: { id: groupId, name: people.get(id)?.name ?? '' } }
  return { kind: 'person', user: personOf(people, id) }
}

const toAnswer = (row: AnswerRow | undefined, people: People): ChannelAnswer | null =>
  row
    ? {
        questionId: row.question_id,
        model: Selection.parse(JSON.parse(row.selection)),
        name: row.name,
        askedBy: row.asked_by === null ? null : personOf(people, row.asked_by),
        state: row.state,
        failure: row.failure,
      }
    : null

/** The name of a reaction's row under its seal. */
export const reactionName = (row: Pick<ReactionRow, 'message_id' | 'emoji_key' | 'account_id'>): string =>
  `${row.message_id}:${row.emoji_key}:${row.account_id}`

const groupReactions = (keys: Keyring, rows: readonly ReactionRow[], people: People): ChannelReaction[] =>
  [...Map.groupBy(rows, ({ emoji_key: key }) => key).values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    return [
      {
        emoji: openWords(keys, 'channel_reactions.emoji', reactionName(first), first.emoji),
        users: same.map(({ account_id: id }) => personOf(people, id)),
      },
    ]
  })
