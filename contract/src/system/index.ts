/** The interface itself: its description, and events for open pages. */
import { area } from '../area.ts'
import { systemDescription } from './area.ts'
import { z } from 'zod'
import { AccountEvent } from '../events.ts'
import { routes } from '../route.ts'

export { AccountEvent } from '../events.ts'

export const systemRoutes = routes({
  events: {
    method: 'get',
    path: '/api/events',
    access: 'user',
    summary: 'What changes in the account, for pages that are open',
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    returns: z.never(),
    stream: AccountEvent,
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
  shapes: { AccountEvent },
})
