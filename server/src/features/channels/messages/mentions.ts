/** Whom a message names: members of its channel, and everybody where its writer may call everybody. */
import { canModerate, everybody, readMentions } from '../rules.ts'
import type { ChannelContext } from '../context.ts'
import type { ChannelRow, MemberRow, MentionRow } from '../tables.ts'

/** Ids of members, and `*` for everybody. Who is no member is not named: nothing about the channel reaches them. */
export const resolveMentions = async (
  { people, store }: ChannelContext,
  channel: ChannelRow,
  { account_id: authorId, role }: Pick<MemberRow, 'account_id' | 'role'>,
  text: string,
): Promise<string[]> => {
  const { names, channel: callsAll } = readMentions(text)
  const found = await Promise.all(names.map((name) => people.byUsername(name)))
  const others = new Set(found.filter((id) => id !== null && id !== authorId) as string[])
  const named = await store.members.among(channel.id, [...others])
  const mayCall = channel.calling === 'members' || canModerate(role)
  return callsAll && mayCall ? [...named, everybody] : named
}

export const toMentionRows = (
  { id, channel_id, seq }: { readonly id: string; readonly channel_id: string; readonly seq: number },
  authorId: string,
  accountIds: readonly string[],
): MentionRow[] =>
  accountIds.map((accountId) => ({ message_id: id, account_id: accountId, channel_id, author_id: authorId, seq }))
