/** One connection for all that an account follows: its own events, and those of the streams that areas name for it. */
import { type AccountEvent, mostFollowed, type StreamNotice } from '@atrium/contract/system'
import { retryDuringOutage } from '../../platform/db/outage.ts'
import type { Signals } from '../../platform/events/signals.ts'
import type { EventLog, FollowedStream } from '../../platform/events/types.ts'
import type { PresenceArea, PresenceVisit } from '../../core/presence/index.ts'
import type { Caller, Frame } from '../../platform/http/area.ts'
import type { Slot } from '../../platform/slot.ts'
import { createGathering } from './gathering.ts'

export interface LiveDeps {
  readonly events: Pick<EventLog, 'follow' | 'lastSeqsAt'>
  readonly signals: Pick<Signals, 'listen'>
  readonly presence: Pick<PresenceArea, 'visit'>
  /** Filled by the app: the streams that a caller follows now, beside the account's own. */
  readonly followedStreams: Slot<(caller: Caller) => Promise<readonly FollowedStream[]>>
  /** Calls back each time when what an account may do with things of others changes. */
  readonly watchRights: (accountId: string, changed: () => void) => () => void
}

interface Others {
  /** Takes what is on screen now. */
  show(streams: readonly string[]): void
}

export type LiveEvent = AccountEvent | StreamNotice
type LiveFrame = Frame<LiveEvent>
type Places = ReadonlyMap<string, number>

/**
 * Where it goes on. Who names no place has loaded everything at `since`, in ms since 1970 by the clock of the server, and
 * wants what came from then on; null: from now on.
 */
export interface From {
  readonly after: number | null
  readonly since: number | null
}

/**
 * So often it is asked unasked what an account follows, should the news that it changed be lost. Each connection asks for
 * itself, and where the news stopped altogether it asks at once, so this is seldom.
 */
const unaskedMs = 30_000

const reset = { type: 'reset', data: {} } as const
/** One for all: it is made into bytes once. */
const beatFrame: LiveFrame = { seq: null, event: { type: 'beat', data: {} } }

export const createLive = ({ events, followedStreams, presence, signals, watchRights }: LiveDeps) => {
  /** The events of the account alone. */
  const followAccount = async (accountId: string, from: From, signal: AbortSignal) => {
    const id = `account:${accountId}`
    const after = from.after ?? (await placesOf([id], from.since)).get(id) ?? 0
    return events.follow<AccountEvent>({ id, accountId }, after, signal, { reset })
  }
  /** Where streams were then; for null where they are. */
  const placesOf = (ids: readonly string[], since: number | null): Promise<Places> =>
    events.lastSeqsAt(ids, since ?? Infinity)

  /** Follows what else the caller follows, and keeps up with what that is, until the signal aborts. */
  const followOthers = (
    caller: Caller,
    { places, since }: { readonly places: Places; readonly since: number | null },
    gathering: ReturnType<typeof createGathering<LiveFrame>>,
    signal: AbortSignal,
  ): Others => {
    const running = new Map<string, AbortController>()
    /** What was last named, with what of each may be heard. */
    let wantedNow: ReadonlyMap<string, FollowedStream> = new Map()
    /** What is on screen, and is listened to for what passes as long as it is followed as well. */
    let shown: readonly string[] = []
    const listening = new Map<string, () => void>()
    const listen = (): void => {
      const wanted = shown.filter((stream) => running.has(stream))
      for (const [stream, stop] of listening) {
        if (wanted.includes(stream)) continue
        stop()
        listening.delete(stream)
      }
      for (const stream of wanted) {
        if (listening.has(stream)) continue
        const stop = signals.listen(stream, ({ type, data }) =>
          gathering.drop({ seq: null, event: { type: 'stream-signal', data: { stream, type, data } } }),
        )
        listening.set(stream, stop)
      }
    }
    const close = (stream: string): void => {
      running.get(stream)?.abort()
      if (running.delete(stream)) gathering.put({ seq: null, event: { type: 'stream-closed', data: { stream } } })
      listen()
    }
    const run = async (stream: FollowedStream, after: number): Promise<void> => {
      const ended = new AbortController()
      running.set(stream.id, ended)
      const until = ended.signal
      for await (const { seq, event } of events.follow<StreamedEvent>(stream, after, until, { reset })) {
        if (!(wantedNow.get(stream.id)?.admits?.({ seq, event }) ?? true)) continue
        await gathering.offer(frameOf(stream.id, seq, event), until)
      }
      if (!until.aborted) close(stream.id)
    }
    const look = async (): Promise<void> => {
      const named = await retryDuringOutage(() => followedStreams.get()(caller), signal)
      const wanted = new Map(named.slice(0, mostFollowed).map((stream) => [stream.id, stream]))
      wantedNow = wanted
      for (const id of running.keys()) if (!wanted.has(id)) close(id)
      const fresh = [...wanted.keys()].filter((id) => !running.has(id))
      if (fresh.length === 0 && begun) return
      // What is loaded, and a place, count once: who is let in later has not seen what came before.
      const joined = begun
      const found = await retryDuringOutage(() => placesOf(fresh, joined ? null : since), signal)
      if (signal.aborted) return
      begun = true
      const from = fresh.map((id) => [id, (joined ? null : places.get(id)) ?? found.get(id) ?? 0] as const)
      const data = { places: Object.fromEntries(from), joined }
      gathering.put({ seq: null, event: { type: 'streams-opened', data } })
      for (const [id, after] of from) run(wanted.get(id) as FollowedStream, after).catch(gathering.fail)
      listen()
    }
    let begun = false
    let looking = Promise.resolve()
    const lookSoon = (): void => {
      looking = looking.then(() => (signal.aborted ? undefined : look())).catch(gathering.fail)
    }
    const unwatch = watchRights(caller.accountId, lookSoon)
    const timer = setInterval(() => running.size > 0 && lookSoon(), unaskedMs).unref()
    signal.addEventListener('abort', () => {
      clearInterval(timer)
      unwatch()
      shown = []
      listen()
      // One listener for all of them: there may be hundreds.
      for (const ended of running.values()) ended.abort()
    })
    lookSoon()
    return {
      show(streams) {
        if (signal.aborted) return
        shown = streams
        listen()
      },
    }
  }

  return {
    followAccount,
    /** All that the caller follows in one. `others` begins to follow what is not the account's own; once. */
    async open(caller: Caller, from: From, signal: AbortSignal) {
      // Its place is taken before the client is told that it is there: what happens from then on comes.
      const entries = await followAccount(caller.accountId, from, signal)
      const gathering = createGathering<LiveFrame>(signal)
      const own = async (): Promise<void> => {
        for await (const frame of entries) await gathering.offer(frame, signal)
      }
      own().then(gathering.end, gathering.fail)
      return {
        frames: gathering.frames(),
        others: (places: Places) => followOthers(caller, { places, since: from.since }, gathering, signal),
        /** The page is there, for as long as the connection: it says who is in front of it and whom it shows. */
        visit(): PresenceVisit {
          const visit = presence.visit(caller.accountId, (people) =>
            gathering.put({ seq: null, event: { type: 'presence', data: { people } } }),
          )
          if (signal.aborted) visit.end()
          else signal.addEventListener('abort', visit.end)
          return visit
        },
        /** Says now and then that it is there, for clients that see no pings. */
        beat: (everyMs: number): void => {
          const timer = setInterval(() => gathering.put(beatFrame), everyMs).unref()
          signal.addEventListener('abort', () => clearInterval(timer))
        },
      }
    },
  }
}

interface StreamedEvent {
  readonly type: string
  readonly data: unknown
}

/** Frames by their event: all who follow a stream get the same one, so that it is made into bytes once. */
const frames = new WeakMap<StreamedEvent, LiveFrame>()

const frameOf = (stream: string, seq: number, event: StreamedEvent): LiveFrame => {
  const made = frames.get(event)
  if (made && event !== reset) return made
  const { type, data } = event
  const frame: LiveFrame = { seq: null, event: { type: 'stream-event', data: { stream, seq, type, data } } }
  frames.set(event, frame)
  return frame
}
