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
    summary: 'Check that the process runs. Same as `/health/live`',
    returns: Alive,
  },
  live: {
    method: 'get',
    path: '/health/live',
    access: 'public',
    noStore: true,
    summary: 'Check that the process runs',
    returns: Alive,
  },
  ready: {
    method: 'get',
    path: '/health/ready',
    access: 'public',
    noStore: true,
    summary: 'Check that the process can serve: 200, or 503 with the failing checks, during start-up and after SIGTERM',
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
      'Check database, data folder and alert conditions: 200 with warnings, or 503 with what fails. The doctor checks the rest',
    returns: z.strictObject({ status: z.literal('ready'), version: z.string(), checks: z.array(HealthCheck) }),
    errors: ['unavailable'],
  },
  read: {
    method: 'get',
    path: '/api/system',
    access: 'admin',
    limit: 'diagnostics',
    noStore: true,
    summary: 'Get facts about the machine and the process that responds',
    returns: SystemReport,
  },
  instance: {
    method: 'get',
    path: '/api/system/instance',
    access: 'admin',
    noStore: true,
    summary: 'Get what the instance is doing: processes, database, jobs, search, models and limits',
    returns: InstanceReport,
  },
  history: {
    method: 'get',
    path: '/api/system/history',
    access: 'admin',
    noStore: true,
    summary: 'Get the last hour of the instance’s processes, as far as this process was running',
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
      'Download a support bundle (zip) with these reports, doctor checks, configuration without secrets, and recent log lines',
    returns: bytes,
  },
})

export const systemDiagnosticsArea = area(systemDiagnosticsDescription, {
  routes: systemDiagnosticsRoutes,
  shapes: { SystemReport, InstanceReport, InstanceHistory },
})
