/** Following runs live: the daemon has no stream, so each run that somebody follows is asked about by one poll for all. */
import type { HarnessEvent, HarnessRunEvent, HarnessRunState } from '@atrium/contract/agent-harness'
import type { Frame } from '../../platform/http/area.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Daemon } from './daemon/index.ts'
import { DaemonFailure } from './daemon/failure.ts'

export interface FollowDeps {
  /** Throws DaemonFailure, or a refusal where the bridge is closed. */
  readonly daemon: () => Promise<Pick<Daemon, 'run' | 'events'>>
  readonly log: Pick<Log, 'error'>
  readonly pollMs: number
}

interface Poll {
  /** The newest events, and the number after which they begin. */
  events: readonly HarnessEvent[]
  from: number
  /** Set once nothing more can come. */
  end: { readonly state: HarnessRunState } | { readonly error: unknown } | null
  readonly followers: Set<() => void>
  stop(): void
}

/** Events that stay in memory for followers who are a little behind. */
const kept = 200
/** The state of a run is asked for with so many turns between, and when an event says that it may have changed. */
const turnsPerLook = 5
const longestMs = 15_000

export const createRunFollowing = ({ daemon, log, pollMs }: FollowDeps) => {
  const polls = new Map<string, Poll>()

  const begin = (runId: string, after: number): Poll => {
    const controller = new AbortController()
    let timer: NodeJS.Timeout | undefined
    let turn = 0
    let failures = 0
    let hasAnswered = false
    const poll: Poll = {
      events: [],
      from: after,
      end: null,
      followers: new Set(),
      stop() {
        controller.abort()
        clearTimeout(timer)
        if (polls.get(runId) === poll) polls.delete(runId)
      },
    }
    const close = (end: NonNullable<Poll['end']>): void => {
      poll.end = end
      poll.stop()
    }
    const ask = async (): Promise<void> => {
      const { run, events } = await daemon()
      // The state first: what was written before a run was over is among the events that are asked for after it.
      const details = turn % turnsPerLook === 0 ? await run(runId, controller.signal) : null
      const fresh = await events(runId, poll.events.at(-1)?.eventId ?? poll.from, controller.signal)
      const all = [...poll.events, ...fresh]
      poll.from = all.at(-kept - 1)?.eventId ?? poll.from
      poll.events = all.slice(-kept)
      turn = fresh.some(({ type }) => endings.has(type)) ? 0 : turn + 1
      if (details && !details.active && isOver(details.run.state)) close({ state: details.run.state })
      if (fresh.length > 0 || poll.end) for (const wake of poll.followers) wake()
    }
    const next = (): void => {
      ask()
        .then(
          () => {
            failures = 0
            hasAnswered = true
          },
          (error: unknown) => {
            if (controller.signal.aborted) return
            failures += 1
            if (isPassing(error, failures, hasAnswered ? badAnswers : firstBadAnswers)) return
            if (!(error instanceof DaemonFailure)) log.error('following a run failed', { error })
            close({ error })
            for (const wake of poll.followers) wake()
          },
        )
        .finally(() => {
          if (controller.signal.aborted) return
          timer = setTimeout(next, Math.min(longestMs, pollMs * 2 ** Math.min(failures, 10)))
          timer.unref()
        })
    }
    polls.set(runId, poll)
    next()
    return poll
  }

  /** What a follower has missed. Waits while the daemon is away. */
  const readMissed = async (runId: string, after: number, signal: AbortSignal): Promise<HarnessEvent[]> => {
    for (let tries = 1; ; tries += 1) {
      try {
        const { events } = await daemon()
        return await events(runId, after, signal)
      } catch (error) {
        if (signal.aborted) return []
        if (!isPassing(error, tries, badAnswers)) throw error
        await pause(pollMs * 2 ** Math.min(tries - 1, 4), signal)
      }
    }
  }

  return {
    /** How many runs are asked about just now. */
    get size() {
      return polls.size
    },
    /** Gives every event after `after` once and in order, and `done` when the run is over. */
    async *follow(runId: string, after: number, signal: AbortSignal): AsyncGenerator<Frame<HarnessRunEvent>> {
      const poll = polls.get(runId) ?? begin(runId, after)
      let cursor = after
      let wake = (): void => {}
      const woken = (): void => wake()
      poll.followers.add(woken)
      signal.addEventListener('abort', woken)
      try {
        while (!signal.aborted) {
          const changed = new Promise<void>((resolve) => {
            wake = resolve
          })
          // As it is now: while a slow follower takes these, the poll goes on and forgets more.
          const { from } = poll
          const behind = cursor < from
          const events = behind
            ? await readMissed(runId, cursor, signal)
            : poll.events.filter(({ eventId }) => eventId > cursor)
          for (const event of events) {
            cursor = event.eventId
            yield { seq: cursor, event: { type: 'event', data: event } }
          }
          if (behind) {
            cursor = Math.max(cursor, from)
            continue
          }
          if (events.length > 0) continue
          if (poll.end && 'error' in poll.end) throw poll.end.error
          if (poll.end) return yield { seq: cursor, event: { type: 'done', data: poll.end } }
          await changed
        }
      } finally {
        signal.removeEventListener('abort', woken)
        poll.followers.delete(woken)
        if (poll.followers.size === 0) poll.stop()
      }
    },
    stop(): void {
      for (const poll of polls.values()) poll.stop()
    },
  }
}

const endings: ReadonlySet<string> = new Set(['run_finished', 'cancelled', 'error'])

export const isOver = (state: HarnessRunState): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled'

/** So often an answer that cannot be read is taken for one of a daemon that just starts or stops. */
const badAnswers = 5
/** The same of a run of which nothing could be read yet. */
const firstBadAnswers = 2

/**
 * The daemon may be back in a moment, and who follows need not hear of it. `times`: how often it has failed in a row;
 * `mostBad`: from then on an answer that cannot be read is told.
 */
const isPassing = (error: unknown, times: number, mostBad: number): boolean => {
  if (!(error instanceof DaemonFailure) || error.kind === 'aborted') return false
  if (error.kind === 'bad-answer') return times < mostBad
  return error.kind !== 'refused' || error.status >= 500 || error.status === 429
}

/** Ends early, and without an error, where the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
