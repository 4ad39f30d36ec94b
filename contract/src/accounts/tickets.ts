/** Tickets for WebSockets: browsers send no header with them, and a session has no place in an address. */
import { z } from 'zod'
import { Time } from '../common.ts'
import { routes } from '../route.ts'

/**
 * What a ticket opens at `/ws`. `events`: what `/api/events` tells. `chat`: one answer of the chat that `session` names,
 * as `/api/chat/sessions/{sessionId}/events` does; `generation` names another one than the running or last.
 */
export const socketAudiences = ['chat', 'events'] as const
export type SocketAudience = (typeof socketAudiences)[number]

export const tickets = routes({
  websocketTicket: {
    method: 'post',
    path: '/api/auth/websocket-ticket',
    access: 'user',
    limit: 'ticket',
    noStore: true,
    summary:
      'Get a ticket for one WebSocket. It works once, within 30 seconds, as the `ticket` query parameter of `/ws`. The socket sends JSON texts `{seq, type, data}`, starting after `after`, until the session ends (1008) or the server stops (1001). For `chat`, also pass the chat id as `session` and optionally a `generation`; the socket closes with 1000 when the answer is done. For `events`, a client can send `{type: "places", data: {places: {<stream>: <place>}}}` to also receive the other streams that the account follows, from these places on',
    body: z.strictObject({ audience: z.enum(socketAudiences).default('chat') }),
    returns: z.strictObject({ ticket: z.string(), expiresAt: Time }),
  },
})
