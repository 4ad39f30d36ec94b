/** Tells open streams and sockets, in every process, that an account's permissions on things of others changed. */
import type { Database } from '../../../platform/db/types.ts'

export interface PermissionEvents {
  /** Calls `changed` each time something that the account may do was given, taken or ran out. Gives the function that stops it. */
  watch(accountId: string, changed: () => void): () => void
  /** Has whatever is open for these accounts show its right again, in every process. */
  publish(accountIds: readonly string[]): Promise<void>
  close(): void
}

const channel = 'rights-changed'
const idsPerMessage = 100

export const createPermissionEvents = ({ database }: { database: Database }): PermissionEvents => {
  const watchers = new Map<string, Set<() => void>>()
  const hear = (accountIds: Iterable<string>): void => {
    for (const accountId of accountIds) for (const changed of watchers.get(accountId) ?? []) changed()
  }
  const stopListening = database.listen(
    channel,
    (payload) => hear(payload.split(' ')),
    // Some news may have been missed, so everybody shows their right.
    () => hear([...watchers.keys()]),
  )

  return {
    watch(accountId, changed) {
      // A wrapper, so that the same function may watch twice.
      const watcher = () => changed()
      const all = watchers.get(accountId) ?? new Set()
      watchers.set(accountId, all.add(watcher))
      return () => {
        all.delete(watcher)
        if (all.size === 0 && watchers.get(accountId) === all) watchers.delete(accountId)
      }
    },
    async publish(accountIds) {
      const ids = [...new Set(accountIds)]
      for (let from = 0; from < ids.length; from += idsPerMessage)
        await database.notify(channel, ids.slice(from, from + idsPerMessage).join(' '))
    },
    close() {
      stopListening()
      watchers.clear()
    },
  }
}
