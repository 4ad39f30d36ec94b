/**
 * Keeps what an account has of its connections in memory, so that a call costs no question to the database. Whatever is
 * written is forgotten here at once, and by every other process as soon as it hears of it.
 */
import { createCache } from '../../../platform/cache/cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type ConnectionStore, inOrderOfUse } from './index.ts'
import type { AccountConnection } from '../types.ts'

export interface CacheDeps extends Pick<Platform, 'database'> {
  readonly store: ConnectionStore
  readonly clock: Pick<Clock, 'now'>
}

/** Upper bound for entries whose invalidation from another process was lost. */
const longestMs = 10_000
const mostAccounts = 2000
const channel = 'connections-changed'

export function cacheConnections({ store, database, clock }: CacheDeps): {
  store: ConnectionStore
  /** Reads what an account has anew, on every process. */
  forget(accountId: string): Promise<void>
  close(): void
} {
  const connectionsOf = createCache<AccountConnection[]>({
    max: mostAccounts,
    ttl: { ms: longestMs, clock },
    channel: { name: channel, database },
  })
  const all = (accountId: string): Promise<AccountConnection[]> =>
    connectionsOf.load(accountId, () => store.all(accountId))

  /** Of an account, or of all. Also after a failure: whether anything was written is not known then. */
  const after = async <T>(accountId: string | undefined, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      await connectionsOf.forgetEverywhere(accountId)
    }
  }

  return {
    forget: (accountId) => connectionsOf.forgetEverywhere(accountId),
    close: connectionsOf.close,
    store: {
      ...store,
      all,
      active: async (accountId) => inOrderOfUse(await all(accountId)),
      one: async (accountId, id) =>
        (await all(accountId)).find(({ installed }) => installed.definition.id === id) ?? null,
      putDefinition: (...given) => after(undefined, store.putDefinition(...given)),
      installWhole: (...given) => after(undefined, store.installWhole(...given)),
      changeDefinition: (...given) => after(undefined, store.changeDefinition(...given)),
      remove: (...given) => after(undefined, store.remove(...given)),
      saveInstanceValues: (...given) => after(undefined, store.saveInstanceValues(...given)),
      saveSharing: (...given) => after(undefined, store.saveSharing(...given)),
      saveSharedKey: (...given) => after(undefined, store.saveSharedKey(...given)),
      removeSharedKey: (...given) => after(undefined, store.removeSharedKey(...given)),
      saveKey: (accountId, ...given) => after(accountId, store.saveKey(accountId, ...given)),
      removeKey: (accountId, ...given) => after(accountId, store.removeKey(accountId, ...given)),
      saveOwnValues: (accountId, ...given) => after(accountId, store.saveOwnValues(accountId, ...given)),
      activate: (accountId, ...given) => after(accountId, store.activate(accountId, ...given)),
      deactivate: (accountId, ...given) => after(accountId, store.deactivate(accountId, ...given)),
      saveDiscovery: (accountId, ...given) => after(accountId, store.saveDiscovery(accountId, ...given)),
    },
  }
}
