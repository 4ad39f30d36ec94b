/** Opens streams against a server and takes the times; reads bytes only as far as counting needs. */
import { Agent, type IncomingMessage, request } from 'node:http'

export interface Ask {
  readonly url: string
  readonly token?: string
  readonly body: unknown
  /** What stands once in every frame that carries text. */
  readonly mark: string
  /** Hears how many frames with text came, chunk by chunk. */
  readonly heard?: (frames: number) => void
  /** Ends the stream early; what had come by then is the result. */
  readonly signal?: AbortSignal
}

export interface Streamed {
  /** From sending the request to the first frame with text, in ms. */
  readonly firstMs: number
  readonly totalMs: number
  /** Frames that carried text. */
  readonly frames: number
  readonly bytes: number
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** Runs one stream to its end, or until its signal. Throws when the answer is not 200. */
export function stream(ask: Ask): Promise<Streamed> {
  const mark = Buffer.from(ask.mark)
  const started = performance.now()
  let first = 0
  let frames = 0
  let bytes = 0
  return new Promise((resolve, reject) => {
    const end = (): void => resolve({ firstMs: first - started, totalMs: performance.now() - started, frames, bytes })
    const call = request(
      ask.url,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          ...(ask.token === undefined ? {} : { authorization: `Bearer ${ask.token}` }),
        },
      },
      (answer) => {
        if (answer.statusCode !== 200) return refuse(answer, reject)
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          const before = frames
          for (let at = chunk.indexOf(mark); at !== -1; at = chunk.indexOf(mark, at + mark.length)) frames += 1
          if (frames > 0 && first === 0) first = performance.now()
          ask.heard?.(frames - before)
        })
        answer.on('end', end)
        answer.on('error', reject)
      },
    )
    call.on('error', reject)
    // Also before anything was answered: whoever waits for all must not wait for this one.
    ask.signal?.addEventListener('abort', () => (end(), call.destroy()), { once: true })
    call.end(JSON.stringify(ask.body))
  })
}

function refuse(answer: IncomingMessage, reject: (problem: Error) => void): void {
  let text = ''
  answer.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  answer.on('end', () => reject(new Error(`answered ${answer.statusCode}: ${text.slice(0, 300)}`)))
}

/** Middle, 95th and 99th percentile of some figures. */
export function spread(values: readonly number[]): { p50: number; p95: number; p99: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
