/**
 * What happens in streams that the account follows beside its own: its channels, say. Every tab keeps the places, so
 * that whichever comes to hold the connection goes on where it was left.
 */
import type { StreamNotice } from '@atrium/contract/system'
import { takeSignal } from './shown-streams.ts'

export interface StreamEvent {
  readonly type: string
  readonly data: unknown
}

/**
 * `reset`: something may have been missed, so read anew what the stream is about; it also comes when the account came to
 * a stream. `closed`: it is not followed any more.
 */
export type StreamState =
  | { readonly type: 'reset'; readonly data: unknown }
  | { readonly type: 'closed'; readonly data: unknown }

type Listener = (event: StreamEvent, stream: string) => void

const places = new Map<string, number>()
const listeners = new Map<string, Set<Listener>>()

/**
 * Calls `listener` for each event of a stream, in every open tab, once and in order. A name that ends with a colon stands
 * for all streams that begin with it: `channel:`. Gives a function that ends it.
 */
export function onStreamEvent<E extends StreamEvent>(
  name: string,
  listener: (event: E | StreamState, stream: string) => void,
): () => void {
  const known = listeners.get(name) ?? new Set()
  listeners.set(name, known.add(listener as Listener))
  return () => {
    known.delete(listener as Listener)
    if (known.size === 0 && listeners.get(name) === known) listeners.delete(name)
  }
}

type People = Extract<StreamNotice, { type: 'presence' }>['data']['people']
const presences = new Map<string, People[number]>()
const presenceListeners = new Set<(ids: readonly string[]) => void>()

/** Takes how people are shown now. */
export function takePresence(people: People): void {
  for (const one of people) presences.set(one.userId, one)
  for (const listener of presenceListeners) listener(people.map(({ userId }) => userId))
}

/** How somebody was shown last; undefined: it was not told. */
export const knownPresence = (userId: string): People[number] | undefined => presences.get(userId)

/** Calls `listener` with whom something was told of. Gives a function that ends it. */
export function onPresence(listener: (ids: readonly string[]) => void): () => void {
  presenceListeners.add(listener)
  return () => void presenceListeners.delete(listener)
}

/** Takes a notice of the connection. */
export function takeNotice(notice: StreamNotice): void {
  if (notice.type === 'streams-opened') {
    for (const [stream, place] of Object.entries(notice.data.places)) {
      const known = places.get(stream)
      places.set(stream, place)
      // Of a stream that is not known yet, all comes since the page was loaded.
      if (known === undefined ? notice.data.joined : known !== place) give(stream, { type: 'reset', data: {} })
    }
  } else if (notice.type === 'presence') takePresence(notice.data.people)
  else if (notice.type === 'stream-signal') {
    const { stream, type, data } = notice.data
    takeSignal(stream, { type, data })
  } else if (notice.type === 'stream-closed') {
    places.delete(notice.data.stream)
    give(notice.data.stream, { type: 'closed', data: {} })
  } else if (notice.type === 'stream-event') {
    const { stream, seq, type, data } = notice.data
    const known = places.get(stream)
    if (type !== 'reset' && known !== undefined && seq <= known) return
    // Newest last: if there are too many to be told, the quiet ones are left out.
    places.delete(stream)
    places.set(stream, seq)
    give(stream, { type, data })
  }
}

export const knownPlaces = (): ReadonlyMap<string, number> => places

/** What an address may hold of them. A stream that does not fit begins at its end, and is read anew. */
const longest = 8000

/** The places in the form in which the server takes them; those that moved last come first. */
export function placesText(): string {
  let text = ''
  for (const [stream, place] of [...places].reverse()) {
    const more = `${text && ','}${stream}@${place}`
    if (text.length + more.length > longest) break
    text += more
  }
  return text
}

function give(stream: string, event: StreamEvent): void {
  const kind = stream.slice(0, stream.indexOf(':') + 1)
  for (const name of [stream, kind]) for (const listener of listeners.get(name) ?? []) listener(event, stream)
}
