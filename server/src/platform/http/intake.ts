/**
 * Bodies of requests on their way in: how many bytes of them stand in memory at once, for one sender and for all, and how
 * slowly they may come.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import { fail, type Refusal, tooManyRefusal, unavailableRefusal } from './refusal.ts'

export interface IntakeBounds {
  /** Bytes of all bodies whose requests are not answered yet. */
  readonly processBytes: number
  /** The part of it that one sender can have. */
  readonly senderBytes: number
  /** How long a body waits for others to be done before it is refused. */
  readonly patienceMs: number
  /** How long a body may bring nearly nothing. */
  readonly idleMs: number
  /** Bodies of one sender that are longer than a moment on their way at the same time. */
  readonly slowBodies: number
}

export interface Incoming {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Who sends it: an account, a directory, or an address. */
  readonly sender: string
  readonly maxBytes: number
}

export interface Intake {
  /**
   * Hands the bytes of a body over as they arrive; its size counts until the request is answered. Refuses with `too_large`
   * past `maxBytes`, `request_timeout` when it comes too slowly, `rate_limited` or `unavailable` when there is too much
   * at once, `request_aborted` when it does not come whole.
   */
  receive(incoming: Incoming, take: (bytes: Buffer) => void): Promise<void>
}

const mebibyte = 2 ** 20

/** Smaller bodies are not counted: their number is bounded by that of connections. */
const uncounted = 64 * 1024
/** A body of a size that nobody told counts as so much more than has arrived. */
const ahead = mebibyte
/** What a body has to bring while it may not be idle; a line that is slower than this carries no program. */
const leastBytes = 1024
/** From then on a body counts as slow: whatever arrives at the usual speed of networks is complete before. */
const slowMs = 1000

/**
 * A body stands in memory up to four times: as bytes, as texts, as what is sent on, and as what is sealed. So an eighth of
 * the heap leaves half of it for everything else, and there is always room for two of the largest.
 */
export const usualIntake = (): IntakeBounds => {
  const processBytes = Math.min(512 * mebibyte, Math.max(64 * mebibyte, getHeapStatistics().heap_size_limit / 8))
  return { processBytes, senderBytes: processBytes / 2, patienceMs: 5000, idleMs: 15_000, slowBodies: 50 }
}

export const createIntake = (bounds: IntakeBounds): Intake => {
  const capacity = createCapacity(bounds)
  const paces = createPaces(bounds)
  return {
    async receive(incoming, take) {
      const { request, response, sender, maxBytes } = incoming
      const declared = Number(request.headers['content-length'] ?? Number.NaN)
      if (declared > maxBytes) throw tooLarge(maxBytes)
      // Small bodies, which most are, have nothing to give back.
      let held: Held | null = null
      const reach = (bytes: number): Promise<void> => (held ??= capacity.enter(sender, response)).reach(bytes)
      if (declared > uncounted) await reach(declared)
      let length = 0
      const roomFor = (bytes: number): Promise<void> | null => {
        length += bytes
        if (length > maxBytes) throw tooLarge(maxBytes)
        return length <= uncounted || length <= (held?.bytes() ?? 0) ? null : reach(Math.min(maxBytes, length + ahead))
      }
      await readPieces(request, { roomFor, take, watch: (end) => paces.enter(sender, end), leave: paces.leave })
    },
  }
}

interface Reading {
  /** Asked before each piece is taken; a promise makes it wait. */
  readonly roomFor: (bytes: number) => Promise<void> | null
  readonly take: (piece: Buffer) => void
  readonly watch: (end: (why: Refusal) => void) => Pace
  readonly leave: (pace: Pace) => void
}

/** By events: an iterator over a stream costs more than all else that is done with a body of the usual size. */
const readPieces = (request: IncomingMessage, { roomFor, take, watch, leave }: Reading): Promise<void> =>
  new Promise((resolve, reject) => {
    let over = false
    const settle = (): void => {
      over = true
      leave(pace)
      request.off('data', hear).off('end', ended).off('error', broken).off('close', broken)
    }
    const giveUp = (why: unknown): void => {
      settle()
      request.pause()
      reject(why)
    }
    const hear = (piece: Buffer): void => {
      pace.brought += piece.length
      try {
        const room = roomFor(piece.length)
        if (room) void goOnWith(piece, room)
        else take(piece)
      } catch (error) {
        giveUp(error)
      }
    }
    const goOnWith = async (piece: Buffer, room: Promise<void>): Promise<void> => {
      request.pause()
      try {
        await room
        if (over) return
        take(piece)
        request.resume()
      } catch (error) {
        giveUp(error)
      }
    }
    const ended = (): void => {
      if (!request.complete) return broken()
      settle()
      resolve()
    }
    /** The only thing that can fail while reading is the connection. */
    const broken = (): void => giveUp(fail('request_aborted'))
    const pace = watch(giveUp)
    if (request.readableEnded) ended()
    else if (request.destroyed) broken()
    else request.on('data', hear).on('end', ended).on('error', broken).on('close', broken)
  })

export const tooLarge = (maxBytes: number): Refusal =>
  fail('too_large', `You can send at most ${sizeText(maxBytes)} at once.`)

const sizeText = (bytes: number): string =>
  bytes >= mebibyte ? `${Math.floor(bytes / mebibyte)} MiB` : `${Math.floor(bytes / 1024)} KiB`

interface Held {
  bytes(): number
  /** Counts up to so many bytes, after a wait where there is no room just now. */
  reach(bytes: number): Promise<void>
}

interface Waiting {
  readonly fits: () => boolean
  readonly enter: () => void
}

/** Counts bytes for senders and for all, and lets in who waits, in the order in which they came, as room comes back. */
const createCapacity = ({ processBytes, senderBytes, patienceMs }: IntakeBounds) => {
  const bySender = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let all = 0
  const add = (sender: string, bytes: number): void => {
    all += bytes
    const total = (bySender.get(sender) ?? 0) + bytes
    if (total > 0) bySender.set(sender, total)
    else bySender.delete(sender)
  }
  const senderFits = (sender: string, more: number): boolean => (bySender.get(sender) ?? 0) + more <= senderBytes
  return {
    enter(sender: string, response: ServerResponse): Held {
      let counted = 0
      let gone = response.closed || response.destroyed
      let giveUp = (): void => {}
      response.once('close', () => {
        gone = true
        giveUp()
        add(sender, -counted)
        counted = 0
        for (const one of [...waiting]) if (one.fits()) one.enter()
      })
      return {
        bytes: () => counted,
        reach: (bytes) =>
          new Promise<void>((resolve, reject) => {
            const more = bytes - counted
            const fits = (): boolean => senderFits(sender, more) && all + more <= processBytes
            const enter = (): void => {
              end()
              counted += more
              add(sender, more)
              resolve()
            }
            const refuse = (refusal: Refusal): void => {
              end()
              reject(refusal)
            }
            const one: Waiting = { fits, enter }
            const late = (): void =>
              refuse(
                senderFits(sender, more)
                  ? unavailableRefusal(
                      'The server is busy with other large requests. Try again in a moment.',
                      patienceMs,
                    )
                  : tooManyRefusal('Too much is being sent at once. Wait until other requests are done.', patienceMs),
              )
            const timer = setTimeout(late, patienceMs)
            const end = (): void => {
              clearTimeout(timer)
              waiting.delete(one)
            }
            giveUp = () => refuse(fail('request_aborted'))
            if (gone) giveUp()
            else if (fits()) enter()
            else waiting.add(one)
          }),
      }
    },
  }
}

/** How fast a body comes. */
interface Pace {
  readonly sender: string
  readonly end: (why: Refusal) => void
  readonly begunAt: number
  /** Since when `brought` is counted. */
  since: number
  brought: number
  isSlow: boolean
}

/** Ends bodies that bring nearly nothing, and what is over the number of slow ones. One timer looks at all of them. */
const createPaces = ({ idleMs, slowBodies }: IntakeBounds) => {
  const open = new Set<Pace>()
  const slow = new Map<string, number>()
  const momentMs = Math.min(slowMs, idleMs)
  let timer: NodeJS.Timeout | null = null

  const look = (): void => {
    timer = null
    const now = performance.now()
    for (const pace of open) judge(pace, now)
    if (open.size > 0) arm()
  }
  const arm = (): void => {
    timer ??= setTimeout(look, momentMs / 4).unref()
  }
  const judge = (pace: Pace, now: number): void => {
    if (!pace.isSlow && now - pace.begunAt >= momentMs) {
      const count = slow.get(pace.sender) ?? 0
      if (count >= slowBodies) return pace.end(tooManyRefusal('Too many requests are being sent at once.', idleMs))
      pace.isSlow = true
      slow.set(pace.sender, count + 1)
    }
    if (now - pace.since < idleMs) return
    if (pace.brought < leastBytes) pace.end(fail('request_timeout', 'The request body arrived too slowly.'))
    pace.since = now
    pace.brought = 0
  }

  return {
    enter(sender: string, end: (why: Refusal) => void): Pace {
      const now = performance.now()
      const pace = { sender, end, begunAt: now, since: now, brought: 0, isSlow: false }
      open.add(pace)
      arm()
      return pace
    },
    leave(pace: Pace): void {
      open.delete(pace)
      if (!pace.isSlow) return
      pace.isSlow = false
      const count = (slow.get(pace.sender) ?? 1) - 1
      if (count > 0) slow.set(pace.sender, count)
      else slow.delete(pace.sender)
    },
  }
}
