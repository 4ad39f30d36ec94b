/** Features for tests below the whole app: open to everybody, or decided as they are, with no groups. */
import type { FeatureName, FeatureRule } from '@atrium/contract/access'
import type { Features } from '../core/access/index.ts'
import { createFeatures } from '../core/access/features/features.ts'
import type { Database } from '../platform/db/types.ts'
import { createLog } from '../platform/log/log.ts'

const ruleOf = (name: FeatureName): FeatureRule => ({
  name,
  mode: 'all-users',
  groupIds: [],
  modes: [],
  source: 'default',
  variable: null,
  available: true,
})

export const openFeatures: Features = {
  register: () => undefined,
  decideAll: async () => [],
  allows: async () => true,
  require: async () => undefined,
  watch: (_name, _accountId, signal = new AbortController().signal) => ({ signal, end: () => undefined }),
  whileAllowed: (_name, _accountId, signal = new AbortController().signal, run) => run(signal),
  list: async () => [],
  rule: async (name) => ruleOf(name),
  save: async (name) => ruleOf(name),
  groupChanged: async () => undefined,
  changed: async () => undefined,
  close: () => undefined,
}

/** The real ones. `roleOf`: of an active account; null: it is not active. */
export const createTestFeatures = (
  database: Database,
  roleOf: (accountId: string) => 'admin' | 'user' | null,
): Features =>
  createFeatures({
    database,
    log: createLog({ level: 'silent' }),
    async readUser(accountId) {
      const role = roleOf(accountId)
      return role && { role, status: 'active' }
    },
    groups: { currentIdsOf: async () => [], memberIds: async () => [], names: async () => new Map() },
    administratorIds: async () => [],
    announceAll: async () => undefined,
    announceEach: async () => undefined,
    onAccountChanged: () => undefined,
    onSettingsChanged: () => () => undefined,
  })
