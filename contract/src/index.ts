/**
 * Every area of the product. What the rest must know of all areas (error codes, events, audit actions, scopes, kinds of
 * resources) derives from this list.
 */
import type { AreaDescription } from './description.ts'
import { accessDescription } from './access/area.ts'
import { accountDataDescription } from './account-data/area.ts'
import { accountsDescription } from './accounts/area.ts'
import { agentHarnessDescription } from './agent-harness/area.ts'
import { agentCliDescription } from './agent-cli/area.ts'
import { apiTokensDescription } from './api-tokens/area.ts'
import { artifactsDescription } from './artifacts/area.ts'
import { auditDescription } from './audit/area.ts'
import { automationsDescription } from './automations/area.ts'
import { brandingDescription } from './branding/area.ts'
import { calendarDescription } from './calendar/area.ts'
import { channelsDescription } from './channels/area.ts'
import { chatDescription } from './chat/area.ts'
import { codeInterpreterDescription } from './code-interpreter/area.ts'
import { connectionsDescription } from './connections/area.ts'
import { deliveriesDescription } from './deliveries/area.ts'
import { documentsDescription } from './documents/area.ts'
import { doctorDescription } from './doctor/area.ts'
import { durableJobsDescription } from './durable-jobs/area.ts'
import { groupsDescription } from './groups/area.ts'
import { localRuntimeDescription } from './local-runtime/area.ts'
import { mailDescription } from './mail/area.ts'
import { mediaGalleryDescription } from './media-gallery/area.ts'
import { notificationsDescription } from './notifications/area.ts'
import { presenceDescription } from './presence/area.ts'
import { publicApiDescription } from './public-api/area.ts'
import { pushDescription } from './push/area.ts'
import { recoveryBackupDescription } from './recovery-backup/area.ts'
import { scimDescription } from './scim/area.ts'
import { searchDescription } from './search/area.ts'
import { settingsDescription } from './settings/area.ts'
import { signInProvidersDescription } from './sign-in-providers/area.ts'
import { speechDescription } from './speech/area.ts'
import { systemDescription } from './system/area.ts'
import { systemDiagnosticsDescription } from './system-diagnostics/area.ts'
import { toolsDescription } from './tools/area.ts'
import { toolServersDescription } from './tool-servers/area.ts'
import { transfersDescription } from './transfers/area.ts'
import { trashDescription } from './trash/area.ts'
import { usageDescription } from './usage/area.ts'
import { userAdministrationDescription } from './user-administration/area.ts'
import { webhooksDescription } from './webhooks/area.ts'
import { webSearchDescription } from './web-search/area.ts'

export const areas = [
  accountsDescription,
  groupsDescription,
  signInProvidersDescription,
  apiTokensDescription,
  userAdministrationDescription,
  accountDataDescription,
  settingsDescription,
  brandingDescription,
  connectionsDescription,
  localRuntimeDescription,
  agentCliDescription,
  chatDescription,
  channelsDescription,
  presenceDescription,
  webSearchDescription,
  speechDescription,
  documentsDescription,
  calendarDescription,
  automationsDescription,
  toolsDescription,
  trashDescription,
  searchDescription,
  usageDescription,
  accessDescription,
  transfersDescription,
  notificationsDescription,
  auditDescription,
  publicApiDescription,
  scimDescription,
  mailDescription,
  pushDescription,
  webhooksDescription,
  deliveriesDescription,
  durableJobsDescription,
  recoveryBackupDescription,
  doctorDescription,
  systemDescription,
  systemDiagnosticsDescription,
  agentHarnessDescription,
  mediaGalleryDescription,
  artifactsDescription,
  toolServersDescription,
  codeInterpreterDescription,
] as const

/** The name and the tag of each area: of the list itself browsers get nothing, as schemas are in it. */
export const areaNames = areas.map(({ name, tag }) => ({ name, tag }))

/** The same without the types of each, for loops over all of them. */
export const descriptions = areas.map((area): AreaDescription => area)

export type AreaDescriptions = (typeof areas)[number]
export type AreaName = AreaDescriptions['name']
