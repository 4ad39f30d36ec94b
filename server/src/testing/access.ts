/** Access for tests that stand below the whole app: the real one, with everything that a test does not speak of in place. */
import { type Access, createAccess } from '../core/access/index.ts'
import type { AccessDeps, Principals } from '../core/access/context.ts'
import { createResourceRegistry, type Shareable } from '../core/resources/index.ts'
import { createAudit } from '../platform/audit/index.ts'
import { createLog } from '../platform/log/log.ts'
import type { Database } from '../platform/db/types.ts'
import type { Vault } from '../platform/vault/types.ts'
import type { TestAccounts } from './accounts.ts'
import { openFeatures } from './features.ts'
import { createTestNotifications } from './notifications.ts'
import { createTestPlaces } from './places.ts'

export const createTestAccess = ({
  vault,
  ...deps
}: Pick<AccessDeps, 'database' | 'clock' | 'principals'> & { vault: Vault } & Partial<AccessDeps>): Access =>
  createAccess({
    log: createLog({ level: 'silent' }),
    audit: createAudit({ vault, ...deps }),
    vault,
    jobs: { prepare: async () => ({ write: async () => undefined, tell: async () => undefined }) },
    notifications: createTestNotifications({ vault, database: deps.database, clock: deps.clock }),
    readAccount: async () => null,
    interrupt: async () => undefined,
    announce: async () => undefined,
    requireProof: async () => undefined,
    signupEnabled: async () => false,
    resources: createResourceRegistry(),
    features: openFeatures,
    ...deps,
  })

/** Whom test accounts can share with. */
export const principalsOf = ({ accountNames, groups }: TestAccounts): Principals => ({ ...accountNames, groups })

/** Accounts and groups that are called by their ids. */
export const principalsById = (groups: Principals['groups']): Principals => {
  const named = (id: string) => ({ id, name: id, avatar: null })
  return {
    search: async () => [],
    find: async (id) => named(id),
    named: async (ids) => new Map(ids.map((id) => [id, named(id)])),
    names: async (ids) => new Map(ids.map((id) => [id, id])),
    groups,
  }
}

export type TestChats = ReturnType<typeof createTestChats>

/** Chats that a test says there are. */
export const createTestChats = (database: Database) => {
  const places = createTestPlaces(database)
  const known = new Set<string>()
  const resource: Shareable = {
    missing: 'chat_not_found',
    places: places.of('chat'),
    within: null,
    describe: async () => new Map(),
    changed: async () => undefined,
    list: async () => ({ items: [], nextCursor: null }),
  }
  return {
    resource,
    owns: (accountId: string, id: string): boolean => known.has(`${accountId} ${id}`),
    async add(accountId: string, id: string): Promise<void> {
      known.add(`${accountId} ${id}`)
      await places.put('chat', id, { owner_id: accountId, within_id: null, shown: 1 })
    },
  }
}
