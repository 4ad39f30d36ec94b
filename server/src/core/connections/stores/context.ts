/** What the stores of this area share. */
import type { AnyTransaction } from '../../../platform/db/types.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Keyring, Vault } from '../../../platform/vault/types.ts'
import type { BundledDefinition } from '../../../providers/definitions.ts'
import type { ConnectionTables } from '../tables.ts'
import type { InstalledDefinition } from '../types.ts'

export interface StoreDeps extends Pick<Platform, 'clock' | 'database'> {
  readonly vault: Vault
  readonly bundled: readonly BundledDefinition[]
  /** The ids of the groups that an account is in. */
  readonly groupsOf: (accountId: string) => Promise<readonly string[]>
}

export interface StoreContext extends StoreDeps {
  readonly tables: () => ReturnType<typeof connectionTables>
  /** The definition of an id as an open transaction sees it; null: none. */
  readonly readInstalled: (trx: AnyTransaction, id: string, instance: Keyring) => Promise<InstalledDefinition | null>
}

export const connectionTables = (deps: StoreDeps) => deps.database.tables<ConnectionTables>()
