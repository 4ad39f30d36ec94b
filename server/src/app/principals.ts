/** Who a budget may be for. */
import type { Accounts } from '../core/accounts/index.ts'
import type { FindPrincipal } from '../core/usage/index.ts'

export const findPrincipals =
  (accounts: Pick<Accounts, 'user' | 'token'>): FindPrincipal =>
  async (type, id) => {
    if (type === 'account') {
      const user = await accounts.user(id)
      return user && { name: user.username, accountId: user.id }
    }
    return type === 'token' ? await accounts.token(id) : null
  }
