/**
 * What a kind of tool server does, and what it is given for that; `mcp/` and `openapi/` are the kinds. A kind holds no
 * socket of its own: it has `link.fetch`, which goes through the outbound gate, to the origin of the server alone, with
 * the account's credential.
 */
import type {
  LeftOutTool,
  ServerFile,
  ServerPrompt,
  ServerPromptMessage,
  ServerResource,
  ServerResourceTemplate,
  ToolServerAuth,
  ToolServerKind,
} from '@atrium/contract/tool-servers'
import type { ToolContext, ToolOutput, ToolQuestions } from '../../core/tools/index.ts'
import type { OutboundGate } from '../../platform/outbound/types.ts'

/** A server as it was registered. */
export interface RegisteredServer {
  readonly id: string
  /** Whose own it is; null: administrators registered it for the instance. */
  readonly ownerId: string | null
  readonly kind: ToolServerKind
  readonly name: string
  readonly description: string | null
  /** Its one address; credentials are bound to its origin. */
  readonly baseUrl: string
  /** Where its document is; null: at `baseUrl`, or it was uploaded, or its kind has none. */
  readonly specUrl: string | null
  readonly isUploaded: boolean
  readonly authMode: ToolServerAuth
  readonly authHeader: string | null
  /** Sent with every request; no secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly accessMode: 'admins-only' | 'all-users' | 'granted'
  readonly enabled: boolean
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

/** A tool as the server defines it, unread: `readTools` bounds and cleans it. */
export interface ListedTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: unknown
  /** The server says that it only reads. */
  readonly claimsReadOnly: boolean
  /** Why it is offered to nobody, where the kind knows. */
  readonly fault?: LeftOutTool['reason']
  /** What the kind needs in order to call it, as JSON; part of the digest. */
  readonly call?: unknown
}

/** A tool that was taken over, as a call gets it. */
export interface PinnedTool {
  /** As the server has it. */
  readonly originalName: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly call: unknown
  /** Of the definition that was accepted; a kind that can see another one at the server does not call it. */
  readonly digest?: string
}

/** Why a server gave nothing. The message is for people, in our words; nothing of the server's text. */
export class ServerFault extends Error {
  readonly kind: ServerFaultKind
  constructor(kind: ServerFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
export type ServerFaultKind =
  | 'unreachable'
  | 'timeout'
  | 'too-large'
  /** It refused the credential, or wants one. */
  | 'refused'
  /** The account has to sign in before anything can be asked. */
  | 'sign-in'
  /** The tool is not what was accepted. */
  | 'changed'
  /** It answered, and not as the protocol says. */
  | 'protocol'
  | 'cancelled'

/** What the server said where it refused a request. */
export interface Challenge {
  readonly status: 401 | 403
  readonly wwwAuthenticate: string | null
  /** It was asked with other headers already. */
  readonly again: boolean
}

/** How requests of one account prove for whom they are. */
export interface ServerAuth {
  /** Headers for the next request. Throws ServerFault `sign-in` or `refused` where there are none. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** The server refused them. True: there are other ones now, and the request may be sent once more. */
  refused?(challenge: Challenge): Promise<boolean>
}

/** Makes the proof for an account, by the mode that the administrator chose. */
export type OpenAuth = (server: RegisteredServer, accountId: string) => Promise<ServerAuth>

/** What `fetch` does, and no more: one origin, no redirects, bounded, timed. Throws ServerFault. */
export type GatedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface FetchBounds {
  readonly maxBytes: number
  /** Longest silence. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Told of every answer that is a stream of events, when it ends and why; null: as it should. */
  readonly onStream?: (ended: Promise<ServerFault | null>) => void
}

/** A server, for one account, for as long as one question takes. */
export interface ServerLink {
  readonly server: RegisteredServer
  readonly accountId: string
  readonly auth: ServerAuth
  /** The way to what lies elsewhere than the server, without its proof. */
  readonly outbound: OutboundGate
  /** Fetches with bounds of its own; `maxBytes` over all of its answers together. */
  fetchWithin(bounds: FetchBounds): GatedFetch
  /** What was wrong with the last request, in words; libraries tell it less well. */
  lastFault(): ServerFault | null
}

/** What a server was found to offer. */
export interface DiscoveredTools {
  readonly tools: readonly ListedTool[]
  /** The revision of the protocol that was agreed on, or of the document. */
  readonly revision: string | null
  /** What it says that it has besides; absent: nothing. */
  readonly offers?: OfferedContent
}

export interface OfferedContent {
  readonly resources: boolean
  readonly prompts: boolean
}

/** What people put into their questions. Each throws ServerFault, and refuses with `tool_server_failed` what the server doesn’t have. */
export interface ServerContent {
  listResources(
    link: ServerLink,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly ServerResource[]; readonly templates: readonly ServerResourceTemplate[] }>
  readResource(
    link: ServerLink,
    where: { readonly uri: string } | { readonly template: string; readonly values: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<readonly ServerFile[]>
  listPrompts(link: ServerLink, signal: AbortSignal): Promise<readonly ServerPrompt[]>
  readPrompt(
    link: ServerLink,
    prompt: { readonly name: string; readonly arguments: Record<string, string> },
    signal: AbortSignal,
  ): Promise<readonly ServerPromptMessage[]>
  /** Values for an argument, as far as it is typed. */
  complete(
    link: ServerLink,
    asked: {
      readonly of: { readonly prompt: string } | { readonly template: string }
      readonly argument: { readonly name: string; readonly value: string }
      readonly others: Record<string, string>
    },
    signal: AbortSignal,
  ): Promise<readonly string[]>
}

export type CallContext = ToolContext & ToolQuestions

export interface ServerKind {
  /** Asks for all tools. Throws ServerFault. */
  discover(link: ServerLink, signal: AbortSignal): Promise<DiscoveredTools>
  /** Reads all tools in a document that was uploaded; only where servers have one. Throws ServerFault. */
  readDocument?(document: string, baseUrl: string, signal: AbortSignal): Promise<DiscoveredTools>
  /** Whether a server answers that cannot be asked for its tools. Throws ServerFault. */
  reach?(link: ServerLink, signal: AbortSignal): Promise<void>
  /** Calls one. What the tool itself says is wrong comes as `isError`; throws ServerFault for everything else. */
  call(
    link: ServerLink,
    tool: PinnedTool,
    args: Readonly<Record<string, unknown>>,
    context: CallContext,
  ): Promise<ToolOutput>
  /** Resources and prompts; only where servers have them. */
  readonly content?: ServerContent
  /** Drops what is kept open for a server (its definition or a credential changed), or for one account of it. */
  forget(serverId: string, accountId?: string): void
  /** Drops everything; the process ends. */
  close(): Promise<void>
}
