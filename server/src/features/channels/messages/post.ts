/** Writing in a channel: a message is a row and an event, however many people are in it. */
import type { ChannelMessage, channelsRoutes } from '@atrium/contract/channels'
import type { Handlers } from '../../../platform/http/area.ts'
import type { Input } from '@atrium/contract/route'
import { fail } from '../../../platform/http/refusal.ts'
import { type ChannelContext, requireChannel, writeIn } from '../context.ts'
import { isFew, prepareNotices } from '../notices.ts'
import { requireModel } from '../answers/prepare.ts'
import { type AskedModel, startAnswers } from '../answers/ask.ts'
import { openWords } from '../../../platform/stored-json.ts'
import { findPeople, openName, presentMessage, readParts, rowToMessage } from '../present.ts'
import { canModerate, holdsLink, ownerOf } from '../rules.ts'
import type { ChannelRow, MemberRow, MessageRow } from '../tables.ts'
import { findCalled, followersOf, resolveMentions, toMentionRows } from './mentions.ts'
import { forwardJson, type StoredForward } from './forwards.ts'
import { hashWords } from './words.ts'

type Routes = Pick<typeof channelsRoutes, 'post'>
type Body = Input<typeof channelsRoutes.post>['body']

/** What became of a message. Refusals come as words, as a transaction that is run again must not throw them. */
type Outcome =
  | { readonly stored: MessageRow }
  | 'id_reused'
  | 'channel_not_found'
  | 'channel_archived'
  | 'channel_message_not_found'
  | 'channel_attachment_not_found'

export const postHandlers = (context: ChannelContext): Handlers<Routes> => ({
  async post({ body }, { resource, caller }): Promise<ChannelMessage> {
    requireWords(body.content, body.attachmentIds)
    const { channel, member } = await requireWriter(context, resource.id, caller.accountId)
    const models = await findModels(context, caller.accountId, body)
    const outcome = await storeMessage(context, channel, member, body)
    if (typeof outcome === 'string') throw fail(outcome)
    await startAnswers(context, outcome.stored, caller.accountId, models)
    return await presentMessage(context, (await context.store.messages.find(outcome.stored.id)) ?? outcome.stored)
  },
})

/** Refuses with `channel_not_found` or `channel_muted` where an account may not write. */
export const requireWriter = async (context: ChannelContext, channelId: string, accountId: string) => {
  const channel = await requireChannel(context, channelId)
  const member = await context.store.members.find(channel.id, accountId)
  if (!member) throw fail('channel_not_found')
  if (channel.posting === 'moderators' && !canModerate(member.role)) throw fail('channel_muted')
  return { channel, member }
}

/** What is written for members while nobody is at a page. Refuses with `channel_archived`, too. */
export const createUnattendedPosts = (context: ChannelContext) => ({
  /** Whether an account is in a channel now. */
  isMember: async (accountId: string, channelId: string): Promise<boolean> =>
    (await context.store.members.find(channelId, accountId)) !== null,
  /** A message as a member reads it now; null: the account is none, or the message is gone. */
  async readMessage(accountId: string, messageId: string) {
    const row = await context.store.messages.find(messageId)
    if (!row || row.deleted_at !== null || row.content === null || row.author_id === null) return null
    const channel = await context.store.channels.find(row.channel_id)
    if (!channel || (await context.store.members.find(channel.id, accountId)) === null) return null
    if (row.seq <= (await context.store.history.floorOf(channel.id, accountId))) return null
    const keys = await context.vault.keyring(ownerOf(channel.id))
    const people = await context.people.named([row.author_id])
    return {
      channelId: channel.id,
      channelName: openName(keys, channel),
      author: people.get(row.author_id)?.name ?? '',
      content: openWords(keys, 'channel_messages.content', row.id, row.content),
      at: row.created_at,
      chatId: row.from_chat,
    }
  },
  /** Refuses where an account may not write in a channel now. */
  async requireWriter(accountId: string, channelId: string): Promise<void> {
    const { channel } = await requireWriter(context, channelId, accountId)
    if (channel.archived_at !== null) throw fail('channel_archived')
  },
  /**
   * Writes as an account; with the same id again it writes nothing. It calls nobody: a model may write any name. `fromChat`:
   * the chat in which a model does so.
   */
  async post(
    accountId: string,
    channelId: string,
    {
      fromChat = null,
      ...message
    }: { readonly id: string; readonly content: string; readonly fromChat?: string | null },
  ): Promise<void> {
    const { channel, member } = await requireWriter(context, channelId, accountId)
    const outcome = await storeMessage(context, channel, member, message, { calls: false, fromChat })
    // What it says may have been edited since it was sent.
    if (typeof outcome === 'string' && outcome !== 'id_reused') throw fail(outcome)
  },
})

/**
 * The models that are asked, each once. Refuses with `model_unavailable`, unless the message is there already: then what is
 * still missing begins, and fails by itself.
 */
export const findModels = async (
  context: ChannelContext,
  accountId: string,
  { id, models = [] }: Pick<Body, 'id' | 'models'>,
): Promise<AskedModel[]> => {
  const asked = [...new Map(models.map((selection) => [JSON.stringify(selection), selection])).values()]
  const isSent = id !== undefined && asked.length > 0 && (await context.store.messages.find(id)) !== null
  return await Promise.all(
    asked.map(async (selection) => ({
      selection,
      name: isSent ? selection.model : (await requireModel(context, accountId, selection)).name,
    })),
  )
}

/** Refuses with `validation_failed` where there is neither a text nor a file. */
export const requireWords = (content: string, attachmentIds: readonly string[] = []): void => {
  if (content.trim() !== '' || attachmentIds.length > 0) return
  throw fail('validation_failed', undefined, [{ path: 'body.content', message: 'write something, or attach a file' }])
}

/**
 * `calls`: whom it names is told. `forwarded`: what was said elsewhere and goes with it; `files`: copies of what it held. `fromChat`: the chat in which a model
 * sends it for its author.
 */
export const storeMessage = async (
  context: ChannelContext,
  channel: ChannelRow,
  member: MemberRow,
  body: Body,
  {
    calls = true,
    forwarded = null,
    files: copies = [],
    fromChat = null,
  }: {
    readonly calls?: boolean
    readonly forwarded?: StoredForward | null
    readonly files?: readonly string[]
    readonly fromChat?: string | null
  } = {},
): Promise<Outcome> => {
  const { clock, store: stores, vault, indexes } = context
  const { content, parentId = null, inChannel = false, attachmentIds = [], models = [] } = body
  const { account_id: authorId } = member
  const id = body.id ?? clock.id()
  const now = clock.now()
  const keys = await vault.keyring(ownerOf(channel.id))
  const files = [...new Set(attachmentIds)]
  const said = JSON.stringify([
    channel.id,
    authorId,
    content,
    parentId,
    inChannel,
    files,
    ...models,
    ...(forwarded ? [forwarded.messageId] : []),
  ])
  const named = calls ? await resolveMentions(context, channel, member, content) : []
  const called = await findCalled(context, channel, authorId, named)
  const draft: Omit<MessageRow, 'seq'> = {
    id,
    channel_id: channel.id,
    parent_id: parentId,
    author_id: authorId,
    print: vault.blindIndex('channel-messages.print', said),
    content: keys.seal('channel_messages.content', id, content),
    forwarded: forwarded && forwardJson.seal(keys, id, forwarded),
    from_chat: fromChat,
    shown: parentId === null || inChannel ? 1 : 0,
    attachment_count: files.length + copies.length,
    has_link: holdsLink(`${content} ${forwarded?.content}`) ? 1 : 0,
    mention_count: named.length,
    reaction_count: 0,
    reply_count: 0,
    last_reply_at: null,
    created_at: now,
    edited_at: null,
    deleted_at: null,
    pinned_at: null,
    event_seqs: '[]',
  }
  const [words, people] = await Promise.all([
    hashWords(context, draft, content, forwarded?.content),
    findPeople(context, [], [authorId, ...named, ...(forwarded?.authorId ? [forwarded.authorId] : [])]),
  ])
  const author = people.get(authorId)
  const notices = await prepareNotices(context, channel, draft, {
    text: content || (forwarded?.content ?? ''),
    author,
    named,
    called,
  })
  let isAwaited = false
  const outcome = await writeIn(context, channel.id, async (trx, tell): Promise<Outcome> => {
    // Whoever was removed a moment ago writes no more.
    if ((await stores.members.among(channel.id, [authorId], trx)).length === 0) return 'channel_not_found'
    const there = await stores.messages.findIn(trx, id)
    if (there) return there.print === draft.print && there.deleted_at === null ? { stored: there } : 'id_reused'
    if (parentId !== null && !(await isRoot(context, trx, channel.id, parentId))) return 'channel_message_not_found'
    const all = [...files, ...copies]
    const held = await stores.attachments.unsentOf(trx, channel.id, authorId, all, id)
    if (held.length < all.length) return 'channel_attachment_not_found'
    const seq = await stores.messages.nextSeq(trx, channel.id, now)
    if (seq === null) return 'channel_archived'
    const row: MessageRow = { ...draft, seq }
    await stores.messages.insert(trx, row, toMentionRows(row, authorId, named, isFew(called) ? called : undefined))
    if (parentId !== null) {
      await stores.threads.followRoot(trx, parentId)
      await stores.threads.follow(trx, followersOf(row, parentId, named, authorId))
      await stores.threads.followOwn(trx, authorId, parentId, seq)
    }
    await stores.attachments.assign(trx, id, all)
    // Whoever had read all has read this, too.
    await stores.members.follow(trx, channel.id, authorId, seq)
    await indexes.texts.put(words, trx)
    const message = rowToMessage(keys, row, await readParts(context, [row], trx), people)
    const place = await tell({ type: 'message-created', data: { message } })
    await stores.messages.update(trx, id, { event_seqs: JSON.stringify([place]) })
    await notices.publish(trx)
    isAwaited = (await context.watch.value?.note(trx, { channelId: channel.id, messageId: id })) ?? false
    return { stored: row }
  })
  if (typeof outcome === 'object') await notices.tell()
  if (isAwaited) context.watch.value?.wake()
  return outcome
}

type Trx = Parameters<Parameters<typeof writeIn>[2]>[0]

const isRoot = async (context: ChannelContext, trx: Trx, channelId: string, parentId: string): Promise<boolean> => {
  const parent = await context.store.messages.findIn(trx, parentId)
  return parent?.channel_id === channelId && parent.parent_id === null && parent.deleted_at === null
}
