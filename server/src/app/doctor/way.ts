/** The way to the server at the address that people use: measured from here, and judged by the server. */
import { type DoctorCheck, doctorRoutes, type Measurements } from '@atrium/contract/doctor'
import { measureBody, measureQuiet, measureStream, probeBodyBytes } from '@atrium/contract/measure'
import { certificateCheck } from '../../features/doctor/checks/certificate.ts'
import { runChecks } from '../../platform/diagnostics/checks.ts'
import { opensWebSocket } from './web-socket.ts'
import { checkOf } from './write.ts'

export interface Way {
  /** Lets us measure. */
  readonly token: string
  readonly quietSeconds: number
  /** The server's own address, for what is said. */
  readonly direct: string
}

const reachMs = 30_000

/** `origin`: scheme, host and port. */
export const checkWay = async (origin: string, way: Way): Promise<DoctorCheck[]> => {
  const certificate = await runChecks([certificateCheck(new URL(origin))])
  const reached = await reach(origin, way.token)
  if ('fault' in reached) return [...certificate, unreached(origin, way, reached.fault)]
  if (reached.leadsTo !== null) {
    const onward = `${origin} redirects to ${reached.leadsTo}, which was checked instead. Set that as BASE_URL, or pass it with --url.`
    return [checkOf('address', 'warn', onward), ...(await checkWay(reached.leadsTo, way))]
  }
  return [...certificate, ...(await measureWay(origin, way))]
}

type Reached = { readonly leadsTo: string | null } | { readonly fault: string }

/** Whether the server is there, or another address that the first one leads to. */
const reach = async (origin: string, token: string): Promise<Reached> => {
  const question = new URLSearchParams({ token, seconds: '0' })
  try {
    const response = await fetch(`${origin}${doctorRoutes.quiet.path}?${question}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(reachMs),
    })
    await response.body?.cancel()
    const onward = URL.parse(response.headers.get('location') ?? '', origin)
    if (response.status >= 300 && response.status < 400 && onward && onward.origin !== origin)
      // Once, as from http to https: an address that leads back and forth has no end.
      return origin.startsWith('http:') && onward.protocol === 'https:'
        ? { leadsTo: onward.origin }
        : { fault: `it redirects to ${onward.origin}` }
    return response.ok ? { leadsTo: null } : { fault: `it answers with status ${response.status}` }
  } catch (error) {
    return { fault: faultOf(error as Error) }
  }
}

/** What `fetch` hides behind "fetch failed". */
const faultOf = (error: Error): string => {
  const cause = error.cause instanceof Error ? error.cause : error
  const code = (cause as NodeJS.ErrnoException).code ?? ''
  if (/CERT|SIGNATURE|SELF_SIGNED/.test(code))
    return `its certificate is not trusted here (${code}). Where it is one of your own, name its authority in NODE_EXTRA_CA_CERTS`
  return `nothing answers (${code || cause.message})`
}

const unreached = (origin: string, { direct }: Way, fault: string): DoctorCheck =>
  checkOf(
    'address',
    'fail',
    `The server at ${direct} can’t be reached at ${origin}: ${fault}. Check the proxy and BASE_URL.`,
  )

const measureWay = async (origin: string, way: Way): Promise<DoctorCheck[]> => {
  const { token, quietSeconds } = way
  const silence = measureQuiet(origin, token, quietSeconds)
  const [stream, opened] = await Promise.all([measureStream(origin, token), opensWebSocket(origin)])
  // Not beside the stream, whose times would be those of the body.
  const body = await measureBody(origin, token, probeBodyBytes)
  const quiet = await silence
  const measured: Measurements = { origin, stream, quiet, body, webSocket: { opened } }
  const path = `${doctorRoutes.judge.path}?${new URLSearchParams({ token })}`
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(measured),
    signal: AbortSignal.timeout(reachMs),
  }).catch(
    // Told in the next line, with the address.
    () => null,
  )
  const judged = response?.ok
    ? doctorRoutes.judge.returns.safeParse(await response.json().catch(() => null)).data
    : null
  if (judged) return judged.checks
  return [unreached(origin, way, response ? `it answers with status ${response.status}` : 'nothing answers')]
}
