/** The area of artifacts, as `compose()` creates it. */
import { artifactsArea } from '@atrium/contract/artifacts'
import type { Access } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createArtifacts } from './index.ts'
import { artifactMigrations, artifactSealed } from './tables.ts'

export const artifacts = defineArea(artifactsArea)<{ access: Access; accounts: Accounts }>()({
  needs: ['access', 'accounts'],
  migrations: artifactMigrations,
  sealed: artifactSealed,
  create: (platform, { access, accounts }) => ({
    ...createArtifacts({ ...platform, access, namesOf: accounts.accountNames.names }),
    api: undefined,
  }),
})
