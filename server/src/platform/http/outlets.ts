/** Clients' ends of streams: what waits for one is written together, at once at rest and a little later under load. */
import type { ServerResponse } from 'node:http'

export type Piece = string | Uint8Array

/** One client's end of a stream. */
export interface Outlet {
  readonly response: ServerResponse
  /** What was not given to the socket yet, and its length. */
  pieces: Piece[]
  waiting: number
  queued: boolean
  /** Whether the head of the response was given to the socket. */
  headed: boolean
  writtenAt: number
  /** How often it was put in line to be written. */
  turns: number
  /** Since when the socket takes nothing; null while it does. */
  stalledAt: number | null
  ended: boolean
  wake: (() => void) | null
}

export interface Outlets {
  /** Writes the head to a response that nobody else writes to. It leaves with the first pieces if they are there soon. */
  open(response: ServerResponse, headers: Readonly<Record<string, unknown>>): Outlet
  push(outlet: Outlet, piece: Piece): void
}

/** So much may wait for the next write before the source is left alone. */
const highWater = 64 * 1024
/** Head, beginning and first words of a stream never wait, and neither does what comes after a pause. */
const promptTurns = 5
const quietMs = 100

/** `now`: milliseconds, by which it is told how late the event loop is. */
export const createOutlets = (now = () => performance.now()): Outlets => {
  const write = createRounds(now)
  const push = (outlet: Outlet, piece: Piece): void => {
    outlet.pieces.push(piece)
    outlet.waiting += piece.length
    if (outlet.queued) return
    outlet.queued = true
    const at = now()
    const mayWait = at - outlet.writtenAt < quietMs && outlet.turns > promptTurns
    outlet.writtenAt = at
    outlet.turns += 1
    write(outlet, at, mayWait)
  }
  return {
    push,
    open(response, headers) {
      const outlet: Outlet = {
        response,
        pieces: [],
        waiting: 0,
        queued: false,
        headed: false,
        writtenAt: 0,
        turns: 0,
        stalledAt: null,
        ended: false,
        wake: null,
      }
      const drained = (): void => {
        outlet.stalledAt = null
        outlet.wake?.()
      }
      // What is written past the response, as `writeChunk` does, only the socket tells of.
      const { socket } = response
      response.on('drain', drained)
      socket?.on('drain', drained)
      response.once('close', () => {
        outlet.ended = true
        socket?.off('drain', drained)
        outlet.wake?.()
      })
      response.writeHead(200, headers as Record<string, string>)
      push(outlet, '')
      return outlet
    },
  }
}

/** Waits until the socket has taken what waited, or the stream is over. */
export const waitForRoom = async (outlet: Outlet): Promise<void> => {
  while ((outlet.stalledAt !== null || outlet.waiting > highWater) && !outlet.ended) {
    const { promise, resolve } = Promise.withResolvers<void>()
    outlet.wake = resolve
    await promise
    outlet.wake = null
  }
}

/** Ends it after what waits, and one more piece. */
export const endOutlet = (outlet: Outlet, last: Piece = ''): void => {
  if (outlet.ended) return
  outlet.pieces.push(last)
  flushOutlet(outlet)
  outlet.ended = true
  outlet.response.end()
}

/** Writes what waits. */
export const flushOutlet = (outlet: Outlet): void => {
  outlet.queued = false
  const { response, pieces } = outlet
  if (outlet.ended || response.destroyed) return
  outlet.pieces = []
  outlet.waiting = 0
  const all = pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : Buffer.concat(pieces.map(toBytes))
  const { headed } = outlet
  outlet.headed = true
  if (all.length === 0) {
    if (!headed) response.flushHeaders()
    return
  }
  if (!(headed ? writeChunk(response, all) : response.write(all))) outlet.stalledAt ??= performance.now()
  else if (outlet.stalledAt === null) outlet.wake?.()
}

const toBytes = (piece: Piece): Uint8Array => (typeof piece === 'string' ? Buffer.from(piece) : piece)

/**
 * Writes one HTTP chunk behind the head. `response.write` would hand four pieces to the socket for it, which costs twice as
 * much as one piece; it is left to answer clients of HTTP/1.0, who know no chunks, and to bytes.
 */
const writeChunk = (response: ServerResponse, piece: Piece): boolean => {
  const { socket } = response
  if (!response.chunkedEncoding || !socket || typeof piece !== 'string') return response.write(piece)
  return socket.write(`${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`)
}

/** From a loop that is later than this on, as many milliseconds again as this many times its lateness are waited. */
const restMs = 2
const waitTimes = 8
const longestWaitMs = 40
/** One late turn alone is none: what counts is how it was lately. */
const smoothing = 8

/**
 * Collects outlets, and writes to all of them when the event loop has come round; the busier the loop is, the later, as
 * most of the cost is in the writes. How busy it is shows in how late the rounds themselves are.
 */
const createRounds = (now: () => number): ((outlet: Outlet, at: number, mayWait: boolean) => void) => {
  let lateness = 0
  const note = (dueAt: number): void => {
    lateness += (now() - dueAt - lateness) / smoothing
  }
  const soon = createRound(note, (run, at) => setImmediate(run, at))
  const later = createRound(note, (run, at) => {
    const waitMs = Math.min(longestWaitMs, lateness * waitTimes)
    setTimeout(run, waitMs, at + waitMs)
  })
  return (outlet, at, mayWait) => (mayWait && lateness > restMs ? later : soon)(outlet, at)
}

const createRound = (
  begins: (dueAt: number) => void,
  schedule: (run: (dueAt: number) => void, at: number) => void,
): ((outlet: Outlet, at: number) => void) => {
  let outlets: Outlet[] = []
  const run = (dueAt: number): void => {
    begins(dueAt)
    const due = outlets
    outlets = []
    for (const outlet of due) flushOutlet(outlet)
  }
  return (outlet, at) => {
    if (outlets.push(outlet) === 1) schedule(run, at)
  }
}
