/** The area of artifacts, as `compose()` creates it. */
import { artifactsArea } from '@atrium/contract/artifacts'
import type { Access } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Generations } from '../../core/generation/index.ts'
import type { Mail } from '../../core/mail/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createArtifacts, upkeepJob } from './index.ts'
import { artifactMigrations, artifactSealed } from './tables.ts'

interface Needs {
  readonly access: Access
  readonly accounts: Accounts
  readonly generation: Pick<Generations, 'onScopeRemoved'>
  readonly mail: Pick<Mail, 'address'>
  readonly settings: Settings
}

export const artifacts = defineArea(artifactsArea)<Needs>()({
  needs: ['access', 'accounts', 'generation', 'mail'],
  migrations: artifactMigrations,
  sealed: artifactSealed,
  create: (platform, { access, accounts, generation, mail }) => {
    const { chatRemoved, ...area } = createArtifacts({
      ...platform,
      access,
      namesOf: accounts.accountNames.names,
      displayName: async (accountId) => (await accounts.user(accountId))?.displayName ?? null,
      linksAllowed: (ownerId) => access.features.allows('artifact-links', ownerId),
      passwords: accounts.passwords,
      address: mail.address,
    })
    generation.onScopeRemoved(chatRemoved)
    return { ...area, every: [[upkeepJob, 24 * 3600_000]], api: undefined }
  },
})
