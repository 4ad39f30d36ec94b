/** The state of the instance for those who run it: whether it can serve, and facts of its machine and its process. */
import { area } from '../area.ts'
import { systemDiagnosticsDescription } from './area.ts'
import { z } from 'zod'
import { bytes, routes } from '../route.ts'
import { InstanceHistory, InstanceReport } from './instance.ts'
import { SystemReport } from './shapes.ts'

export { InstanceHistory, type InstanceProcess, InstanceReport } from './instance.ts'
export { type ContainerEngine, type ContainerEngineReason, SystemReport } from './shapes.ts'

const Alive = z.strictObject({ status: z.literal('alive'), version: z.string() })

export const HealthCheck = z.strictObject({
  id: z.string(),
  /** `warn`: it works, and something should be looked at. */
  status: z.enum(['pass', 'warn', 'fail']),
  latencyMs: z.number(),
  /** What was seen, for whoever runs the instance. */
  message: z.string().nullable(),
})
export type HealthCheck = z.infer<typeof HealthCheck>

export const systemDiagnosticsRoutes = routes({
  health: {
    method: 'get',
    path: '/health',
    access: 'public',
    noStore: true,
    summary: 'The process runs: the same as `/health/live`',
    returns: Alive,
  },
  live: {
    method: 'get',
    path: '/health/live',
    access: 'public',
    noStore: true,
    summary: 'The process runs',
    returns: Alive,
  },
  ready: {
    method: 'get',
    path: '/health/ready',
    access: 'public',
    noStore: true,
    summary: 'The process can serve: 200, or 503 with the checks that fail, while it starts, and from SIGTERM on',
    returns: z.strictObject({
      status: z.literal('ready'),
      checks: z.array(z.strictObject({ id: z.string(), status: z.enum(['pass', 'fail']), latencyMs: z.number() })),
    }),
    errors: ['unavailable'],
  },
  deep: {
    method: 'get',
    path: '/health/deep',
    access: 'admin',
    noStore: true,
    summary:
      'What is cheap to check, made anew: database, data folder, and what alerts are made of. 200 with what should be looked at, or 503 with what fails. The doctor checks the rest',
    returns: z.strictObject({ status: z.literal('ready'), version: z.string(), checks: z.array(HealthCheck) }),
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
  instance: {
    method: 'get',
    path: '/api/system/instance',
    access: 'admin',
    noStore: true,
    summary: 'What the instance is doing: its processes, database, jobs, search, models and limits',
    returns: InstanceReport,
  },
  history: {
    method: 'get',
    path: '/api/system/history',
    access: 'admin',
    noStore: true,
    summary: 'What its processes did in the last hour, as far as this one was there',
    returns: InstanceHistory,
  },
  bundle: {
    method: 'get',
    path: '/api/system/bundle',
    access: 'admin',
    forPeople: true,
    proof: true,
    limit: 'account',
    noStore: true,
    audit: 'support-bundle.create',
    summary:
      'A support bundle (zip): these reports, the checks of the doctor, the configuration without secrets, the last lines of the log',
    returns: bytes,
  },
})

export const systemDiagnosticsArea = area(systemDiagnosticsDescription, {
  routes: systemDiagnosticsRoutes,
  shapes: { SystemReport, InstanceReport, InstanceHistory },
})
