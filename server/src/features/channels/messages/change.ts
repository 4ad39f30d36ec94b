/** Changing, deleting, pinning messages, and reacting to them. */
import type { channelsRoutes } from '@atrium/contract/channels'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../../platform/iso-time.ts'
import { type ChannelContext, openMessage, requireChannel, writeIn } from '../context.ts'
import { isFew, prepareNotices, withdrawMessage } from '../notices.ts'
import { forgetRuns, stopAnswer } from '../answers/ask.ts'
import { findPeople, presentMessage, reactionName, readParts, rowToMessage } from '../present.ts'
import { entryOf, holdsLink, isDirect, isEmoji, isMark, ownerOf, placesOf } from '../rules.ts'
import type { MemberRow, MessageRow, ReactionRow } from '../tables.ts'
import { mostPinned } from '../stores/messages.ts'
import { findCalled, followersOf, resolveMentions, toMentionRows } from './mentions.ts'
import { openForward } from './forwards.ts'
import { requireWords } from './post.ts'
import { hashWords } from './words.ts'

type Routes = Pick<typeof channelsRoutes, 'edit' | 'remove' | 'react' | 'unreact' | 'pin'>

export const changeHandlers = (context: ChannelContext): Handlers<Routes> => {
  const { clock, store, vault } = context

  /** A message that something can be done with, in a channel that is not archived. */
  const openLive = async (caller: Caller, messageId: string) => {
    const { row, resource } = await openMessage(context, caller, messageId, 'write')
    const channel = await requireChannel(context, row.channel_id)
    if (row.deleted_at !== null) throw fail('channel_message_not_found')
    if (channel.archived_at !== null) throw fail('channel_archived')
    return { row, channel, resource }
  }
  const present = async (id: string) => {
    const row = await store.messages.find(id)
    if (!row) throw fail('channel_message_not_found')
    return await presentMessage(context, row)
  }

  return {
    async edit({ params: { messageId }, body: { content, editedAt } }, { caller: { accountId }, caller }) {
      const { row, channel } = await openLive(caller, messageId)
      if (row.author_id !== accountId) throw fail('right_missing')
      requireWords(
        content,
        Array.from({ length: row.attachment_count + (row.forwarded === null ? 0 : 1) }, () => ''),
      )
      const member = await store.members.find(channel.id, accountId)
      if (!member) throw fail('channel_message_not_found')
      const outcome = await rewrite(context, row, member, content, editedAt)
      if (outcome !== 'done') throw fail(outcome)
      return await present(messageId)
    },

    async remove({ params: { messageId } }, request) {
      const { caller } = request
      const { row, resource } = await openMessage(context, caller, messageId, 'write')
      const channel = await requireChannel(context, row.channel_id)
      const answer = row.author_id === null ? await store.answers.find(row.id) : null
      const isOwn = row.author_id === caller.accountId || answer?.asked_by === caller.accountId
      if (!isOwn && (resource.right === 'write' || isDirect(channel.type))) throw fail('right_missing')
      if (answer) await stopAnswer(context, answer)
      // What nobody asks any more is not answered.
      for (const pending of await store.answers.pendingTo(row.id)) await stopAnswer(context, pending)
      await bury(context, row, isOwn ? null : request)
      if (answer) await forgetRuns(context, row.channel_id, [row.id])
      return {}
    },

    async react({ params: { messageId }, body: { emoji } }, { caller: { accountId }, caller }) {
      const { row, channel } = await openLive(caller, messageId)
      if (!isEmoji(emoji))
        throw fail('validation_failed', undefined, [{ path: 'body.emoji', message: 'this isn’t an emoji' }])
      const keys = await vault.keyring(ownerOf(channel.id))
      const user = (await context.people.named([accountId])).get(accountId)
      const named = { message_id: row.id, account_id: accountId, emoji_key: emojiKey(context, channel.id, emoji) }
      const reaction: ReactionRow = {
        ...named,
        channel_id: channel.id,
        emoji: keys.seal('channel_reactions.emoji', reactionName(named), emoji),
        created_at: clock.now(),
      }
      const outcome = await writeIn(context, channel.id, async (trx, tell) => {
        const done = await store.reactions.add(trx, reaction)
        if (done === 'added' && user)
          await tell({
            type: 'reaction-added',
            data: { channelId: channel.id, messageId: row.id, seq: row.seq, emoji, user },
          })
        return done
      })
      if (outcome === 'full') throw fail('channel_reaction_limit')
      if (outcome === 'gone') throw fail('channel_message_not_found')
      return await present(messageId)
    },

    async unreact({ params: { messageId, emoji } }, { caller: { accountId }, caller }) {
      const { row, channel } = await openLive(caller, messageId)
      const user = (await context.people.named([accountId])).get(accountId)
      const named = { message_id: row.id, account_id: accountId, emoji_key: emojiKey(context, channel.id, emoji) }
      const isRemoved = await writeIn(context, channel.id, async (trx, tell) => {
        const done = await store.reactions.remove(trx, named)
        if (done && user)
          await tell({
            type: 'reaction-removed',
            data: { channelId: channel.id, messageId: row.id, seq: row.seq, emoji, user },
          })
        return done
      })
      if (!isRemoved) throw fail('channel_reaction_not_found')
      return await present(messageId)
    },

    async pin({ params: { messageId }, body: { pinned } }, { caller }) {
      const { row, channel, resource } = await openLive(caller, messageId)
      if (resource.right === 'write') throw fail('right_missing')
      const now = clock.now()
      const place = { channelId: channel.id, messageId: row.id, seq: row.seq }
      const outcome = await writeIn(context, channel.id, async (trx, tell) => {
        const fresh = await store.messages.findIn(trx, row.id)
        if (!fresh || fresh.deleted_at !== null) return 'channel_message_not_found'
        if ((fresh.pinned_at !== null) === pinned) return 'done'
        if (pinned && (await store.messages.countPinned(trx, channel.id)) >= mostPinned) return 'channel_pin_limit'
        await store.messages.update(trx, row.id, { pinned_at: pinned ? now : null })
        await (pinned
          ? tell({ type: 'message-pinned', data: { ...place, pinnedAt: toIsoTime(now) } })
          : tell({ type: 'message-unpinned', data: place }))
        return 'done'
      })
      if (outcome !== 'done') throw fail(outcome)
      return await present(messageId)
    },
  }
}

/** Takes a message away: files, words and events go in the same transaction as the text. `moderator`: who deletes it for another. */
const bury = async (
  context: ChannelContext,
  row: MessageRow,
  moderator: Pick<Context<Caller>, 'caller' | 'requestId' | 'address'> | null,
): Promise<void> => {
  const { audit, clock, files, indexes, store } = context
  const place = { channelId: row.channel_id, messageId: row.id, seq: row.seq, parentId: row.parent_id }
  const removed = { type: 'message-deleted' as const, data: place }
  const publisher = await context.notifications.publisher([])
  await writeIn(
    context,
    row.channel_id,
    async (trx, tell) => {
      const fresh = await store.messages.findIn(trx, row.id)
      if (!fresh || fresh.deleted_at !== null) return
      const held = (await store.attachments.ofMessages([fresh], trx)).get(row.id) ?? []
      await store.messages.bury(trx, fresh, clock.now())
      await files.remove(
        held.map(({ id }) => id),
        trx,
      )
      await indexes.texts.remove([entryOf(row.id)], trx)
      await tell.instead(placesOf(fresh), removed)
      await tell(removed)
      await withdrawMessage(publisher, trx, row.id)
      if (moderator)
        await audit.recordIn(trx, {
          ...actorOf(moderator),
          action: 'channel-message.delete',
          target: { type: 'channel', id: row.channel_id },
          details: { messageId: row.id, authorId: fresh.author_id },
        })
    },
    moderator ? 'audit' : undefined,
  )
  await publisher.tell()
}

/** Changes the text of a message, unless somebody changed it since the version that was read. */
const rewrite = async (
  context: ChannelContext,
  row: MessageRow,
  member: MemberRow,
  content: string,
  editedAt: string | null | undefined,
): Promise<'done' | 'conflict' | 'channel_message_not_found'> => {
  const { clock, indexes, store, vault } = context
  const channel = await requireChannel(context, row.channel_id)
  const keys = await vault.keyring(ownerOf(channel.id))
  const now = clock.now()
  const named = await resolveMentions(context, channel, member, content)
  const [words, people] = await Promise.all([
    hashWords(context, row, content, openForward(keys, row)?.content),
    findPeople(context, [row], [member.account_id, ...named]),
  ])
  const former = await store.mentions.list(row.id)
  // Who was called before is not called again, and who has come since was not called.
  const kept = former.map(({ account_id: id }) => id).filter((id) => isMark(id) && named.includes(id))
  const marks = named.filter((one) => isMark(one) && !kept.includes(one))
  const called = new Map(await findCalled(context, channel, member.account_id, marks))
  const gone = former.filter(({ account_id: id, via }) => !isMark(id) && !named.includes(id) && !kept.includes(via))
  for (const { account_id: id, via } of former) if (kept.includes(via) && !named.includes(id)) called.set(id, via)
  const notices = await prepareNotices(
    context,
    channel,
    row,
    { text: content, author: people.get(member.account_id), named, called },
    { before: row.seq, gone: gone.map(({ account_id: id }) => id) },
  )
  const outcome = await writeIn(context, channel.id, async (trx, tell) => {
    const fresh = await store.messages.findIn(trx, row.id)
    if (!fresh || fresh.deleted_at !== null) return 'channel_message_not_found'
    if ((await store.members.among(channel.id, [member.account_id], trx)).length === 0)
      return 'channel_message_not_found'
    if (editedAt !== undefined && toIsoTimeOrNull(fresh.edited_at) !== editedAt) return 'conflict'
    const changed: MessageRow = {
      ...fresh,
      content: keys.seal('channel_messages.content', row.id, content),
      mention_count: named.length,
      has_link: holdsLink(`${content} ${openForward(keys, row)?.content}`) ? 1 : 0,
      // Two changes within a millisecond are two versions.
      edited_at: Math.max(now, (fresh.edited_at ?? 0) + 1),
    }
    await store.mentions.replace(
      trx,
      row.id,
      toMentionRows(changed, member.account_id, named, isFew(called) ? called : undefined),
      kept,
    )
    if (row.parent_id !== null || fresh.reply_count > 0)
      await store.threads.follow(trx, followersOf(row, row.parent_id ?? row.id, named, member.account_id))
    await indexes.texts.remove([entryOf(row.id)], trx)
    await indexes.texts.put(words, trx)
    const message = rowToMessage(keys, changed, await readParts(context, [changed], trx), people)
    // Who reads the events from an earlier place finds the new words there: the old ones are gone.
    const [created = 0, ...edits] = placesOf(fresh)
    await tell.instead([created], { type: 'message-created', data: { message } })
    await tell.instead(edits, { type: 'channel-updated', data: { channelId: channel.id } })
    const place = await tell({ type: 'message-edited', data: { message } })
    changed.event_seqs = JSON.stringify([created, place])
    const { content: sealed, mention_count, has_link, edited_at, event_seqs } = changed
    await store.messages.update(trx, row.id, { content: sealed, mention_count, has_link, edited_at, event_seqs })
    await notices.publish(trx)
    return 'done'
  })
  if (outcome === 'done') await notices.tell()
  return outcome
}

const emojiKey = ({ vault }: ChannelContext, channelId: string, emoji: string): string =>
  vault.blindIndex('channel-reactions.emoji', `${channelId}\0${emoji}`)
