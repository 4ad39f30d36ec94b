/** Every area of the server. An area stands after those that it needs. */
import type { RouteTable } from '@atrium/contract/route'
import { access } from '../core/access/area.ts'
import { accounts } from '../core/accounts/area.ts'
import { apiTokens } from '../core/api-tokens/area.ts'
import { branding } from '../core/branding/area.ts'
import { connections } from '../core/connections/area.ts'
import { deliveries } from '../core/deliveries/area.ts'
import { documents } from '../core/documents/area.ts'
import { generation } from '../core/generation/area.ts'
import { groups } from '../core/groups/area.ts'
import { mail } from '../core/mail/area.ts'
import { notifications } from '../core/notifications/area.ts'
import { presence } from '../core/presence/area.ts'
import { push } from '../core/push/area.ts'
import { resources } from '../core/resources/area.ts'
import { search } from '../core/search/area.ts'
import { settings } from '../core/settings/area.ts'
import { signInProviders } from '../core/sign-in-providers/area.ts'
import { tools } from '../core/tools/area.ts'
import { transfers } from '../core/transfers/area.ts'
import { usage } from '../core/usage/area.ts'
import { webhooks } from '../core/webhooks/area.ts'
import { accountData } from '../features/account-data/area.ts'
import { agentHarness } from '../features/agent-harness/area.ts'
import { agentCli } from '../features/agent-cli/area.ts'
import { artifacts } from '../features/artifacts/area.ts'
import { audit } from '../features/audit/area.ts'
import { calendar } from '../features/calendar/area.ts'
import { channels } from '../features/channels/area.ts'
import { automations } from '../features/automations/area.ts'
import { chat } from '../features/chat/area.ts'
import { codeInterpreter } from '../features/code-interpreter/area.ts'
import { doctor } from '../features/doctor/area.ts'
import { durableJobs } from '../features/durable-jobs/area.ts'
import { localRuntime } from '../features/local-runtime/area.ts'
import { mediaGallery } from '../features/media-gallery/area.ts'
import { publicApi } from '../features/public-api/area.ts'
import { recoveryBackup } from '../features/recovery-backup/area.ts'
import { scim } from '../features/scim/area.ts'
import { speech } from '../features/speech/area.ts'
import { system } from '../features/system/area.ts'
import { systemDiagnostics } from '../features/system-diagnostics/area.ts'
import { toolServers } from '../features/tool-servers/area.ts'
import { trash } from '../features/trash/area.ts'
import { userAdministration } from '../features/user-administration/area.ts'
import { webSearch } from '../features/web-search/area.ts'
import { auditMigrations, auditSealed } from '../platform/audit/index.ts'
import { migrationsOf } from '../platform/areas/compose.ts'
import { searchMigrations } from '../platform/db/search/index.ts'
import { eventMigrations, eventSealed } from '../platform/events/tables.ts'
import { fileMigrations, fileSealed } from '../platform/files/tables.ts'
import { jobMigrations, jobSealed } from '../platform/jobs/tables.ts'
import type { SealedColumn } from '../platform/vault/sealed-columns.ts'
import { vaultMigrations, vaultSealed } from '../platform/vault/tables.ts'

export const areas = [
  settings,
  branding,
  mail,
  accounts,
  notifications,
  groups,
  signInProviders,
  apiTokens,
  presence,
  push,
  webhooks,
  deliveries,
  // An account is removed from the last area to the first: shares end, then what is shared goes, and calls that end with it
  // are counted before usage forgets whose they were.
  usage,
  resources,
  access,
  transfers,
  connections,
  generation,
  tools,
  documents,
  webSearch,
  speech,
  mediaGallery,
  calendar,
  chat,
  codeInterpreter,
  artifacts,
  channels,
  automations,
  trash,
  search,
  publicApi,
  scim,
  userAdministration,
  accountData,
  durableJobs,
  audit,
  localRuntime,
  agentCli,
  system,
  systemDiagnostics,
  agentHarness,
  recoveryBackup,
  doctor,
  toolServers,
] as const

/** Every step of the schema. */
export const migrations = migrationsOf(
  [
    ...vaultMigrations,
    ...eventMigrations,
    ...fileMigrations,
    ...jobMigrations,
    ...auditMigrations,
    ...searchMigrations,
  ],
  areas,
)

/** Every column that holds sealed values. */
export const sealed: readonly SealedColumn[] = [
  ...[vaultSealed, eventSealed, fileSealed, jobSealed, auditSealed].flat(),
  ...areas.flatMap((area) => area.sealed),
]

/** All routes, by the tag under which the interface describes them. */
export const routesByTag: Readonly<Record<string, RouteTable>> = areas.reduce<Record<string, RouteTable>>(
  (tables, { description: { tag, routes } }) =>
    Object.keys(routes).length === 0 ? tables : { ...tables, [tag]: { ...tables[tag], ...routes } },
  {},
)
