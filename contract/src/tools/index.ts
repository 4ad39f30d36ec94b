/** Tools that models use: which there are, and who may have them used. */
import { z } from 'zod'
import { area } from '../area.ts'
import { AccessMode, Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { ToolApproval, ToolCallStatus, ToolDecider, ToolDecision, ToolOrigin } from '../generation.ts'
import { bytes, routes } from '../route.ts'
import { toolsDescription } from './area.ts'

/** Whether a tool runs when a model calls it: at once, once a person allows it, or never. */
export const ToolMode = z.enum(['allow', 'ask', 'never'])
export type ToolMode = z.infer<typeof ToolMode>

export const CatalogEntry = z.strictObject({
  /** `builtin:<name>`, or `server:<serverId>/<tool>`. */
  id: z.string(),
  /** As models call it. */
  name: z.string(),
  description: z.string(),
  source: ToolOrigin,
  serverId: Id.nullable(),
  serverName: z.string().nullable(),
  /** It changes something, or costs something. */
  sideEffect: z.boolean(),
  /** Its result holds what only this account may read. */
  readsPrivateData: z.boolean(),
  /** Its result holds text that others wrote. */
  readsForeignText: z.boolean(),
  /** What it is called with leaves the server. */
  sendsData: z.boolean(),
  /** What holds for the caller: the strictest of `rule` and `ownMode`. */
  mode: ToolMode,
  /** By what the tool does, administrators and its server. */
  rule: ToolMode,
  /** What the caller chose; null: nothing. It can only be stricter. */
  ownMode: ToolMode.nullable(),
})
export type CatalogEntry = z.infer<typeof CatalogEntry>

/** A call that waits for its person. */
export const PendingApproval = z.strictObject({
  id: Id,
  approval: ToolApproval,
  /** Where it stands: a chat, its message, and the call in it. */
  chatId: Id.nullable(),
  subjectId: Id,
  callId: z.string(),
  toolId: z.string(),
  toolName: z.string(),
  source: ToolOrigin,
  serverId: Id.nullable(),
  serverName: z.string().nullable(),
  sideEffect: z.boolean(),
  arguments: z.string(),
  createdAt: Time,
})
export type PendingApproval = z.infer<typeof PendingApproval>

/** What was allowed for more than once. */
export const StandingApproval = z.strictObject({
  id: Id,
  toolId: z.string(),
  toolName: z.string(),
  serverId: Id.nullable(),
  serverName: z.string().nullable(),
  reach: z.enum(['chat', 'always']),
  chatId: Id.nullable(),
  createdAt: Time,
})
export type StandingApproval = z.infer<typeof StandingApproval>

/** A call in the own history: what, where, when, and by whose decision. */
export const ToolCallEntry = z.strictObject({
  id: Id,
  toolId: z.string(),
  toolName: z.string(),
  source: ToolOrigin,
  serverId: Id.nullable(),
  serverName: z.string().nullable(),
  sideEffect: z.boolean(),
  status: ToolCallStatus,
  /** null: nobody has. */
  decidedBy: ToolDecider.nullable(),
  chatId: Id.nullable(),
  /** The message that it stands in. */
  subjectId: Id,
  callId: z.string(),
  createdAt: Time,
  startedAt: Time.nullable(),
  endedAt: Time.nullable(),
})
export type ToolCallEntry = z.infer<typeof ToolCallEntry>

/** Calls of a tool within some days, without their contents. */
export const ToolUsage = z.strictObject({
  toolId: z.string(),
  toolName: z.string(),
  source: ToolOrigin,
  serverId: Id.nullable(),
  /** null for built-in tools, and for servers that are gone or that the caller can’t use. */
  serverName: z.string().nullable(),
  calls: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
  /** Of those that ended by themselves, in milliseconds; null: none did. */
  averageMs: z.number().int().nullable(),
  /** How many accounts made them. */
  accounts: z.number().int(),
})
export type ToolUsage = z.infer<typeof ToolUsage>

const UsageDays = z.strictObject({ days: z.coerce.number().int().min(1).max(365).default(30) })
const UsageList = z.strictObject({ items: z.array(ToolUsage), nextCursor: z.null() })

const CallById = z.strictObject({ recordId: Id })
const ApprovalById = z.strictObject({ approvalId: Id })

/** How often a model is asked for one answer that calls tools; the last time, it gets none. */
export const toolRounds = { least: 1, usual: 8, most: 50 } as const
const Rounds = z.number().int().min(toolRounds.least).max(toolRounds.most)

const Access = z.strictObject({
  mode: AccessMode,
  lockedByEnv: z.boolean(),
  maxRounds: Rounds,
  maxRoundsLockedByEnv: z.boolean(),
})

export const toolsRoutes = routes({
  access: {
    method: 'get',
    path: '/api/tools/access',
    access: 'admin',
    summary: 'Get who can let models use tools, and how many rounds an answer can have',
    returns: Access,
  },
  updateAccess: {
    method: 'put',
    path: '/api/tools/access',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set who can let models use tools, and how many rounds an answer can have',
    body: z.strictObject({ mode: AccessMode.optional(), maxRounds: Rounds.optional() }),
    returns: Access,
    errors: ['setting_locked'],
  },
  catalog: {
    method: 'get',
    path: '/api/tools/catalog',
    access: 'user',
    summary: 'List the tools that models can use for you',
    returns: z.strictObject({
      /** Whether the caller can let models use any. */
      available: z.boolean(),
      tools: z.array(CatalogEntry),
      /** What is wrong with servers, in words. */
      notes: z.array(z.string()),
    }),
  },
  saveBuiltin: {
    method: 'put',
    path: '/api/tools/builtin/{name}',
    access: 'admin',
    names: 'instance',
    audit: 'setting.change',
    summary:
      'Set whether a built-in tool runs without asking, asks first or never runs; null resets it to the default for what it does',
    params: z.strictObject({ name: z.string().regex(/^[a-z_]{1,64}$/) }),
    body: z.strictObject({ mode: ToolMode.nullable() }),
    returns: z.strictObject({ name: z.string(), mode: ToolMode.nullable() }),
    errors: ['tool_not_found'],
  },
  savePolicy: {
    method: 'put',
    path: '/api/tools/policy',
    access: 'user',
    forPeople: true,
    summary: 'Set whether a tool asks you first or never runs for you; null removes your choice',
    body: z.strictObject({ toolId: z.string().min(1).max(128), mode: ToolMode.nullable() }),
    returns: CatalogEntry,
    errors: ['tool_not_found'],
  },
  approvals: {
    method: 'get',
    path: '/api/tools/approvals',
    access: 'user',
    forPeople: true,
    summary: 'List calls that wait for your decision, oldest first, and your standing approvals',
    returns: z.strictObject({ pending: z.array(PendingApproval), standing: z.array(StandingApproval) }),
  },
  decideApproval: {
    method: 'post',
    path: '/api/tools/approvals/{approvalId}',
    access: 'user',
    names: 'own',
    forPeople: true,
    summary: 'Allow a call (with changed arguments if needed), answer its question, or deny it',
    params: ApprovalById,
    body: z.strictObject({
      decision: ToolDecision,
      /** JSON text, in the place of the arguments that the model wrote. */
      arguments: z.string().max(262_144).optional(),
      /** To what a call asks, by the ids of its questions or the names of the fields of its form. */
      answers: z.record(z.string(), z.unknown()).optional(),
    }),
    returns: z.strictObject({ id: Id, decision: ToolDecision }),
    errors: ['approval_not_found', 'approval_decided', 'tool_unavailable'],
  },
  revokeApproval: {
    method: 'delete',
    path: '/api/tools/approvals/{approvalId}',
    access: 'user',
    names: 'own',
    forPeople: true,
    summary: 'Revoke a standing approval',
    params: ApprovalById,
    returns: Nothing,
    errors: ['approval_not_found'],
  },
  calls: {
    method: 'get',
    path: '/api/tools/calls',
    access: 'user',
    summary: 'List the tool calls made for you, newest first',
    query: PageQuery.extend({
      toolId: z.string().max(300).optional(),
      serverId: Id.optional(),
      chatId: Id.optional(),
      status: ToolCallStatus.optional(),
      decidedBy: ToolDecider.optional(),
      /** Made at this time or later, and before that one. */
      from: Time.optional(),
      to: Time.optional(),
    }),
    returns: page(ToolCallEntry),
    errors: ['bad_cursor'],
  },
  usage: {
    method: 'get',
    path: '/api/tools/usage',
    access: 'user',
    summary: 'List how often each tool was called for you, most used first',
    query: UsageDays,
    returns: UsageList,
  },
  allUsage: {
    method: 'get',
    path: '/api/tools/usage/all',
    access: 'admin',
    summary: 'List how often each tool was called for all accounts, most used first',
    query: UsageDays,
    returns: UsageList,
  },
  callResult: {
    method: 'get',
    path: '/api/tools/calls/{recordId}/result',
    access: 'user',
    names: 'own',
    noStore: true,
    summary: 'Get the full result of a call as text',
    params: CallById,
    returns: bytes,
    errors: ['tool_call_not_found'],
  },
  callFromApp: {
    method: 'post',
    path: '/api/tools/calls/{recordId}/app-calls',
    access: 'user',
    names: 'own',
    forPeople: true,
    limit: 'tool-server',
    noStore: true,
    summary:
      'Call a tool for the app that came with a call’s result (MCP Apps). It must be on the same server, and you must allow the call',
    params: CallById,
    body: z.strictObject({
      name: z.string().min(1).max(512),
      arguments: z.record(z.string(), z.unknown()).default({}),
    }),
    returns: z.strictObject({
      isError: z.boolean(),
      text: z.string(),
      /** JSON. */
      structured: z.string().nullable(),
    }),
    errors: ['tool_call_not_found', 'tool_unavailable'],
  },
  callMedia: {
    method: 'get',
    path: '/api/tools/calls/{recordId}/media/{index}',
    access: 'user',
    names: 'own',
    summary: 'Download an image, audio or file from the result of a call',
    params: CallById.extend({ index: z.coerce.number().int().min(0).max(99) }),
    returns: bytes,
    errors: ['tool_call_not_found'],
  },
})

export const toolsArea = area(toolsDescription, {
  routes: toolsRoutes,
  shapes: { CatalogEntry, PendingApproval, StandingApproval, ToolCallEntry, ToolUsage },
})
