/** The accounts that may come in. */
import type { Accounts } from '../core/accounts/index.ts'

/** The ids of all active accounts, page by page. */
export async function* activeAccounts({ administration }: Pick<Accounts, 'administration'>): AsyncIterable<string> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await administration.list(200, cursor)
    for (const { id, status } of page.items) if (status === 'active') yield id
    cursor = page.nextCursor
  }
}
