/** The instance itself: events for open pages. */
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
  live: {
    method: 'get',
    path: '/health/live',
    access: 'public',
    noStore: true,
    summary: 'The process runs',
    returns: z.strictObject({ status: z.literal('alive'), version: z.string() }),
  },
  ready: {
    method: 'get',
    path: '/health/ready',
    access: 'public',
    noStore: true,
    summary: 'The process can serve: 200, or 503 with the checks that fail',
    returns: z.strictObject({
      status: z.literal('ready'),
      checks: z.array(z.strictObject({ id: z.string(), status: z.enum(['pass', 'fail']), latencyMs: z.number() })),
    }),
    errors: ['unavailable'],
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
