/** The state of the instance for those who run it: whether it can serve, and facts of its machine and its process. */
import { area } from '../area.ts'
import { systemDiagnosticsDescription } from './area.ts'
import { z } from 'zod'
import { routes } from '../route.ts'
import { SystemReport } from './shapes.ts'

export { type Engine, type EngineReason, SystemReport } from './shapes.ts'

export const systemDiagnosticsRoutes = routes({
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
  read: {
    method: 'get',
    path: '/api/system',
    access: 'admin',
    limit: 'diagnostics',
    noStore: true,
    summary: 'Facts of the machine and of the process that answers',
    returns: SystemReport,
  },
})

export const systemDiagnosticsArea = area(systemDiagnosticsDescription, {
  routes: systemDiagnosticsRoutes,
  shapes: { SystemReport },
})
