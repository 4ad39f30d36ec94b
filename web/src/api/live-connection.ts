/** The one connection of the browser to its account: a WebSocket, and an event stream where no socket gets through. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { systemRoutes, type AccountEvent, type ClientMessage, type StreamNotice } from '@atrium/contract/system'
import { call } from './client.ts'
import { Problem } from './errors.ts'
import { follow, type FollowState, pauseAtMost, pauseInCrowd, silenceMs, type StreamedEvent } from './follow.ts'
import { allPeople, allShown, isAnyInFront, onShownChange, peopleJoins } from './shown-streams.ts'
import { knownPlaces, placesText } from './stream-events.ts'

export interface LiveOptions {
  signal: AbortSignal
  /** The last event of the account that is known. */
  after: () => number | undefined
  /** When everything was loaded: without a place, what came since then comes. */
  loadedAt: number
  onEvent: (event: StreamedEvent<AccountEvent> | StreamNotice) => void
  onState: (state: FollowState) => void
}

/** So many sockets in a row may not open before they are given up: a proxy on the way lets none through. */
const mostRefused = 2

/** What was open for so long is taken up again at once. */
const steadyMs = 5000

/** Keeps the connection until `signal` aborts. Throws `Problem` where the server refuses. */
export async function followLive(options: LiveOptions): Promise<void> {
  const { signal, onState, onEvent } = options
  let refused = 0
  // While it is there, nothing is missed.
  let { loadedAt } = options
  for (let failures = 0; !signal.aborted && refused < mostRefused; failures += 1) {
    onState('connecting')
    const since = performance.now()
    const end = await holdSocket({ ...options, loadedAt }, () => (loadedAt = Date.now())).catch(passing)
    if (signal.aborted) return
    if (end === 'replaced') {
      await pauseInCrowd(signal)
      continue
    }
    if (end === 'broken' && performance.now() - since > steadyMs) failures = 0
    refused = end === 'refused' ? refused + 1 : 0
    if (end !== 'refused') onState('waiting')
    await pauseAtMost(Math.min(8000, 300 * 2 ** failures) * (0.75 + Math.random() / 2), signal)
  }
  if (signal.aborted) return
  await follow(
    systemRoutes.events,
    () => ({ query: { ...whereFrom({ ...options, loadedAt }, false), places: placesText() } }),
    {
      signal,
      after: options.after(),
      onState,
      // What has a place is of the account; notices have none.
      onEvents: (events) => (events as StreamedEvent<AccountEvent>[]).forEach(onEvent),
      onNotice: (notice) => onEvent(notice as StreamNotice),
    },
  )
}

/** `refused`: it did not open. `broken`: it did, and is over. `replaced`: newer ones of the account took its place. */
type SocketEnd = 'refused' | 'broken' | 'replaced'

async function holdSocket(options: LiveOptions, alive: () => void): Promise<SocketEnd> {
  const { signal, onEvent, onState } = options
  const { ticket } = await call(accountsRoutes.websocketTicket, { body: { audience: 'events' } }, { signal })
  const address = new URL('/ws', location.origin)
  address.protocol = address.protocol.replace('http', 'ws')
  const query = { ticket, ...whereFrom(options, true) }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
  const socket = openSocket(address)
  if (!socket) return 'refused'
  const close = () => socket.close()
  // A browser does not show pings: what is silent for longer than the server ever is, is gone.
  let silence = setTimeout(close, silenceMs)
  return new Promise<SocketEnd>((resolve) => {
    let isOpen = false
    let shown = JSON.stringify([[], [], peopleJoins()])
    let here = false
    const say = (message: ClientMessage) => socket.send(JSON.stringify(message))
    const show = () => {
      // Until it has told of its end, one that is closing takes nothing any more.
      if (!isOpen || socket.readyState !== WebSocket.OPEN) return
      const [streams, people] = [[...allShown()], [...allPeople()]]
      const now = JSON.stringify([streams, people, peopleJoins()])
      if (now !== shown) say({ type: 'shows', data: { streams, people } })
      shown = now
      if (isAnyInFront() === here) return
      here = !here
      say({ type: 'here', data: { active: here } })
    }
    const stopShowing = onShownChange(show)
    const end = (how: SocketEnd) => {
      clearTimeout(silence)
      stopShowing()
      signal.removeEventListener('abort', leave)
      removeEventListener('offline', leave)
      resolve(how)
    }
    const leave = () => {
      socket.close()
      // Without a network its own end would not come for a while.
      end(isOpen ? 'broken' : 'refused')
    }
    signal.addEventListener('abort', leave)
    addEventListener('offline', leave)
    socket.addEventListener('open', () => {
      isOpen = true
      for (const message of placeMessages(knownPlaces())) socket.send(message)
      show()
      onState('open')
    })
    socket.addEventListener('close', ({ code }) => end(isOpen ? (code === 1013 ? 'replaced' : 'broken') : 'refused'))
    socket.addEventListener('message', ({ data }) => {
      if (signal.aborted) return
      clearTimeout(silence)
      silence = setTimeout(close, silenceMs)
      alive()
      const {
        seq,
        type,
        data: told,
      } = JSON.parse(data as string) as { seq: number | null; type: string; data: unknown }
      onEvent((seq === null ? { type, data: told } : { type, data: told, id: seq }) as never)
    })
  })
}

function openSocket(address: URL): WebSocket | null {
  try {
    return new WebSocket(address)
  } catch {
    // Where a browser has none, or lets none through.
    return null
  }
}

/** Further back the server does not go. */
const mostAgoMs = 7 * 24 * 60 * 60_000

/**
 * Where the events of the account go on; an event stream names its place in a header. A socket is asked for when its
 * ticket is there, and that is what the server counts from.
 */
function whereFrom({ after, loadedAt }: LiveOptions, isNamed: boolean): { after?: number; agoMs?: number } {
  const last = after()
  if (last === undefined) return { agoMs: Math.max(1, Math.min(mostAgoMs, Date.now() - loadedAt)) }
  return isNamed ? { after: last } : {}
}

/** Below what the server takes at once. */
const longestMessage = 3500

/** All places in as many messages as it takes; the last one has no `more`. */
export function placeMessages(places: ReadonlyMap<string, number>): string[] {
  const parts: Record<string, number>[] = [{}]
  let length = 0
  for (const [stream, place] of places) {
    const part = parts.at(-1) as Record<string, number>
    length += stream.length + 24
    if (length > longestMessage) {
      parts.push({ [stream]: place })
      length = stream.length + 24
    } else part[stream] = place
  }
  return parts.map((part, index) => {
    const more = index < parts.length - 1 ? ({ more: true } as const) : {}
    return JSON.stringify({ type: 'places', data: { places: part, ...more } } satisfies ClientMessage)
  })
}

/** What may pass by itself is tried again. */
function passing(error: unknown): 'away' {
  if (error instanceof Problem && (error.code === 'offline' || error.status >= 500 || error.status === 429))
    return 'away'
  throw error
}
