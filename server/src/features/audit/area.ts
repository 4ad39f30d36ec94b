/** The area of the audit, as `compose()` creates it. */
import { auditArea } from '@atrium/contract/audit'
import type { Accounts } from '../../core/accounts/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { auditPruneJob, auditSettings, createAuditArea } from './index.ts'

interface Needs {
  readonly accounts: Accounts
  readonly groups: GroupsArea
}

export const audit = defineArea(auditArea)<Needs>()({
  needs: ['accounts', 'groups'],
  settings: auditSettings,
  create: (platform, { accounts, groups }, settings) => ({
    ...createAuditArea({
      ...platform,
      settings: settings.audit,
      namesOf: accounts.accountNames.names,
      groupNamesOf: groups.names,
    }),
    api: undefined,
    every: [[auditPruneJob, 24 * 3600_000]],
  }),
})
