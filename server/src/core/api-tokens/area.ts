/** The area of API tokens, as `compose()` creates it. */
import { apiTokensArea } from '@atrium/contract/api-tokens'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import { apiTokenMigrations, apiTokenSealed, createApiTokensArea } from './index.ts'

export const apiTokens = defineArea(apiTokensArea)<{ accounts: Accounts }>()({
  needs: ['accounts'],
  migrations: apiTokenMigrations,
  sealed: apiTokenSealed,
  create(platform, needs) {
    const api = createApiTokensArea({ ...platform, ...needs })
    return { handlers: api.handlers, api }
  },
})
