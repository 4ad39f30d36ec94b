/** What changed, told to the open pages of accounts. */
import type { AccountEvent } from '@atrium/contract/system'
import type { Accounts } from '../core/accounts/index.ts'
import type { EventLog } from '../platform/events/types.ts'

export interface News {
  announce(accountId: string, event: AccountEvent): Promise<void>
  /** To every account that `accountIds` lists. */
  announceAll(event: AccountEvent): Promise<void>
}

/** `heard` is told first: whoever keeps something of an account in memory forgets it before the pages ask again. */
export const createNews = (
  events: EventLog,
  accountIds: () => AsyncIterable<string>,
  heard: (accountId: string, event: AccountEvent) => void,
): News => {
  const announce = async (accountId: string, event: AccountEvent): Promise<void> => {
    heard(accountId, event)
    await events.append({ id: `account:${accountId}`, accountId }, event)
  }
  return {
    announce,
    async announceAll(event) {
      for await (const accountId of accountIds()) await announce(accountId, event)
    },
  }
}

/** The ids of all accounts that may come in. */
export async function* accountIds({ administration }: Pick<Accounts, 'administration'>): AsyncIterable<string> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await administration.list(200, cursor)
    for (const { id, status } of page.items) if (status === 'active') yield id
    cursor = page.nextCursor
  }
}
