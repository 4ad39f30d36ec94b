/** Tool servers: what administrators register so that models can call its tools, and each account's own secret for it. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing } from '../common.ts'
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
  ServerTool,
  ToolChange,
  ToolDefinition,
  ToolServer,
  ToolServerAccess,
  ToolServerAuth,
  ToolServerHeaders,
  ToolServerHealth,
  ToolServerKind,
  mostDocumentLetters,
  toolResponseSizes,
  toolTimeouts,
} from './shapes.ts'
import { ToolServerTestEvent, ToolServerTestStep } from './trial.ts'

export * from './content.ts'
export * from './oauth.ts'
export * from './shapes.ts'
export * from './trial.ts'

const ById = z.strictObject({ id: Id })
const Name = z.string().trim().min(1).max(120)
const Description = z.string().trim().max(2000).nullable()
const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, 'write it as letters, digits, hyphens and underscores, such as X-API-Key')
  .nullable()
const Timeout = z.number().int().min(toolTimeouts.least).max(toolTimeouts.most)
const ResponseSize = z.number().int().min(toolResponseSizes.least).max(toolResponseSizes.most)

/** Everything that can be changed afterwards; the address cannot. */
const changeable = {
  description: Description.optional(),
  authMode: ToolServerAuth.optional(),
  /** With `header`: the one that the secret is sent in. */
  authHeader: HeaderName.optional(),
  headers: ToolServerHeaders.optional(),
  accessMode: ToolServerAccess.optional(),
  enabled: z.boolean().optional(),
  timeoutMs: Timeout.optional(),
  maxResponseBytes: ResponseSize.optional(),
}

/** An OpenAPI document, as JSON or YAML. */
const UploadedDocument = z.string().min(1).max(mostDocumentLetters)

const WithTools = z.strictObject({ server: ToolServer, tools: z.array(ServerTool) })

export const toolServersRoutes = routes({
  servers: {
    method: 'get',
    path: '/api/tools/servers',
    access: 'user',
    summary: 'The tool servers that the caller can use; administrators get all of them',
    returns: z.strictObject({ items: z.array(ToolServer), nextCursor: z.null() }),
  },
  addServer: {
    method: 'post',
    path: '/api/tools/servers',
    access: 'admin',
    limit: 'diagnostics',
    summary: 'Register a tool server, for administrators at first; its tools are loaded if it needs no secret',
    body: z.strictObject({
      name: Name,
      kind: ToolServerKind,
      baseUrl: z.string().trim().min(1).max(2000),
      /** Where its OpenAPI document is, where that is not `baseUrl`. */
      specUrl: z.string().trim().min(1).max(2000).optional(),
      /** The document itself, as JSON or YAML, instead of where it is. */
      document: UploadedDocument.optional(),
      ...changeable,
    }),
    returns: ToolServer,
    errors: ['tool_server_limit', 'url_not_allowed'],
  },
  server: {
    method: 'get',
    path: '/api/tools/servers/{id}',
    access: 'user',
    names: 'instance',
    summary: 'A tool server that the caller can use, with its tools',
    params: ById,
    returns: WithTools,
    errors: ['tool_server_not_found'],
  },
  updateServer: {
    method: 'put',
    path: '/api/tools/servers/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Change a tool server; fields left out stay as they are',
    params: ById,
    body: z.strictObject({ name: Name.optional(), ...changeable }),
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
    summary: 'Load the server’s tools with the caller’s own secret; changes wait to be accepted',
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
    summary: 'Replace the uploaded OpenAPI document of a server; changes wait to be accepted',
    params: ById,
    body: z.strictObject({ document: UploadedDocument }),
    returns: ToolServer,
    errors: ['tool_server_not_found'],
  },
  serverChanges: {
    method: 'get',
    path: '/api/tools/servers/{id}/changes',
    access: 'admin',
    names: 'instance',
    summary: 'New, changed and removed tools of the server since its tools were accepted',
    params: ById,
    returns: z.strictObject({
      items: z.array(ToolChange),
      /** Names what was seen, so that nothing else is accepted. */
      digest: z.string(),
    }),
    errors: ['tool_server_not_found'],
  },
  acceptChanges: {
    method: 'post',
    path: '/api/tools/servers/{id}/changes/accept',
    access: 'admin',
    names: 'instance',
    summary: 'Accept changes that the caller has seen: the named tools are offered as they are now, or removed',
    params: ById,
    body: z.strictObject({
      digest: z.string().max(200),
      /** Absent: all of them. */
      names: z.array(z.string().max(64)).max(256).optional(),
      /** Those of them that only read, so that calls need no approval. */
      readOnly: z.array(z.string().max(64)).max(256).optional(),
    }),
    returns: ToolServer,
    errors: ['tool_server_not_found', 'tool_changes_moved'],
  },
  updateTool: {
    method: 'put',
    path: '/api/tools/servers/{id}/tools/{toolName}',
    access: 'admin',
    names: 'instance',
    summary: 'Offer a tool or not, and say whether it changes something',
    params: z.strictObject({ id: Id, toolName: z.string().min(1).max(64) }),
    body: z.strictObject({ enabled: z.boolean().optional(), sideEffect: z.boolean().optional() }),
    returns: ServerTool,
    errors: ['tool_server_not_found', 'server_tool_not_found'],
  },
  saveCredential: {
    method: 'put',
    path: '/api/tools/servers/{id}/credential',
    access: 'user',
    names: 'instance',
    forPeople: true,
    summary: 'Save the caller’s own secret for a tool server, encrypted and bound to its address',
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
    summary: 'Delete the caller’s own secret for a tool server',
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
      'Test a tool server with the caller’s own credential, step by step; closing the request stops the test. The last step calls one tool that only reads',
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
    summary: 'The outcome of the last contact with a tool server on the caller’s behalf',
    params: ById,
    returns: ToolServerHealth,
    errors: ['tool_server_not_found'],
  },
})

export const toolServersArea = area(toolServersDescription, {
  routes: { ...toolServersRoutes, ...toolSignInRoutes, ...toolContentRoutes },
  shapes: {
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
