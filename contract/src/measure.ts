/**
 * Measures the way from a client to the server, with nothing but `fetch`: the page and the command line share it, as both
 * must measure alike what the server then judges.
 */

/** `status` is that of the answer, 0 where none came. */
interface Answered {
  status: number
}

/** The stream sends so many events, so many milliseconds apart. */
export const probeEvents = { count: 10, everyMs: 100 } as const
/** Of the body that is sent on trial: more than proxies allow by themselves. */
export const probeBodyBytes = 12 * 1024 * 1024

/** `origin`: scheme, host and port, without a slash at its end. No part rejects: a request that failed has status 0. */
export const measureStream = async (origin: string, token: string): Promise<Answered & { eventsMs: number[] }> => {
  const first = await readStream(origin, token)
  if (first.status !== 200 || spanOf(first.eventsMs) > halfMs) return first
  // A client that was busy reads late what came in time; a proxy that holds events back does so again.
  const second = await readStream(origin, token)
  return spanOf(second.eventsMs) > spanOf(first.eventsMs) ? second : first
}

const halfMs = ((probeEvents.count - 1) * probeEvents.everyMs) / 2
const spanOf = (eventsMs: readonly number[]): number => (eventsMs.at(-1) ?? 0) - (eventsMs[0] ?? 0)

const readStream = async (origin: string, token: string): Promise<Answered & { eventsMs: number[] }> => {
  const eventsMs: number[] = []
  const began = performance.now()
  try {
    const response = await fetch(addressOf(origin, 'stream', { token }), { signal: AbortSignal.timeout(30_000) })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (reader && response.ok && eventsMs.length < probeEvents.count) {
      const { done, value } = await reader.read()
      if (done) break
      text += value
      const whole = text.split('\n\n')
      text = whole.pop() ?? ''
      const came = performance.now() - began
      eventsMs.push(...whole.filter((event) => /^data:/m.test(event)).map(() => came))
    }
    await reader?.cancel()
    return { status: response.status, eventsMs }
  } catch {
    // The connection broke: what came before it says more than its error.
    return { status: 0, eventsMs }
  }
}

/** Asks for an answer that comes after `seconds` of silence. */
export const measureQuiet = async (
  origin: string,
  token: string,
  seconds: number,
): Promise<Answered & { askedMs: number; endedMs: number }> => {
  const began = performance.now()
  const address = addressOf(origin, 'quiet', { token, seconds: String(seconds) })
  const status = await statusOf(address, { signal: AbortSignal.timeout((seconds + 30) * 1000) })
  return { status, askedMs: seconds * 1000, endedMs: performance.now() - began }
}

/** Sends a body of so many bytes. */
export const measureBody = async (
  origin: string,
  token: string,
  bytes: number,
): Promise<Answered & { bytes: number }> => {
  const headers = { 'content-type': 'application/octet-stream' }
  const body = new Uint8Array(bytes)
  const signal = AbortSignal.timeout(120_000)
  return {
    status: await statusOf(addressOf(origin, 'body', { token }), { method: 'POST', headers, body, signal }),
    bytes,
  }
}

const addressOf = (origin: string, probe: string, query: Record<string, string>): string =>
  `${origin}/api/system/doctor/${probe}?${new URLSearchParams(query)}`

const statusOf = async (address: string, request: RequestInit): Promise<number> => {
  try {
    const response = await fetch(address, request)
    await response.body?.cancel()
    return response.status
  } catch {
    // No answer at all: the judgement has words for it.
    return 0
  }
}
