/**
 * What changes in the account while pages are open. One tab of the browser, the leader, holds the stream and passes
 * events on to the others, because browsers allow only six connections to one server.
 */
import { systemRoutes, type AccountEvent } from '@atrium/contract/system'
import { follow, type StreamedEvent, type FollowState } from './follow.ts'

type Type = AccountEvent['type']
type DataOf<T extends Type> = Extract<AccountEvent, { type: T }>['data']

const listeners = new Map<Type, Set<(data: never) => void>>()

/** Calls `listener` for each event of a type, in every open tab. Gives a function that ends it. */
export function onAccountEvent<T extends Type>(type: T, listener: (data: DataOf<T>) => void): () => void {
  const known = listeners.get(type) ?? new Set()
  listeners.set(type, known)
  known.add(listener)
  return () => void known.delete(listener)
}

/** Follows the account until `signal` aborts. `onState` tells of the leader's connection, in the leader only. */
export function followAccount(accountId: string, signal: AbortSignal, onState: (state: FollowState) => void): void {
  const name = `atrium-events:${accountId}`
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null
  let last: number | undefined
  const take = (event: StreamedEvent<AccountEvent>) => {
    if (last !== undefined && event.id <= last) return
    last = event.id
    for (const listener of listeners.get(event.type) ?? []) listener(event.data as never)
  }
  channel?.addEventListener('message', (message: MessageEvent<StreamedEvent<AccountEvent>>) => take(message.data))
  signal.addEventListener('abort', () => channel?.close())

  const lead = () =>
    follow(
      systemRoutes.events,
      {},
      {
        signal,
        after: last,
        onState,
        onEvents: (events) => {
          for (const event of events) {
            take(event)
            if (!signal.aborted) channel?.postMessage(event)
          }
        },
      },
    ).catch(() => undefined) // A refusal (the session is over) is answered by the next call of the page.

  // Web Locks exist only on secure origins; elsewhere each tab holds a stream of its own.
  if (navigator.locks && channel) void navigator.locks.request(name, { signal }, lead).catch(() => undefined)
  else void lead()
}
