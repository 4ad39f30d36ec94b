/** The area of transfers, as `compose()` creates it. */
import { transfersArea } from '@atrium/contract/transfers'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Access } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { ResourceRegistry } from '../resources/index.ts'
import { createTransfers, upkeepKind } from './index.ts'
import { transferMigrations } from './tables.ts'

interface Needs {
  readonly access: Access
  readonly accounts: Accounts
  readonly notifications: Notifications
  readonly resources: ResourceRegistry
}

export const transfers = defineArea(transfersArea)<Needs>()({
  needs: ['access', 'accounts', 'notifications', 'resources'],
  migrations: transferMigrations,
  create: (platform, needs) => ({
    ...createTransfers({ ...platform, ...needs }),
    every: [[upkeepKind, 3600_000]],
  }),
})
