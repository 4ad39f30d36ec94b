/**
 * Keeps what an account has of its connections in memory, so that a call costs no question to the database. Whatever is
 * written is forgotten here at once, and by every other process as soon as it hears of it.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/types.ts'
import { type ConnectionStore, inOrderOfUse } from './index.ts'
import type { AccountConnection } from '../types.ts'

export interface CacheDeps {
  readonly store: ConnectionStore
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
}

/** For what another process wrote while nobody could be told. */
const longestMs = 10_000
const mostAccounts = 2000
const channel = 'connections-changed'
const everybody = '*'

export function cacheConnections({ store, database, clock }: CacheDeps): { store: ConnectionStore; close(): void } {
  const kept = new Map<string, { at: number; connections: Promise<AccountConnection[]> }>()

  const forget = (whose: string): void => {
    if (whose === everybody) kept.clear()
    else kept.delete(whose)
  }
  const stop = database.listen(channel, forget, () => kept.clear())

  const all = (accountId: string): Promise<AccountConnection[]> => {
    const now = clock.now()
    const known = kept.get(accountId)
    if (known && now - known.at < longestMs) return known.connections
    const connections = store.all(accountId)
    if (kept.size >= mostAccounts) kept.clear()
    const entry = { at: now, connections }
    kept.set(accountId, entry)
    connections.catch(() => {
      if (kept.get(accountId) === entry) kept.delete(accountId)
    })
    return connections
  }

  /** Also after a failure: whether anything was written is not known then. */
  const after = async <T>(whose: string, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      forget(whose)
      await database.notify(channel, whose)
    }
  }

  return {
    close: stop,
    store: {
      ...store,
      all,
      active: async (accountId) => inOrderOfUse(await all(accountId)),
      one: async (accountId, id) =>
        (await all(accountId)).find(({ installed }) => installed.definition.id === id) ?? null,
      putDefinition: (...given) => after(everybody, store.putDefinition(...given)),
      installWhole: (...given) => after(everybody, store.installWhole(...given)),
      remove: (...given) => after(everybody, store.remove(...given)),
      saveInstanceValues: (...given) => after(everybody, store.saveInstanceValues(...given)),
      saveKey: (accountId, ...given) => after(accountId, store.saveKey(accountId, ...given)),
      removeKey: (accountId, ...given) => after(accountId, store.removeKey(accountId, ...given)),
      saveOwnValues: (accountId, ...given) => after(accountId, store.saveOwnValues(accountId, ...given)),
      activate: (accountId, ...given) => after(accountId, store.activate(accountId, ...given)),
      deactivate: (accountId, ...given) => after(accountId, store.deactivate(accountId, ...given)),
      saveLook: (accountId, ...given) => after(accountId, store.saveLook(accountId, ...given)),
    },
  }
}
