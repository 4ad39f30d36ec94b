/** Load over bare sockets: so little work of its own that a gateway is slower than it. */
import { connect, type Socket } from 'node:net'

export interface Target {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly model: string
}

export interface Rate {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const requestOf = ({ port, path, headers, model }: Target, stream: boolean): Buffer => {
  const body = JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'Tell me something about the courts of old houses, in a few words.' }],
    max_tokens: 100,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  })
  const all = { host: `127.0.0.1:${port}`, 'content-type': 'application/json', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Asks and asks again on so many connections for a while. Times in ms; throws at the first answer that is not 200. */
export async function ask(target: Target, connections: number, forMs: number): Promise<Rate> {
  const request = requestOf(target, false)
  const times: number[] = []
  const end = performance.now() + forMs
  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, () => askOn(target.port, request, end, times)))
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}

function askOn(port: number, request: Buffer, end: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sent = 0
    let held = ''
    const send = (): void => {
      sent = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      held += chunk.toString('latin1')
      if (!isWhole(held)) return
      if (!held.startsWith('HTTP/1.1 200')) return reject(new Error(held.slice(0, 400)))
      held = ''
      const now = performance.now()
      times.push(now - sent)
      if (now < end) return send()
      socket.end()
      resolve()
    })
    socket.on('close', () => resolve())
  })
}

/** Whether an answer has come to its end, by its length or its last chunk. */
function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /content-length: *(\d+)/i.exec(text.slice(0, head))
  return length ? text.length - head - 4 >= Number(length[1]) : text.endsWith('0\r\n\r\n')
}

export interface Streams {
  /** From the request to its first piece, in ms. */
  readonly p50: number
  readonly p99: number
  readonly begun: number
  /** Pieces of all streams per second, while all were open. */
  readonly piecesPerSecond: number
}

/** Opens so many streams over a while, reads them to their end, and takes the time of the first piece of each. */
export async function openStreams(target: Target, count: number, overMs: number, opened = () => {}): Promise<Streams> {
  const request = requestOf(target, true)
  const firsts: number[] = []
  let pieces = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, (overMs * n) / count))
      await streamOn(
        target.port,
        request,
        firsts,
        (some) => {
          pieces += some
        },
        () => {
          if (firsts.length === count) opened()
        },
      )
    }),
  )
  const seconds = (performance.now() - began) / 1000
  firsts.sort((a, b) => a - b)
  const at = (share: number) => firsts[Math.min(firsts.length - 1, Math.floor(share * firsts.length))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), begun: firsts.length, piecesPerSecond: pieces / seconds }
}

const mark = Buffer.from('" word"')

function streamOn(
  port: number,
  request: Buffer,
  firsts: number[],
  heard: (pieces: number) => void,
  first: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sent = 0
    let begun = false
    socket.on('connect', () => {
      sent = performance.now()
      socket.write(request)
    })
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      let pieces = 0
      for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + mark.length)) pieces += 1
      if (pieces > 0 && !begun) {
        begun = true
        firsts.push(performance.now() - sent)
        first()
      }
      heard(pieces)
      if (chunk.includes('[DONE]')) {
        socket.destroy()
        resolve()
      }
    })
    socket.on('close', () => resolve())
  })
}
