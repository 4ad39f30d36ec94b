/** The interface itself: its description, and events for open pages. */
import { area } from '../area.ts'
import { systemDescription } from './area.ts'
import { z } from 'zod'
import { AccountEvent } from '../events.ts'
import { routes } from '../route.ts'
import { AgoMs, ClientMessage, PlacesText, StreamNotice } from './live.ts'

export { AccountEvent } from '../events.ts'
export { AgoMs, ClientMessage, mostFollowed, mostPeopleShown, StreamNotice } from './live.ts'

export const systemRoutes = routes({
  events: {
    method: 'get',
    path: '/api/events',
    access: 'user',
    summary:
      'Follow changes in the account: after a place, or since everything was loaded `agoMs` ago. With `places`, also follow the account’s other streams, such as its channels, from these places on (`<stream>@<place>`, comma-separated). Streams you leave out continue from their end, or from where they were `agoMs` ago',
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional(),
      agoMs: AgoMs.optional(),
      places: PlacesText.optional(),
    }),
    returns: z.never(),
    stream: z.union([AccountEvent, StreamNotice]),
  },
  openapi: {
    method: 'get',
    path: '/api/openapi.json',
    access: 'public',
    summary: 'Get the OpenAPI 3.1 document of this API',
    returns: z.record(z.string(), z.unknown()),
  },
})

export const systemArea = area(systemDescription, {
  routes: systemRoutes,
  shapes: { AccountEvent, StreamNotice, ClientMessage },
})
