/** Asks anew for everything that tells what the account may use, and what administrators set about it. */
import { accessRoutes } from '@atrium/contract/access'
import { agentCliRoutes } from '@atrium/contract/agent-cli'
import { codeInterpreterRoutes } from '@atrium/contract/code-interpreter'
import { connectionsRoutes } from '@atrium/contract/connections'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { settingsRoutes } from '@atrium/contract/settings'
import { speechRoutes } from '@atrium/contract/speech'
import { personalServersRoutes, toolServersRoutes } from '@atrium/contract/tool-servers'
import { toolsRoutes } from '@atrium/contract/tools'
import { webSearchRoutes } from '@atrium/contract/web-search'
import { refresh } from './query.ts'

export const refreshFeatures = (): void => {
  for (const route of [
    accessRoutes.features,
    agentCliRoutes.access,
    agentCliRoutes.models,
    codeInterpreterRoutes.access,
    connectionsRoutes.models,
    localRuntimeRoutes.pullAccess,
    settingsRoutes.instance,
    speechRoutes.access,
    speechRoutes.own,
    speechRoutes.speechModels,
    speechRoutes.transcriptionModels,
    personalServersRoutes.personalServersPolicy,
    toolServersRoutes.servers,
    toolsRoutes.access,
    toolsRoutes.catalog,
    webSearchRoutes.access,
    webSearchRoutes.config,
  ])
    void refresh(route)
}
