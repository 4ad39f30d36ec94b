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
      'Get a ticket for one WebSocket. It is good once, for 30 seconds, as `ticket` in the query of `/ws`; what comes there are JSON texts `{seq, type, data}`, from `after` on, until the session ends (1008) or the server stops (1001). For `chat` the query also has `session`, the id of a chat, and may have `generation`; the socket closes with 1000 when the answer is done. For `events` a client may say `{type: "places", data: {places: {<stream>: <place>}}}`: then it also gets what happens in the other streams that the account follows, from these places on',
    body: z.strictObject({ audience: z.enum(socketAudiences).default('chat') }),
    returns: z.strictObject({ ticket: z.string(), expiresAt: Time }),
  },
})
