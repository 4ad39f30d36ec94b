/** What whoever manages a tool server sends, and which tools they accept. */
import { z } from 'zod'
import { Id } from '../common.ts'
import {
  ToolChange,
  ToolServerAccess,
  ToolServerAuth,
  ToolServerHeaders,
  ToolServerKind,
  mostDocumentLetters,
  toolResponseSizes,
  toolTimeouts,
} from './shapes.ts'

export const ById = z.strictObject({ id: Id })
export const ToolByName = z.strictObject({ id: Id, toolName: z.string().min(1).max(64) })

const Name = z.string().trim().min(1).max(120)
const Description = z.string().trim().max(2000).nullable()
const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, 'write it as letters, digits, hyphens and underscores, such as X-API-Key')
  .nullable()
const Timeout = z.number().int().min(toolTimeouts.least).max(toolTimeouts.most)
const ResponseSize = z.number().int().min(toolResponseSizes.least).max(toolResponseSizes.most)

/** Everything that can be changed afterwards, whoever it belongs to; the address cannot. */
const changeable = {
  description: Description.optional(),
  authMode: ToolServerAuth.optional(),
  /** With `header`: the one that the secret is sent in. */
  authHeader: HeaderName.optional(),
  headers: ToolServerHeaders.optional(),
  enabled: z.boolean().optional(),
  timeoutMs: Timeout.optional(),
  maxResponseBytes: ResponseSize.optional(),
}

/** An OpenAPI document, as JSON or YAML. */
const UploadedDocument = z.string().min(1).max(mostDocumentLetters)

export const NewPersonalServer = z.strictObject({
  name: Name,
  kind: ToolServerKind,
  baseUrl: z.string().trim().min(1).max(2000),
  /** Where its OpenAPI document is, where that is not `baseUrl`. */
  specUrl: z.string().trim().min(1).max(2000).optional(),
  /** The document itself, as JSON or YAML, instead of where it is. */
  document: UploadedDocument.optional(),
  ...changeable,
})
export const NewServer = NewPersonalServer.extend({ accessMode: ToolServerAccess.optional() })
export const PersonalServerChange = z.strictObject({ name: Name.optional(), ...changeable })
export const ServerChange = PersonalServerChange.extend({ accessMode: ToolServerAccess.optional() })
export const DocumentChange = z.strictObject({ document: UploadedDocument })

export const ToolChanges = z.strictObject({
  items: z.array(ToolChange),
  /** Names what was seen, so that nothing else is accepted. */
  digest: z.string(),
})

export const AcceptedChanges = z.strictObject({
  digest: z.string().max(200),
  /** Absent: all of them. */
  names: z.array(z.string().max(64)).max(256).optional(),
  /** Those of them that only read, so that calls need no approval. */
  readOnly: z.array(z.string().max(64)).max(256).optional(),
})

export const ToolUpdate = z.strictObject({ enabled: z.boolean().optional(), sideEffect: z.boolean().optional() })

export const OAuthClientChange = z.strictObject({
  clientId: z.string().trim().min(1).max(500),
  clientSecret: z.string().trim().min(1).max(2000).nullable().default(null),
})
