/** Invitations and links for new passwords, as administrators hand them out. Whoever has a link acts; no password passes through an administrator. */
import { invitations as routes } from '@atrium/contract/invitations'
import type { Accounts } from '../../core/accounts/index.ts'
import { type Area, defineArea } from '../../platform/http/area.ts'

export const invitations = ({ handedLinks }: Pick<Accounts, 'handedLinks'>): Area =>
  defineArea({
    name: 'user-administration',
    routes,
    handlers: {
      invitations: ({ query }) => handedLinks.list(query.limit, query.cursor),
      invite: ({ body }, context) => handedLinks.invite(body, context),
      async revokeInvitation({ params }, context) {
        await handedLinks.revoke(params.id, context)
        return {}
      },
      passwordLink: ({ params }, context) => handedLinks.passwordLink(params.id, context),
    },
  })
