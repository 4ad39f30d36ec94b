/** Dependencies of the handlers of this area. */
import type { Audit } from '../../platform/audit/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PriceOf } from './catalogue/models.ts'
import type { ModelDiscoverer } from './catalogue/discovery.ts'
import type { ReadEnvironmentKey } from './keys.ts'
import type { QuickDeps } from './setup/quick.ts'
import type { CallDeps } from './calls/resolve.ts'
import type { ConnectionStore } from './stores/index.ts'
import type { AccountConnection } from './types.ts'

export interface ConnectionContext extends CallDeps, Pick<QuickDeps, 'allowAddress'>, Pick<Platform, 'clock'> {
  readonly store: ConnectionStore
  readonly audit: Audit
  readonly discoverer: ModelDiscoverer
  readonly environmentKey: ReadEnvironmentKey
  readonly priceOf: PriceOf
  /** What groups are called, by id; those that are gone are not there. */
  readonly groupNames: (groupIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** What accounts are called, by id; those that are gone are not there. */
  readonly accountNames: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly administratorIds: () => Promise<readonly string[]>
  /** Tells the administrators' pages who asked for a model, or that a request was answered (null). */
  readonly announceRequests: (name: string | null) => Promise<void>
  /** One connection as the account may see it. Refuses with `plugin_not_found`. */
  readonly readConnection: (accountId: string, id: string) => Promise<AccountConnection>
  /** Tells the account's pages that its models changed. */
  readonly announceModels: (accountId: string) => Promise<void>
  /** Tells everybody's. */
  readonly announceModelsToAll: () => Promise<void>
}
