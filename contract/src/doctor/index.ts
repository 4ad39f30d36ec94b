/**
 * The doctor: checks of the server, and of the way that people's requests take to it. The client measures that way and
 * the server judges what was measured, so that the page and the command line say the same.
 */
import { area } from '../area.ts'
import { doctorDescription } from './area.ts'
import { z } from 'zod'
import { Time, page } from '../common.ts'
import { routes } from '../route.ts'
import { probeBodyBytes } from '../measure.ts'

export const DoctorCheck = z.strictObject({
  /** Stable, such as `disk` or `proxy-buffering`. */
  id: z.string(),
  status: z.enum(['pass', 'warn', 'fail']),
  /** What was seen, and what to do about it, in English. */
  message: z.string(),
  /** What to write into which program's configuration. */
  fixes: z.array(
    z.strictObject({
      program: z.enum(['environment', 'shell', 'nginx', 'Caddy', 'Apache', 'HAProxy', 'Traefik', 'PostgreSQL']),
      lines: z.string(),
    }),
  ),
})
export type DoctorCheck = z.infer<typeof DoctorCheck>
export type DoctorFix = DoctorCheck['fixes'][number]

export const DoctorReport = z.strictObject({
  generatedAt: Time,
  checks: z.array(DoctorCheck),
  /** Lets the client measure the way to the server for ten minutes. */
  probeToken: z.string(),
})
export type DoctorReport = z.infer<typeof DoctorReport>

/** A check that was not passed when it was run by itself, until it passes again. */
export const Alert = z.strictObject({
  id: z.string(),
  /** The machine of the process that saw it; null for what is of the instance as a whole. */
  host: z.string().nullable(),
  status: z.enum(['warn', 'fail']),
  message: z.string(),
  since: Time,
})
export type Alert = z.infer<typeof Alert>

const Token = z.string().max(200)
const Milliseconds = z.number().min(0).max(600_000)
const Status = z.number().int().min(0).max(599)

/** What a client saw on the way to the server; each part may be missing. `status` is 0 where no answer came. */
export const Measurements = z.strictObject({
  /** Scheme, host and port that the client used. */
  origin: z.url({ protocol: /^https?$/ }).max(300),
  /** An event stream: when each event came, counted from the request. */
  stream: z.strictObject({ status: Status, eventsMs: z.array(Milliseconds).max(100) }).optional(),
  /** A request that is answered only after a while. */
  quiet: z.strictObject({ status: Status, askedMs: Milliseconds, endedMs: Milliseconds }).optional(),
  /** A large body. */
  body: z.strictObject({ status: Status, bytes: z.number().int().min(0) }).optional(),
  webSocket: z.strictObject({ opened: z.boolean() }).optional(),
})
export type Measurements = z.infer<typeof Measurements>

const ProbeEvent = z.strictObject({ type: z.literal('tick'), data: z.strictObject({ number: z.number().int() }) })

export const doctorRoutes = routes({
  report: {
    method: 'get',
    path: '/api/system/doctor',
    access: 'admin',
    noStore: true,
    limit: 'external',
    summary: 'Check the server',
    returns: DoctorReport,
  },
  alerts: {
    method: 'get',
    path: '/api/system/alerts',
    access: 'admin',
    noStore: true,
    summary: 'List current problems among what is checked every five minutes, oldest first',
    returns: page(Alert),
  },
  operatorReport: {
    method: 'post',
    path: '/api/system/doctor/operator',
    access: 'public',
    noStore: true,
    limit: 'external',
    summary: 'Check the server from the command line, with a token signed with the instance key',
    body: z.strictObject({ token: Token }),
    returns: DoctorReport,
  },
  stream: {
    method: 'get',
    path: '/api/system/doctor/stream',
    access: 'public',
    limit: 'external',
    summary: 'Stream ten events, a tenth of a second apart',
    query: z.strictObject({ token: Token }),
    returns: z.never(),
    stream: ProbeEvent,
  },
  quiet: {
    method: 'get',
    path: '/api/system/doctor/quiet',
    access: 'public',
    noStore: true,
    limit: 'external',
    summary: 'Respond after the given seconds of silence',
    query: z.strictObject({ token: Token, seconds: z.coerce.number().int().min(0).max(120) }),
    returns: z.strictObject({}),
  },
  body: {
    method: 'post',
    path: '/api/system/doctor/body',
    access: 'public',
    limit: 'external',
    summary: 'Receive a large body and discard it',
    query: z.strictObject({ token: Token }),
    upload: { maxBytes: 2 * probeBodyBytes },
    returns: z.strictObject({ bytes: z.number().int() }),
  },
  judge: {
    method: 'post',
    path: '/api/system/doctor/measurements',
    access: 'public',
    noStore: true,
    limit: 'external',
    summary: 'Evaluate what a client measured, and how this request arrived',
    query: z.strictObject({ token: Token }),
    body: Measurements,
    returns: z.strictObject({ checks: z.array(DoctorCheck) }),
  },
})

export const doctorArea = area(doctorDescription, {
  routes: doctorRoutes,
  shapes: { Alert, DoctorCheck, DoctorReport, Measurements },
})
