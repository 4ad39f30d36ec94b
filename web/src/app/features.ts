/** Every feature of the app, in the order of the rail. */
import type { ResourceKind } from '@atrium/contract/resources'
import type { Feature } from '../lib/feature.ts'
import { registerResources } from '../lib/resources.ts'
import { registerSettings } from '../lib/settings.ts'
import { accessFeature } from '../features/access/index.tsx'
import { accountDataFeature } from '../features/account-data/index.tsx'
import { accountsFeature } from '../features/accounts/index.tsx'
import { agentCliFeature } from '../features/agent-cli/index.tsx'
import { agentHarnessFeature } from '../features/agent-harness/index.tsx'
import { apiTokensFeature } from '../features/api-tokens/index.tsx'
import { artifactsFeature } from '../features/artifacts/index.tsx'
import { auditFeature } from '../features/audit/index.tsx'
import { automationsFeature } from '../features/automations/index.tsx'
import { brandingFeature } from '../features/branding/index.tsx'
import { calendarFeature } from '../features/calendar/index.tsx'
import { channelsFeature } from '../features/channels/index.tsx'
import { chatFeature } from '../features/chat/index.tsx'
import { codeInterpreterFeature } from '../features/code-interpreter/index.tsx'
import { connectionsFeature } from '../features/connections/index.tsx'
import { doctorFeature } from '../features/doctor/index.tsx'
import { documentsFeature } from '../features/documents/index.tsx'
import { durableJobsFeature } from '../features/durable-jobs/index.tsx'
import { groupsFeature } from '../features/groups/index.tsx'
import { localRuntimeFeature } from '../features/local-runtime/index.tsx'
import { mailFeature } from '../features/mail/index.tsx'
import { mediaGalleryFeature } from '../features/media-gallery/index.tsx'
import { pushFeature } from '../features/push/index.tsx'
import { notificationsFeature } from '../features/notifications/index.tsx'
import { recoveryBackupFeature } from '../features/recovery-backup/index.tsx'
import { scimFeature } from '../features/scim/index.tsx'
import { searchFeature } from '../features/search/index.tsx'
import { settingsFeature } from '../features/settings/index.tsx'
import { signInProvidersFeature } from '../features/sign-in-providers/index.tsx'
import { speechFeature } from '../features/speech/index.tsx'
import { systemDiagnosticsFeature } from '../features/system-diagnostics/index.tsx'
import { toolsFeature } from '../features/tools/index.tsx'
import { toolServersFeature } from '../features/tool-servers/index.tsx'
import { trashFeature } from '../features/trash/index.tsx'
import { usageFeature } from '../features/usage/index.tsx'
import { userAdministrationFeature } from '../features/user-administration/index.tsx'
import { webhooksFeature } from '../features/webhooks/index.tsx'
import { webSearchFeature } from '../features/web-search/index.tsx'

const all = [
  chatFeature,
  documentsFeature,
  automationsFeature,
  searchFeature,
  accessFeature,
  trashFeature,
  usageFeature,
  agentHarnessFeature,
  systemDiagnosticsFeature,
  settingsFeature,
  accountsFeature,
  connectionsFeature,
  toolsFeature,
  localRuntimeFeature,
  agentCliFeature,
  webSearchFeature,
  speechFeature,
  apiTokensFeature,
  accountDataFeature,
  userAdministrationFeature,
  groupsFeature,
  signInProvidersFeature,
  scimFeature,
  mailFeature,
  pushFeature,
  webhooksFeature,
  brandingFeature,
  durableJobsFeature,
  auditFeature,
  recoveryBackupFeature,
  doctorFeature,
  mediaGalleryFeature,
  notificationsFeature,
  channelsFeature,
  calendarFeature,
  artifactsFeature,
  toolServersFeature,
  codeInterpreterFeature,
] as const

export const features: readonly Feature[] = all

type KindsOf<F> = F extends { readonly resources: { readonly kinds: infer K } } ? keyof K : never
/** Every kind of the contract is shown by a feature: a missing one does not compile. */
const missingKinds: Record<Exclude<ResourceKind, KindsOf<(typeof all)[number]>>, never> = {}
void missingKinds

for (const feature of features) {
  if (feature.settings) registerSettings(feature.settings)
  if (feature.resources) registerResources(feature.name, feature.resources)
}
