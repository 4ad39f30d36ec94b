/** The route of tickets for WebSockets. */
import type { accountsRoutes } from '@atrium/contract/accounts'
import type { Handlers } from '../../../platform/http/area.ts'
import type { AccountContext } from '../context.ts'

export const ticketHandlers = ({
  tickets,
}: AccountContext): Pick<Handlers<typeof accountsRoutes>, 'websocketTicket'> => ({
  async websocketTicket({ body }, { caller }) {
    const { ticket, expiresAt } = await tickets.issue(caller, body.audience)
    return { ticket, expiresAt: new Date(expiresAt).toISOString() }
  },
})
