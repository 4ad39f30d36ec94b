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
  if (status !== 200) return reportFailure(`An event stream was answered with ${answerOf(status)}.`)
  if (eventsMs.length < count) {
    return reportFailure(
      `An event stream ended after ${eventsMs.length} of ${count} events: answers break off.`,
      proxyFixes.timeout,
    )
  }
  const sentOver = (count - 1) * everyMs
  const cameOver = (eventsMs.at(-1) ?? 0) - (eventsMs[0] ?? 0)
  if (cameOver < sentOver / 2) {
    return reportFailure(
      `Ten events that were sent over ${sentOver} ms came within ${Math.round(cameOver)} ms: something on the way holds answers back until they are whole.`,
      proxyFixes.buffering,
    )
  }
  return reportPass(`Ten events that were sent over ${sentOver} ms came over ${Math.round(cameOver)} ms.`)
}

const judgeWebSocket = ({ opened }: Part<'webSocket'>): CheckOutcome =>
  opened
    ? reportPass('A WebSocket opens.')
    : reportFailure(
        'A WebSocket does not open: the headers Upgrade and Connection do not arrive.',
        proxyFixes.webSocket,
      )

const judgeBody = ({ status, bytes }: Part<'body'>): CheckOutcome => {
  const size = `${Math.round(bytes / 1024 / 1024)} MB`
  if (status === 200) return reportPass(`A body of ${size} arrives.`)
  return reportFailure(
    `A body of ${size} was answered with ${answerOf(status)}: documents cannot be sent.`,
    proxyFixes.body,
  )
}

const judgeQuiet = ({ status, askedMs, endedMs }: Part<'quiet'>): CheckOutcome => {
  if (status === 200) return reportPass(`An answer that begins after ${seconds(askedMs)} of silence arrives.`)
  const early = endedMs < askedMs
  return (early ? reportWarning : reportFailure)(
    `An answer that begins after ${seconds(askedMs)} of silence was cut after ${seconds(endedMs)}, with ${answerOf(status)}. Streams send something every 15 s; programs that wait for a whole answer are cut off.`,
    proxyFixes.timeout,
  )
}

const answerOf = (status: number): string => (status === 0 ? 'a broken connection' : `status ${status}`)
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`
