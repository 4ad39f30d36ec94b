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
      'What changes in the account, for pages that are open: after a place, or since everything was loaded `agoMs` ago. With `places` also what happens in the other streams that the account follows, its channels for example, from these places on (`<stream>@<place>`, separated by commas; a stream that is not named goes on at its end, or where it was `agoMs` ago)',
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
    summary: 'This interface as an OpenAPI 3.1 document',
    returns: z.record(z.string(), z.unknown()),
  },
})

export const systemArea = area(systemDescription, {
  routes: systemRoutes,
  shapes: { AccountEvent, StreamNotice, ClientMessage },
})
