/** What administrators do to accounts: list, approve, disable, turn down. */
import type { User } from '@atrium/contract/authentication'
import { fail } from '../../../platform/http/refusal.ts'
import type { AccountParts } from '../types.ts'

export interface Administration {
  /** A page of all accounts, oldest first. Refuses with `bad_cursor`. */
  list(limit: number, cursor: string | undefined): Promise<{ items: User[]; nextCursor: string | null }>
  /** Refuses with `user_not_found`, `last_administrator`. Disabling ends every session of the account, and stops its tokens, at once. */
  setStatus(accountId: string, status: 'active' | 'disabled'): Promise<User>
  /** Removes an account that waits for approval, and its data key. Refuses with `user_not_found`. */
  reject(accountId: string): Promise<void>
}

export const createAdministration = (parts: AccountParts): Administration => {
  const { store, sessionList, tokenList, endings, clock, vault, removed } = parts
  return {
    list: (limit, cursor) => store.page(limit, cursor),

    async setStatus(accountId, status) {
      const now = clock.now()
      let ended: readonly string[] = []
      const user = await store.setStatus(accountId, status, now, async (trx) => {
        ended = status === 'disabled' ? await sessionList.end(trx, accountId, 'all', now) : []
      })
      // Tokens are not revoked, they only stop; an account that comes back has them again.
      const stopped = status === 'disabled' ? await tokenList.live(accountId, now) : []
      // Also when none was live: what is remembered of the account's standing is out of date.
      await endings.tell(accountId, [...ended, ...stopped])
      return user
    },

    async reject(accountId) {
      if (!(await store.removePending(accountId))) throw fail('user_not_found')
      await vault.removeAccount(accountId)
      await endings.tell(accountId, [])
      for (const hook of removed) await hook(accountId)
    },
  }
}
