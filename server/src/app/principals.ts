/** Who a budget may be for. */
import type { Accounts } from '../core/accounts/index.ts'
import type { ApiTokensArea } from '../core/api-tokens/index.ts'
import type { GroupsArea } from '../core/groups/index.ts'
import type { FindPrincipal } from '../core/usage/index.ts'

export const findPrincipals =
  (areas: {
    accounts: Pick<Accounts, 'user'>
    groups: Pick<GroupsArea, 'find'>
    apiTokens: Pick<ApiTokensArea, 'owner'>
  }): FindPrincipal =>
  async (type, id) => {
    if (type === 'account') {
      const user = await areas.accounts.user(id)
      return user && { name: user.username, accountId: user.id }
    }
    if (type === 'token') return await areas.apiTokens.owner(id)
    const group = await areas.groups.find(id)
    return group && { name: group.name, accountId: null }
  }
