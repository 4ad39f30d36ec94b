/** The answer of a streaming route: from the handler's events to the writer of server-sent events. */
import { errors } from '@atrium/contract/errors'
import type { Route } from '@atrium/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Frame, AuthorisedResource } from './area.ts'
import type { Authenticate } from './authenticate.ts'
import type { Followers } from './followers.ts'
import { isOutage } from '../db/outage.ts'
import { isStillAuthenticated } from './session-end.ts'
import { toRefusal } from './problem.ts'
import type { Streams } from './streams.ts'

type Event = { readonly type: string; readonly data: unknown }

export interface FollowDeps {
  readonly streams: Streams
  readonly followers: Followers
  readonly authenticate: Authenticate
  watchSession(sessionId: string, ended: () => void): () => void
  /** Calls back each time when what an account may do with things of others changes. */
  watchRights(accountId: string, changed: () => void): () => void
  report(error: unknown, request: FastifyRequest): void
  /** Check every event against the route's schema. */
  readonly checkEvents: boolean
}

/**
 * Runs `start` and writes what it gives until it ends, the client goes, the caller's session or right ends, newer streams of
 * the caller take its place or the server stops.
 * Errors before the first event (or the first 20 ms) are thrown, later ones become a last event `error`.
 */
export const follow = async (
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  controller: AbortController,
  start: () => Promise<AsyncIterable<Frame<Event>>>,
  by: FollowDeps,
  /** Asks anew for the right to the thing that the path names; null where it names none. Throws when it is gone. */
  showRight: (() => Promise<AuthorisedResource>) | null = null,
): Promise<void> => {
  const { caller } = request
  let finish = (_last?: Event): void => {}
  const leave = (): void => {
    finish()
    controller.abort()
  }
  const giveWay = (): void => {
    finish(replaced)
    controller.abort()
  }
  const unwatch = caller ? by.watchSession(caller.sessionId, leave) : () => {}
  // Whatever the reason is: who cannot show a right now may not listen.
  const lose = (error: unknown): void => {
    finish(eventOf(error))
    controller.abort()
  }
  const eventOf = (error: unknown): Event => {
    const refusal = toRefusal(error)
    if (!refusal) by.report(error, request)
    const { code, message } = refusal ?? internal
    return { type: 'error', data: { code, detail: message } }
  }
  const rights = showRight ? keepShowing(showRight, lose) : null
  const unwatchRights = caller && rights ? by.watchRights(caller.accountId, rights.show) : () => {}
  rights?.show()
  const leaveFollowers = caller ? by.followers.join(caller, giveWay) : () => {}
  // The session may have ended between authentication and the watch; asked again without making anyone wait.
  if (caller) void isStillAuthenticated(by.authenticate, request).then((stands) => stands || leave())
  try {
    const iterable = await start()
    const frames = (by.checkEvents ? checked(iterable, route) : iterable)[Symbol.asyncIterator]()
    const first = frames.next()
    // When the client goes before it comes, nobody else would hear that it failed.
    first.catch(() => {})
    await Promise.race([first, pause(20)])
    if (reply.raw.destroyed) return void (await frames.return?.())
    reply.hijack()
    request.streamed = true
    const failed = (error: unknown): Event | null => (controller.signal.aborted ? null : eventOf(error))
    const stream = by.streams.open(reply.raw, reply.getHeaders(), { frames, first, failed })
    finish = stream.end
    if (controller.signal.aborted) finish()
    await stream.done
  } finally {
    unwatch()
    unwatchRights()
    leaveFollowers()
    rights?.stop()
    controller.abort()
  }
}

/**
 * Says that newer streams took the place of this one: it is not numbered, as it is no event of the log. Who follows goes
 * on by `Last-Event-ID` once somebody looks again; at once, it would only push out another one.
 */
const replaced: Event = {
  type: 'replaced',
  data: { detail: 'Newer streams of this account have replaced this one.' },
}

/** So long a right that cannot be looked up, because the database is away, is not taken for lost. */
const awayMs = 30_000
const againMs = 500

/** So often who is not the owner shows the right again unasked, should the news that it ended be lost. */
const unaskedMs = 5_000

/** Shows a right when asked to, and now and then besides; `lose` hears why it cannot be shown. */
export const keepShowing = (showRight: () => Promise<AuthorisedResource>, lose: (error: unknown) => void) => {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let awaySince: number | null = null
  const show = (): void => {
    clearTimeout(timer)
    showRight().then(
      ({ right }) => {
        awaySince = null
        clearTimeout(timer)
        if (right !== 'owner' && !stopped) timer = setTimeout(show, unaskedMs).unref()
      },
      (error: unknown) => {
        awaySince ??= performance.now()
        if (!isOutage(error) || performance.now() - awaySince > awayMs) return lose(error)
        clearTimeout(timer)
        // While nobody can write, nobody can take the right away either.
        if (!stopped) timer = setTimeout(show, againMs).unref()
      },
    )
  }
  return {
    show,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

const internal = { code: 'internal', message: errors.internal[1] }

async function* checked(frames: AsyncIterable<Frame<Event>>, route: Route): AsyncIterable<Frame<Event>> {
  for await (const { seq, event } of frames) yield { seq, event: (route.stream as z.ZodType<Event>).parse(event) }
}

/** `first` must not be left unheard when the pause wins: the stream's pump takes it over. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
