/** Every area with its routes and shapes. */
import { accessArea } from '@atrium/contract/access'
import { accountDataArea } from '@atrium/contract/account-data'
import { accountsArea } from '@atrium/contract/accounts'
import { apiTokensArea } from '@atrium/contract/api-tokens'
import { auditArea } from '@atrium/contract/audit'
import { chatArea } from '@atrium/contract/chat'
import { connectionsArea } from '@atrium/contract/connections'
import { documentsArea } from '@atrium/contract/documents'
import { durableJobsArea } from '@atrium/contract/durable-jobs'
import { groupsArea } from '@atrium/contract/groups'
import { localRuntimeArea } from '@atrium/contract/local-runtime'
import { mailArea } from '@atrium/contract/mail'
import { publicApiArea } from '@atrium/contract/public-api'
import { scimArea } from '@atrium/contract/scim'
import { searchArea } from '@atrium/contract/search'
import { settingsArea } from '@atrium/contract/settings'
import { signInProvidersArea } from '@atrium/contract/sign-in-providers'
import { systemArea } from '@atrium/contract/system'
import { usageArea } from '@atrium/contract/usage'
import { userAdministrationArea } from '@atrium/contract/user-administration'
import { webSearchArea } from '@atrium/contract/web-search'
import type { RouteTable } from '@atrium/contract/route'

export const contractAreas = [
  accountsArea,
  groupsArea,
  signInProvidersArea,
  apiTokensArea,
  userAdministrationArea,
  accountDataArea,
  settingsArea,
  connectionsArea,
  localRuntimeArea,
  chatArea,
  webSearchArea,
  documentsArea,
  searchArea,
  usageArea,
  accessArea,
  auditArea,
  publicApiArea,
  scimArea,
  mailArea,
  durableJobsArea,
  systemArea,
] as const

/** All routes, by the tag under which the interface describes them. */
export const routesByTag: Readonly<Record<string, RouteTable>> = contractAreas.reduce<Record<string, RouteTable>>(
  (tables, { tag, routes }) => ({ ...tables, [tag]: { ...tables[tag], ...routes } }),
  {},
)
