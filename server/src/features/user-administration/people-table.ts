/** Accounts with what they keep and cost, on screen and as a table for a spreadsheet. */
import type { ListedPerson, ListedUser, accountRoutes } from '@atrium/contract/user-administration'
import type { Handlers } from '../../platform/http/area.ts'
import { toCsv } from '../../platform/http/csv.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { UserAdministrationContext } from './context.ts'

/** What is spent is that of so many days, today included. */
const spendDays = 30
const pageSize = 200
/** More than spreadsheets like. */
const mostRows = 20_000

export const peopleTableHandlers = (
  areas: UserAdministrationContext,
): Pick<Handlers<typeof accountRoutes>, 'list' | 'exportPeople'> => {
  const { administration } = areas.accounts
  const withUse = async (users: readonly ListedUser[]): Promise<ListedPerson[]> => {
    const ids = users.map(({ id }) => id)
    const [stored, { currency, amounts }] = await Promise.all([areas.storedBy(ids), areas.spentBy(ids, spendDays)])
    return users.map((user) =>
      Object.assign(user, {
        storedBytes: stored.get(user.id) ?? 0,
        spent: { amount: amounts.get(user.id) ?? '0', currency },
      }),
    )
  }

  return {
    async list({ query: { limit, cursor, ...wanted } }) {
      const { items, nextCursor } = await administration.page(wanted, limit, cursor)
      return { items: await withUse(items), nextCursor }
    },

    async exportPeople({ query }) {
      const people: ListedPerson[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await administration.page(query, pageSize, cursor)
        people.push(...(await withUse(page.items)))
        if (people.length > mostRows) throw fail('too_large', 'This table has more than 20,000 people. Add a filter.')
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      return {
        body: toCsv(columns, people.map(rowOf)),
        mediaType: 'text/csv; charset=utf-8',
        fileName: 'people.csv',
        disposition: 'attachment',
      }
    },
  }
}

/** The first five are those that an import reads. */
const columns = [
  ...['username', 'display_name', 'email', 'role', 'groups', 'status', 'sign_in', 'managed_by'],
  ...['created_at', 'last_active_at', 'stored_bytes', `spent_${spendDays}_days`, 'currency', 'id'],
]

const rowOf = (user: ListedPerson) => [
  ...[user.username, user.displayName, user.email, user.role, user.groups.map(({ name }) => name).join('; ')],
  ...[user.status, user.signIn.join('; '), user.managedBy, user.createdAt, user.lastActiveAt],
  ...[user.storedBytes, user.spent.amount, user.spent.currency, user.id],
]
