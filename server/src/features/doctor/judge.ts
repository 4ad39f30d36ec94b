/** Judges what a client measured on its way to the server. */
import { type DoctorCheck, type Measurements } from '@atrium/contract/doctor'
import { probeEvents } from '@atrium/contract/measure'
import { type CheckOutcome, reportFailure, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'
import { type Arrival, type Place, judgeArrival } from './arrival.ts'
import { proxyFixes } from './proxies.ts'

/** The checks of what was measured, and of how the request that brought it arrived. */
export const judgeMeasurements = (measured: Measurements, arrival: Arrival, place: Place): DoctorCheck[] => {
  const { stream, quiet, body, webSocket } = measured
  const outcomes: [string, CheckOutcome | undefined][] = [
    ...judgeArrival(measured.origin, arrival, place),
    ['proxy-buffering', stream && judgeStream(stream)],
    ['proxy-websocket', webSocket && judgeWebSocket(webSocket)],
    ['proxy-body', body && judgeBody(body)],
    ['proxy-timeout', quiet && judgeQuiet(quiet)],
  ]
  return outcomes.flatMap(([id, outcome]) => (outcome ? [{ fixes: [], ...outcome, id } as DoctorCheck] : []))
}

type Part<K extends keyof Measurements> = NonNullable<Measurements[K]>

/** Events that were held back come together, and late. */
const judgeStream = ({ status, eventsMs }: Part<'stream'>): CheckOutcome => {
  const { count, everyMs } = probeEvents
  if (status !== 200) return reportFailure(`An event stream got ${answerOf(status)}.`)
  if (eventsMs.length < count) {
    return reportFailure(
      `An event stream ended after ${eventsMs.length} of ${count} events, so answers break off.`,
      proxyFixes.timeout,
    )
  }
  const sentOver = (count - 1) * everyMs
  const cameOver = (eventsMs.at(-1) ?? 0) - (eventsMs[0] ?? 0)
  if (cameOver < sentOver / 2) {
    return reportFailure(
      `Ten events sent over ${sentOver} ms arrived within ${Math.round(cameOver)} ms. Something on the way buffers answers.`,
      proxyFixes.buffering,
    )
  }
  return reportPass(`Ten events sent over ${sentOver} ms arrived over ${Math.round(cameOver)} ms.`)
}

const judgeWebSocket = ({ opened }: Part<'webSocket'>): CheckOutcome =>
  opened
    ? reportPass('WebSockets open.')
    : reportFailure('WebSockets don’t open: the headers Upgrade and Connection don’t arrive.', proxyFixes.webSocket)

const judgeBody = ({ status, bytes }: Part<'body'>): CheckOutcome => {
  const size = `${Math.round(bytes / 1024 / 1024)} MB`
  if (status === 200) return reportPass(`An upload of ${size} gets through.`)
  return reportFailure(`An upload of ${size} got ${answerOf(status)}, so documents can’t be uploaded.`, proxyFixes.body)
}

const judgeQuiet = ({ status, askedMs, endedMs }: Part<'quiet'>): CheckOutcome => {
  if (status === 200) return reportPass(`A response after ${seconds(askedMs)} of silence arrives.`)
  const early = endedMs < askedMs
  return (early ? reportWarning : reportFailure)(
    `A response after ${seconds(askedMs)} of silence was cut off after ${seconds(endedMs)}, with ${answerOf(status)}. Streams send something every 15 s; programs that wait for a complete response are cut off.`,
    proxyFixes.timeout,
  )
}

const answerOf = (status: number): string => (status === 0 ? 'a broken connection' : `status ${status}`)
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`
