/** Ann, who signs in at tool servers and calls their tools, with the real parts of the area, for tests. */
import { randomBytes } from 'node:crypto'
import { accountsRoutes } from '@atrium/contract/accounts'
import { toolSignInRoutes } from '@atrium/contract/tool-servers'
import type { ToolQuestions } from '../core/tools/types.ts'
import { createLink } from '../features/tool-servers/gated-fetch.ts'
import type { PinnedTool, RegisteredServer, ServerKind, ServerLink } from '../features/tool-servers/kind.ts'
import { createLocalServers } from '../features/tool-servers/stdio/index.ts'
import { createMcpKind } from '../features/tool-servers/mcp/index.ts'
import { createOpenApiKind } from '../features/tool-servers/openapi/index.ts'
import { createToolOAuth, retryAfterSignIn, toolOAuthMigrations } from '../features/tool-servers/oauth/index.ts'
import { createToolServerStore, noTools } from '../features/tool-servers/store.ts'
import { toolServerMigrations } from '../features/tool-servers/tables.ts'
import { createAudit } from '../platform/audit/index.ts'
import { bindRoutes } from '../platform/http/area.ts'
import { fail } from '../platform/http/refusal.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { openVault } from '../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from './accounts.ts'
import { createBrowser } from './browser.ts'
import { testClock } from './clock.ts'
import type { Open } from './databases.ts'
import { serveAccounts } from './serve-accounts.ts'
import { signedIn } from './sign-in.ts'

const password = 'correct horse battery'
const declines: ToolQuestions['ask'] = async () => null

export const openToolSignIns = async (open: Open, { documentUrl }: { documentUrl: (id: string) => string | null }) => {
  const clock = testClock(Date.now())
  const database = await open([...testAccountMigrations, ...toolServerMigrations, ...toolOAuthMigrations])
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const allowed = new Set<string>()
  const lines: string[] = []
  const log = createLog({ level: 'debug', write: (line) => void lines.push(line) })
  const outbound = createOutbound({ allowed: () => allowed, log })
  const audit = createAudit({ database, vault, clock })
  const accounts = createTestAccounts({ database, vault, clock, log, audit })
  const store = createToolServerStore({ database, vault, clock })
  const servers = new Map<string, RegisteredServer>()
  /** What another process has of it. */
  const process = () =>
    createToolOAuth({
      database,
      vault,
      clock,
      log,
      audit,
      outbound,
      personalGate: outbound.toPublic,
      ownerOf: async () => null,
      allowsPersonal: async () => true,
      accounts,
      allowedAddresses: async () => allowed,
      requireServer: async (_caller, id) => {
        const server = servers.get(id)
        if (!server) throw fail('tool_server_not_found')
        return server
      },
      exists: async (id) => (await store.read(id)) !== null,
      mayUse: async (_accountId, id) => servers.has(id),
      changed: async () => undefined,
      documentUrl,
    })
  const oauth = process()
  const area = bindRoutes({ name: 'chat-tools', routes: toolSignInRoutes, handlers: oauth.handlers })
  const served = await serveAccounts(accounts, { clock, audit, areas: [...accounts.areas, area] })
  const { guest } = served
  await accounts.createAccount({ username: 'ann', password, email: 'ann@example.org', role: 'admin' })
  const { token, user } = signedIn(await guest.call(accountsRoutes.login, { body: { username: 'ann', password } }))
  const browser = createBrowser(guest.baseUrl)

  interface Asking {
    readonly from?: typeof oauth
    /** Stands for the person. */
    readonly ask?: ToolQuestions['ask']
  }
  /** Asks a server as an answer does. */
  const asking = async <T>(
    server: RegisteredServer,
    { from = oauth, ask = declines }: Asking,
    work: (kind: ServerKind, link: ServerLink) => Promise<T>,
  ): Promise<T> => {
    const kind =
      server.kind === 'mcp'
        ? createMcpKind({ version: '1', local: createLocalServers(undefined), changed: () => undefined })
        : createOpenApiKind()
    try {
      return await retryAfterSignIn(server.id, ask, async () => {
        const auth = await from.openAuth(server, user.id)
        return await work(kind, createLink({ server, accountId: user.id, auth, outbound }))
      })
    } finally {
      await kind.close()
    }
  }
  const { signal } = new AbortController()

  return {
    clock,
    oauth,
    process,
    guest,
    ann: guest.as(token),
    accountId: user.id,
    browser,
    lines: () => [...lines, ...served.lines].join(''),
    /** Lets a private `host:port` be called. */
    allow: (place: string) => void allowed.add(place),
    /** A server that wants a sign-in, at a place that may be called. */
    async addServer(url: string, more: Partial<RegisteredServer> = {}): Promise<RegisteredServer> {
      const server: RegisteredServer = {
        id: clock.id(),
        ownerId: null,
        kind: 'mcp',
        name: 'Guarded',
        description: null,
        baseUrl: url,
        specUrl: null,
        isUploaded: false,
        authMode: 'oauth',
        authHeader: null,
        headers: {},
        accessMode: 'all-users',
        enabled: true,
        timeoutMs: 60_000,
        maxResponseBytes: 65_536,
        ...more,
      }
      await store.add({ ...server, tools: noTools, version: 1, createdAt: 0, updatedAt: 0 }, async () => undefined)
      servers.set(server.id, server)
      allowed.add(new URL(url).host)
      return server
    },
    /** Ann may not use it any more. */
    withdraw: (server: RegisteredServer) => void servers.delete(server.id),
    /** Begins a sign-in, as the app does; gives where the window goes. */
    async start(server: RegisteredServer): Promise<string> {
      const answer = await browser.fetch(`/api/tools/servers/${server.id}/oauth/start`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      const body = (await answer.json()) as { authorizeUrl?: string; code?: string; detail?: string }
      if (body.authorizeUrl === undefined) throw new Error(`${body.code}: ${body.detail}`)
      return body.authorizeUrl
    },
    discover: (server: RegisteredServer, asked: Asking = {}) =>
      asking(server, asked, (kind, link) => kind.discover(link, signal)),
    call: (
      server: RegisteredServer,
      tool: string | PinnedTool,
      args: Readonly<Record<string, unknown>> = {},
      asked: Asking = {},
    ) =>
      asking(server, asked, (kind, link) => {
        const pinned =
          typeof tool === 'string' ? { originalName: tool, inputSchema: { type: 'object' }, call: null } : tool
        const callId = clock.id()
        const about = { accountId: user.id, chatId: null, callId, question: '', signal, report: () => undefined }
        return kind.call(link, pinned, args, { ...about, ask: asked.ask ?? declines })
      }),
    async close(): Promise<void> {
      await served.stop()
      await outbound.close()
    },
  }
}
