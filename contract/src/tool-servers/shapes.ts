/** What tool servers and their tools look like. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'

export const mostToolServers = 50
/** Of one account, where administrators allow tool servers of one's own. */
export const mostPersonalToolServers = 10
export const mostToolsOfServer = 128
/** Letters of an OpenAPI document that is uploaded. */
export const mostDocumentLetters = 1_000_000
/** Milliseconds. */
export const toolTimeouts = { least: 1_000, usual: 30_000, most: 120_000 } as const
/** Bytes of one answer of a server. */
export const toolResponseSizes = { least: 1024, usual: 256 * 1024, most: 4 * 1024 * 1024 } as const

/** `mcp`: a server of the Model Context Protocol. `openapi`: one that an OpenAPI document describes. */
export const ToolServerKind = z.enum(['mcp', 'openapi'])
export type ToolServerKind = z.infer<typeof ToolServerKind>

/**
 * What an account shows the server: nothing, a token as `Authorization: Bearer …`, a secret in a header of that name, or
 * `user:password` as HTTP has it, or what it gets by signing in there (OAuth).
 */
export const ToolServerAuth = z.enum(['none', 'bearer', 'header', 'basic', 'oauth'])
export type ToolServerAuth = z.infer<typeof ToolServerAuth>

/** Who may use it. `granted`: whom an administrator shares it with. Administrators may use each. */
export const ToolServerAccess = z.enum(['admins-only', 'all-users', 'granted'])
export type ToolServerAccess = z.infer<typeof ToolServerAccess>

/** Headers that every request carries; not for secrets, which are each account's own. */
export const ToolServerHeaders = z.record(z.string().min(1).max(100), z.string().max(1000))

/** How the last contact with the server on the account's behalf ended. */
export const ToolServerHealth = z.strictObject({
  /** `waiting`: it failed, and is asked again after `retryAt`. `unknown`: it was not asked yet. */
  state: z.enum(['unknown', 'ok', 'failed', 'waiting']),
  /** Why it failed, in words. */
  problem: z.string().nullable(),
  /** The revision of the protocol that was agreed on. */
  revision: z.string().nullable(),
  checkedAt: Time.nullable(),
  retryAt: Time.nullable(),
})
export type ToolServerHealth = z.infer<typeof ToolServerHealth>

/** Tools that a server lists and nobody is offered, and why. */
export const LeftOutTool = z.strictObject({
  name: z.string(),
  reason: z.enum([
    'duplicate',
    'too-many',
    'too-large',
    'bad-schema',
    'bad-name',
    'outside-reference',
    'circular-reference',
    'unsupported',
  ]),
})
export type LeftOutTool = z.infer<typeof LeftOutTool>

export const ToolServer = z.strictObject({
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  kind: ToolServerKind,
  authMode: ToolServerAuth,
  enabled: z.boolean(),
  /** It is the caller's own: nobody else sees or uses it. */
  personal: z.boolean(),
  /** How often its tools were taken over; 0: never yet. */
  specRevision: z.number().int(),
  /** Whether the caller has saved a secret for it that is still good for its address. */
  hasCredential: z.boolean(),
  /** How many tools of it are offered. */
  toolCount: z.number().int(),
  /** Whether it said that it has resources and prompts when it was asked last, or was not asked yet. */
  hasResources: z.boolean(),
  hasPrompts: z.boolean(),
  /** For whoever manages it: administrators, and the owner of a personal one. */
  details: z
    .strictObject({
      baseUrl: z.string(),
      /** Where its OpenAPI document is; null: at `baseUrl`, or uploaded, or there is none. */
      specUrl: z.string().nullable(),
      /** Whether its OpenAPI document was uploaded: a new one comes the same way. */
      isUploaded: z.boolean(),
      authHeader: z.string().nullable(),
      headers: ToolServerHeaders,
      accessMode: ToolServerAccess,
      timeoutMs: z.number().int(),
      maxResponseBytes: z.number().int(),
      /** Of all definitions together; null: none were taken over yet. */
      specDigest: z.string().nullable(),
      /** How many tools are new, changed or gone at the server, and wait for an administrator. */
      changeCount: z.number().int(),
      leftOut: z.array(LeftOutTool),
      createdAt: Time,
      updatedAt: Time,
    })
    .nullable(),
})
export type ToolServer = z.infer<typeof ToolServer>

export const ServerTool = z.strictObject({
  /** Unique within its server, `[A-Za-z0-9_.-]{1,64}`; what paths name. */
  name: z.string(),
  /** What the server calls it, where that is something else. */
  originalName: z.string().nullable(),
  title: z.string().nullable(),
  description: z.string(),
  /** JSON Schema of its arguments. */
  inputSchema: z.record(z.string(), z.unknown()),
  /** It changes something, so that calls are asked about. True until an administrator says otherwise. */
  sideEffect: z.boolean(),
  /** The server says that it only reads. Nobody has to believe it. */
  claimsReadOnly: z.boolean(),
  enabled: z.boolean(),
  /** `changed`, `gone`: it is not offered until an administrator has decided. */
  state: z.enum(['offered', 'changed', 'gone']),
  /** Names the definition. */
  digest: z.string(),
})
export type ServerTool = z.infer<typeof ServerTool>

export const ToolDefinition = z.strictObject({
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  claimsReadOnly: z.boolean(),
})
export type ToolDefinition = z.infer<typeof ToolDefinition>

/** What differs between what was accepted and what the server lists now. */
export const ToolChange = z.strictObject({
  kind: z.enum(['new', 'changed', 'gone']),
  name: z.string(),
  originalName: z.string().nullable(),
  /** What was accepted; null for a new tool. */
  before: ToolDefinition.nullable(),
  /** What the server says now; null for a tool that is gone. */
  after: ToolDefinition.nullable(),
})
export type ToolChange = z.infer<typeof ToolChange>
