/** The area of the audit, as `compose()` creates it. */
import { auditArea } from '@atrium/contract/audit'
import type { Accounts } from '../../core/accounts/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { auditPruneJob, createAuditArea } from './index.ts'

interface Needs {
  readonly accounts: Accounts
  readonly groups: GroupsArea
  readonly settings: Settings
}

export const audit = defineArea(auditArea)<Needs, { readonly retentionDays: number | undefined }>()({
  needs: ['accounts', 'groups', 'settings'],
  create: (platform, { accounts, groups, settings }, { retentionDays }) => ({
    ...createAuditArea({
      ...platform,
      settings,
      retentionDays,
      namesOf: accounts.directory.names,
      groupNamesOf: groups.names,
    }),
    api: undefined,
    every: [[auditPruneJob, 24 * 3600_000]],
  }),
})
