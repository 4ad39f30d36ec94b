/** The interface at a glance: every area's routes. */
import { accessControl } from './access-control.ts'
import { accountData } from './account-data.ts'
import { audit } from './audit.ts'
import { authentication } from './authentication.ts'
import { chat } from './chat.ts'
import { documentKnowledge } from './document-knowledge.ts'
import { durableJobs } from './durable-jobs.ts'
import { email } from './email.ts'
import { invitations } from './invitations.ts'
import { localRuntime } from './local-runtime.ts'
import { modelManagement } from './model-management.ts'
import { publicApi } from './public-api.ts'
import type { RouteTable } from './route.ts'
import { scim } from './scim.ts'
import { search } from './search.ts'
import { settingsPreferences } from './settings-preferences.ts'
import { system } from './system.ts'
import { usage } from './usage.ts'
import { userAdministration } from './user-administration.ts'
import { webSearch } from './web-search.ts'

export const areas = {
  authentication,
  'user-administration': { ...userAdministration, ...invitations },
  'account-data': accountData,
  'settings-preferences': settingsPreferences,
  'model-management': modelManagement,
  'local-runtime': localRuntime,
  chat,
  'web-search': webSearch,
  'document-knowledge': documentKnowledge,
  search,
  usage,
  'access-control': accessControl,
  audit,
  'public-api': publicApi,
  scim,
  email,
  'durable-jobs': durableJobs,
  system,
} as const satisfies Record<string, RouteTable>
