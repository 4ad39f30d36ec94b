/**
 * Whom a message calls: members that it names, and several at once by `@channel`, `@here` and groups, where its writer may
 * call everybody. Who is no member is never reached.
 */
import type { channelsRoutes } from '@atrium/contract/channels'
import { groupHandle } from '@atrium/contract/group-handle'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { canModerate, everybody, groupMark, groupOf, hereNow, isMark, readMentions } from '../rules.ts'
import { type ChannelContext, requireChannel } from '../context.ts'
import { presentMessage } from '../present.ts'
import type { ThreadReadRow } from '../own-tables.ts'
import type { ChannelRow, MemberRow, MentionRow } from '../tables.ts'

type Writer = Pick<MemberRow, 'account_id' | 'role'>

export const mentionHandlers = (
  context: ChannelContext,
): Handlers<Pick<typeof channelsRoutes, 'reach' | 'nextMention'>> => ({
  async reach({ body: { content } }, { resource: { id }, caller: { accountId } }) {
    const { people, store } = context
    const channel = await requireChannel(context, id)
    const member = await store.members.find(id, accountId)
    if (!member) throw fail('channel_not_found')
    const { people: named, marks, outsiders } = await readNames(context, channel, member, content)
    const shown = outsiders.slice(0, 20)
    const found = await people.named(shown)
    const count = marks.includes(everybody)
      ? channel.member_count - 1
      : new Set([...named, ...(await findCalled(context, channel, accountId, marks)).keys()]).size
    return { count, outsiders: shown.flatMap((one) => found.get(one) ?? []) }
  },

  async nextMention({ query: { afterSeq } }, { resource: { id }, caller: { accountId } }) {
    const { store } = context
    const member = await store.members.find(id, accountId)
    if (!member) throw fail('channel_not_found')
    const floor = await store.history.floorOf(id, accountId)
    const row = await store.mentions.next(id, accountId, Math.max(floor, afterSeq ?? member.read_seq))
    return { message: row && (await presentMessage(context, row)) }
  },
})

/** Ids of members, and what stands for several: `*` for everybody, those who are there, groups (`rules.ts`). */
export const resolveMentions = async (
  context: ChannelContext,
  channel: ChannelRow,
  writer: Writer,
  text: string,
): Promise<string[]> => {
  const { people, marks } = await readNames(context, channel, writer, text)
  return [...people, ...marks]
}

const readNames = async (
  { groups, people, store }: ChannelContext,
  channel: ChannelRow,
  { account_id: authorId, role }: Writer,
  text: string,
): Promise<{ people: string[]; marks: string[]; outsiders: string[] }> => {
  const { names, channel: callsAll, here } = readMentions(text)
  const ids = await Promise.all(names.map((name) => people.byUsername(name)))
  const others = [...new Set(ids.filter((id) => id !== null && id !== authorId) as string[])]
  const members = await store.members.among(channel.id, others)
  const marks: string[] = []
  if (channel.calling === 'members' || canModerate(role)) {
    if (callsAll) marks.push(everybody)
    if (here) marks.push(hereNow)
    const rest = new Set(names.filter((_, at) => ids[at] === null).map((name) => name.toLowerCase()))
    for (let cursor: string | undefined; rest.size > 0; ) {
      const page = await groups.list(200, cursor)
      for (const { id, name } of page.items) if (rest.has(groupHandle(name))) marks.push(groupMark(id))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
  }
  return { people: members, marks, outsiders: others.filter((id) => !members.includes(id)) }
}

/**
 * Whom these marks call beside those that are named, by account, each with its mark; `*` calls nobody here, as everybody
 * needs no row. `among`: of these members alone.
 */
export const findCalled = async (
  { groups, listPresent, store }: ChannelContext,
  channel: Pick<ChannelRow, 'id'>,
  authorId: string | null,
  named: readonly string[],
  among?: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const called = new Map<string, string>()
  for (const mark of named.filter((one) => isMark(one) && one !== everybody)) {
    const groupId = groupOf(mark)
    const ids =
      groupId === null
        ? await listPresent(among ?? (await store.members.idsOf(channel.id)))
        : await membersAmong(store, channel.id, await groups.memberIds(groupId), among)
    for (const id of ids) if (id !== authorId && !named.includes(id) && !called.has(id)) called.set(id, mark)
  }
  return called
}

const membersAmong = async (
  store: ChannelContext['store'],
  channelId: string,
  ids: readonly string[],
  among: readonly string[] | undefined,
): Promise<string[]> => {
  if (among) return ids.filter((id) => among.includes(id))
  const members: string[] = []
  for (let at = 0; at < ids.length; at += 500)
    members.push(...(await store.members.among(channelId, ids.slice(at, at + 500))))
  return members
}

export const toMentionRows = (
  { id, channel_id, seq }: { readonly id: string; readonly channel_id: string; readonly seq: number },
  authorId: string,
  named: readonly string[],
  called: ReadonlyMap<string, string> = new Map(),
): MentionRow[] => {
  const row = { message_id: id, channel_id, author_id: authorId, seq }
  return [
    ...named.map((account_id) => ({ ...row, account_id, via: '' })),
    ...[...called].map(([account_id, via]) => ({ ...row, account_id, via })),
  ]
}

/** Who follows a thread by a message in it: whom it names, for whom it is unread, and who wrote it. */
export const followersOf = (
  { channel_id, seq }: Pick<MentionRow, 'channel_id' | 'seq'>,
  rootId: string,
  named: readonly string[],
  authorId: string,
): ThreadReadRow[] => {
  const row = { channel_id, root_id: rootId }
  return [
    { ...row, account_id: authorId, read_seq: seq },
    ...named.filter((id) => !isMark(id)).map((account_id) => ({ ...row, account_id, read_seq: seq - 1 })),
  ]
}
