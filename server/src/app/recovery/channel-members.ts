/** Takes those out of channels who were removed since, and gives everybody the lesser of both roles. */
import { type Transaction, sql } from 'kysely'
import type { LaterState } from './later-state.ts'
import { keyOf } from './revocable.ts'

interface Member {
  readonly channel_id: string
  readonly account_id: string
  readonly role: string
  readonly joined_at: number | string
}

const roles = ['member', 'moderator', 'owner']
/** What goes with a member. */
const tablesOfMember = [
  'channel_members',
  'channel_preferences',
  'channel_drafts',
  'channel_reminders',
  'channel_thread_reads',
]

/**
 * Of a channel that was deleted since, everybody stays: bringing it back may be what the restore is for.
 * A channel that had an owner keeps one: whoever was made one since, or else the longest-serving moderator or member; where
 * nobody is left, its owners stay. `isThere` tells whether the restored backup has a table. Gives how many went or have a
 * lesser role.
 */
export const revokeMembers = async (
  trx: Transaction<unknown>,
  { rows: tables }: LaterState,
  isThere: (table: string) => boolean,
): Promise<number> => {
  const later = tables.get('channel_members')
  const channels = tables.get('channels')
  if (!later || !channels) return 0
  const ownTables = tablesOfMember.filter((table) => isThere(table))
  const { rows } = await sql<Member>`select channel_id, account_id, role, joined_at from channel_members
    order by joined_at, account_id`.execute(trx)
  const roleOf = (member: Member) => later.get(keyOf(['channel_id', 'account_id'], { ...member }))?.['role'] ?? null
  let count = 0
  for (const [channelId, members] of Map.groupBy(rows, ({ channel_id: id }) => id)) {
    if (!channels.has(JSON.stringify([channelId]))) continue
    const stay = members.filter((member) => roleOf(member) !== null)
    const had = members.some(({ role }) => role === 'owner')
    const spared = had && stay.length === 0 ? members.filter(({ role }) => role === 'owner') : []
    const gone = members.filter((member) => roleOf(member) === null && !spared.includes(member))
    const next = new Map(stay.map((member) => [member, lesser(member.role, String(roleOf(member)))]))
    if (had && stay.length > 0 && ![...next.values()].includes('owner')) {
      const heirs = stay.filter((member) => roleOf(member) === 'owner')
      const [heir] = heirs.length > 0 ? heirs : stay.toSorted((a, b) => place(next.get(b)) - place(next.get(a)))
      for (const one of heirs.length > 0 ? heirs : [heir]) if (one) next.set(one, 'owner')
    }
    for (const { account_id: accountId } of gone)
      for (const table of ownTables)
        await sql`delete from ${sql.table(table)}
          where channel_id = ${channelId} and account_id = ${accountId}`.execute(trx)
    const changed = [...next].filter(([member, role]) => role !== member.role)
    for (const [{ account_id: accountId }, role] of changed)
      await sql`update channel_members set role = ${role}
        where channel_id = ${channelId} and account_id = ${accountId}`.execute(trx)
    if (gone.length > 0)
      await sql`update channels set member_count = member_count - ${gone.length} where id = ${channelId}`.execute(trx)
    count += gone.length + changed.filter(([member, role]) => place(role) < place(member.role)).length
  }
  return count
}

const place = (role: string | undefined): number => roles.indexOf(role ?? '')
const lesser = (was: string, is: string): string => (place(is) < place(was) ? is : was)
