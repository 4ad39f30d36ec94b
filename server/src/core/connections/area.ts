/** The area of connections, as `compose()` creates it. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { connectionsArea } from '@atrium/contract/connections'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSlot } from '../../platform/slot.ts'
import { createLocalRuntime } from '../../providers/local-runtime.ts'
import { createRunner } from '../../providers/runner.ts'
import { createSignIn } from '../../providers/sign-in/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Usage } from '../usage/index.ts'
import {
  type AgentModels,
  type ConnectionsDeps,
  type InstanceVisibility,
  connectionMigrations,
  connectionSealed,
  connectionSettings,
  createConnections,
} from './index.ts'

type ConnectionOptions = Pick<ConnectionsDeps, 'environmentKey'>

const everything: InstanceVisibility = {
  hidden: [],
  order: [],
  starred: [],
  metadata: {},
  groups: {},
  defaultModel: null,
}

export const connections = defineArea(connectionsArea)<
  { accounts: Accounts; groups: Groups; settings: Settings; usage: Usage },
  ConnectionOptions
>()({
  needs: ['accounts', 'groups', 'settings', 'usage'],
  migrations: connectionMigrations,
  sealed: connectionSealed,
  settings: connectionSettings,
  create(platform, { accounts, groups, settings, usage }, variables, { environmentKey }) {
    const { outbound, clock, log } = platform
    const visibility = createSlot<() => Promise<InstanceVisibility>>('How the instance shows models')
    const agents = createSlot<AgentModels>('Agents on the server')
    const runtime = createLocalRuntime(outbound)
    const api = createConnections({
      ...platform,
      environmentKey,
      ttlMs: variables.PLUGIN_MODEL_DISCOVERY_TTL_MS,
      retryMs: variables.PLUGIN_MODEL_DISCOVERY_RETRY_MS,
      maxContext: variables.OLLAMA_MAX_CONTEXT,
      runtime,
      runner: createRunner({ outbound, clock, meter: usage.meter }),
      admit: usage.admit,
      readmit: usage.readmit,
      allowAddress: settings.allowAddress,
      localRuntimeSettings: async () => (await settings.instance()).localRuntime.value,
      preferences: settings.preferencesOf,
      visibility: async () => (await visibility.value?.()) ?? everything,
      async accountNames(ids) {
        const people = await accounts.store.users(ids)
        return new Map(people.map(({ id, displayName, username }) => [id, displayName ?? username]))
      },
      administratorIds: accounts.administratorIds,
      groupsOf: groups.idsOf,
      groupNames: groups.names,
      priceOf: usage.priceOf,
      speedOf: usage.speedOf,
      agents: () => agents.value,
      signIn: createSignIn({
        enabled: variables.SIGNIN_OAUTH_MODELS_ENABLED ?? true,
        home: variables.CODEX_HOME ?? join(homedir(), '.codex'),
        outbound,
        clock,
        log: log.child('sign-in'),
      }),
      async isAdministrator(accountId) {
        const user = await accounts.user(accountId)
        return user?.role === 'admin' && user.status === 'active'
      },
    })
    groups.onMembersChanged((_groupId, accountIds) => api.groupsChanged(accountIds))
    groups.onRemoved((_groupId, memberIds) => api.groupsChanged(memberIds))
    return { ...api.area, checks: [api.check], api: { ...api, runtime, visibility, agents }, stop: api.close }
  },
})
