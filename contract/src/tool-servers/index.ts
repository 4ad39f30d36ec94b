/** Tool servers: what administrators register so that models can call its tools, and each account's own secret for it. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { toolServersDescription } from './area.ts'
import {
  ServerFile,
  ServerPrompt,
  ServerPromptMessage,
  ServerResource,
  ServerResourceTemplate,
  toolContentRoutes,
} from './content.ts'
import { ToolOAuthClient, ToolSignIn, toolSignInRoutes } from './oauth.ts'
import {
  AcceptedChanges,
  ById,
  DocumentChange,
  NewServer,
  ServerChange,
  ToolByName,
  ToolChanges,
  ToolUpdate,
} from './fields.ts'
import { PersonalServersPolicy, personalServersRoutes } from './personal.ts'
import { ServerTool, ToolChange, ToolDefinition, ToolServer, ToolServerHealth } from './shapes.ts'
import { ToolServerTestEvent, ToolServerTestStep } from './trial.ts'

export * from './content.ts'
export * from './oauth.ts'
export * from './personal.ts'
export * from './shapes.ts'
export * from './trial.ts'

const WithTools = z.strictObject({ server: ToolServer, tools: z.array(ServerTool) })

export const toolServersRoutes = routes({
  servers: {
    method: 'get',
    path: '/api/tools/servers',
    access: 'user',
    summary: 'List the tool servers that you can use, personal ones last. Administrators get all shared ones',
    returns: z.strictObject({ items: z.array(ToolServer), nextCursor: z.null() }),
  },
  addServer: {
    method: 'post',
    path: '/api/tools/servers',
    access: 'admin',
    limit: 'diagnostics',
    summary: 'Add a tool server, at first for administrators only. Its tools are loaded if it needs no secret',
    body: NewServer,
    returns: ToolServer,
    errors: ['tool_server_limit', 'url_not_allowed'],
  },
  server: {
    method: 'get',
    path: '/api/tools/servers/{id}',
    access: 'user',
    names: 'instance',
    summary: 'Get a tool server that you can use, with its tools',
    params: ById,
    returns: WithTools,
    errors: ['tool_server_not_found'],
  },
  updateServer: {
    method: 'put',
    path: '/api/tools/servers/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Update a tool server. Omitted fields stay as they are',
    params: ById,
    body: ServerChange,
    returns: ToolServer,
    errors: ['tool_server_not_found'],
  },
  removeServer: {
    method: 'delete',
    path: '/api/tools/servers/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Delete a tool server and the secrets that accounts saved for it',
    params: ById,
    returns: Nothing,
    errors: ['tool_server_not_found'],
  },
  refreshServer: {
    method: 'post',
    path: '/api/tools/servers/{id}/refresh',
    access: 'admin',
    names: 'instance',
    limit: 'diagnostics',
    summary: 'Reload the server’s tools with your secret. Changes wait to be accepted',
    params: ById,
    returns: ToolServer,
    errors: ['tool_server_not_found', 'tool_server_failed', 'url_not_allowed'],
  },
  updateDocument: {
    method: 'put',
    path: '/api/tools/servers/{id}/document',
    access: 'admin',
    names: 'instance',
    limit: 'connect',
    summary: 'Replace the uploaded OpenAPI document of a server. Changes wait to be accepted',
    params: ById,
    body: DocumentChange,
    returns: ToolServer,
    errors: ['tool_server_not_found'],
  },
  serverChanges: {
    method: 'get',
    path: '/api/tools/servers/{id}/changes',
    access: 'admin',
    names: 'instance',
    summary: 'List new, changed and removed tools since the server’s tools were last accepted',
    params: ById,
    returns: ToolChanges,
    errors: ['tool_server_not_found'],
  },
  acceptChanges: {
    method: 'post',
    path: '/api/tools/servers/{id}/changes/accept',
    access: 'admin',
    names: 'instance',
    summary: 'Accept changes that you have seen. The named tools are offered as they are now, or removed',
    params: ById,
    body: AcceptedChanges,
    returns: ToolServer,
    errors: ['tool_server_not_found', 'tool_changes_moved'],
  },
  updateTool: {
    method: 'put',
    path: '/api/tools/servers/{id}/tools/{toolName}',
    access: 'admin',
    names: 'instance',
    summary: 'Turn a tool on or off, and set whether it changes anything',
    params: ToolByName,
    body: ToolUpdate,
    returns: ServerTool,
    errors: ['tool_server_not_found', 'server_tool_not_found'],
  },
  saveCredential: {
    method: 'put',
    path: '/api/tools/servers/{id}/credential',
    access: 'user',
    names: 'instance',
    forPeople: true,
    summary: 'Save your secret for a tool server, encrypted and bound to its address',
    params: ById,
    body: z.strictObject({ secret: z.string().trim().min(1).max(4096) }),
    returns: ToolServer,
    errors: ['tool_server_not_found'],
  },
  removeCredential: {
    method: 'delete',
    path: '/api/tools/servers/{id}/credential',
    access: 'user',
    names: 'instance',
    forPeople: true,
    summary: 'Delete your secret for a tool server',
    params: ById,
    returns: ToolServer,
    errors: ['tool_server_not_found'],
  },
  testServer: {
    method: 'post',
    path: '/api/tools/servers/{id}/test',
    access: 'user',
    names: 'instance',
    limit: 'diagnostics',
    summary:
      'Test a tool server with your credential, step by step; closing the request stops it. The last step calls one read-only tool',
    params: ById,
    returns: z.never(),
    stream: ToolServerTestEvent,
    errors: ['tool_server_not_found'],
  },
  serverHealth: {
    method: 'get',
    path: '/api/tools/servers/{id}/health',
    access: 'user',
    names: 'instance',
    summary: 'Get the result of the last contact with a tool server on your behalf',
    params: ById,
    returns: ToolServerHealth,
    errors: ['tool_server_not_found'],
  },
})

export const toolServersArea = area(toolServersDescription, {
  routes: { ...toolServersRoutes, ...personalServersRoutes, ...toolSignInRoutes, ...toolContentRoutes },
  shapes: {
    PersonalServersPolicy,
    ServerFile,
    ServerPrompt,
    ServerPromptMessage,
    ServerResource,
    ServerResourceTemplate,
    ServerTool,
    ToolChange,
    ToolDefinition,
    ToolOAuthClient,
    ToolServer,
    ToolServerHealth,
    ToolServerTestEvent,
    ToolServerTestStep,
    ToolSignIn,
  },
})
