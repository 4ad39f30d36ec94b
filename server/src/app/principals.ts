/** Who a budget may be for. */
import type { Accounts } from '../core/accounts/index.ts'
import type { FindPrincipal } from '../core/usage/index.ts'

export const findPrincipals =
  (accounts: Pick<Accounts, 'user' | 'token' | 'groups'>): FindPrincipal =>
  async (type, id) => {
    if (type === 'account') {
      const user = await accounts.user(id)
      return user && { name: user.username, accountId: user.id }
    }
    if (type === 'token') return await accounts.token(id)
    const group = await accounts.groups.find(id)
    return group && { name: group.name, accountId: null }
  }
