/**
 * What changes in the account, and in the streams that it follows, while pages are open. One tab of the browser, the
 * leader, holds the connection and passes everything on to the others, because browsers allow only six connections to
 * one server.
 */
import type { AccountEvent, StreamNotice } from '@atrium/contract/system'
import type { StreamedEvent } from './follow.ts'
import { followLive, type LiveOptions } from './live-connection.ts'
import { askShown, shareShown, type TabStreams, takeShown } from './shown-streams.ts'
import { takeNotice } from './stream-events.ts'

type Type = AccountEvent['type']
type DataOf<T extends Type> = Extract<AccountEvent, { type: T }>['data']
type Heard = StreamedEvent<AccountEvent> | StreamNotice

const listeners = new Map<Type, Set<(data: never) => void>>()

/** Calls `listener` for each event of a type, in every open tab. Gives a function that ends it. */
export function onAccountEvent<T extends Type>(type: T, listener: (data: DataOf<T>) => void): () => void {
  const known = listeners.get(type) ?? new Set()
  listeners.set(type, known)
  known.add(listener)
  return () => void known.delete(listener)
}

/**
 * Follows the account until `signal` aborts, beginning with what came since `loadedAt`. `onState` tells of the leader's
 * connection, in the leader only.
 */
export function followAccount(
  accountId: string,
  { signal, loadedAt, onState }: Pick<LiveOptions, 'signal' | 'loadedAt' | 'onState'>,
): void {
  const name = `atrium-events:${accountId}`
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null
  let last: number | undefined
  const take = (event: Heard) => {
    if (!('id' in event)) return takeNotice(event)
    if (last !== undefined && event.id <= last && event.type !== 'reset') return
    last = event.id
    for (const listener of listeners.get(event.type) ?? []) listener(event.data as never)
  }
  const say = (said: Heard | TabStreams) => {
    if (!signal.aborted) channel?.postMessage(said)
  }
  const stopSharing = shareShown(say)
  channel?.addEventListener('message', ({ data }: MessageEvent<Heard | TabStreams>) =>
    'tab' in data ? takeShown(data) : take(data),
  )
  signal.addEventListener('abort', () => {
    stopSharing()
    channel?.close()
  })

  const onEvent = (event: Heard) => {
    take(event)
    say(event)
  }
  // A refusal (the session is over) is answered by the next call of the page.
  const lead = () => {
    askShown(say)
    return followLive({ signal, after: () => last, loadedAt, onEvent, onState }).catch(() => undefined)
  }

  // Web Locks exist only on secure origins; elsewhere each tab holds a stream of its own.
  if (navigator.locks && channel) void navigator.locks.request(name, { signal }, lead).catch(() => undefined)
  else void lead()
}
