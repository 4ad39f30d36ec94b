/** Asks an MCP server as Atrium does, without an app around it. */
import { createLog } from '../platform/log/log.ts'
import type { Bubblewrap } from '../platform/sandbox/bubblewrap.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { createLink } from '../features/tool-servers/gated-fetch.ts'
import type { CallContext, PinnedTool, RegisteredServer, ServerAuth } from '../features/tool-servers/kind.ts'
import { createLocalServers } from '../features/tool-servers/stdio/index.ts'
import { createMcpKind } from '../features/tool-servers/mcp/index.ts'
import { echoTool } from './mcp-server.ts'

/** What an account that needs no proof shows. */
const noProof: ServerAuth = { headers: async () => ({}) }

/** Of programs on this machine. */
interface LocalOptions {
  readonly stdioFile?: string
  readonly bubblewrap?: () => Promise<Bubblewrap>
  readonly idleMs?: number
}

export const createMcpCaller = (
  baseUrl: string,
  over: Partial<RegisteredServer> = {},
  auth = noProof,
  { stdioFile, bubblewrap, idleMs }: LocalOptions = {},
) => {
  const { host } = new URL(baseUrl)
  const outbound = createOutbound({ allowed: () => new Set([host]), log: createLog({ level: 'silent' }) })
  const kind = createMcpKind({
    version: '1.2.3',
    local: createLocalServers(stdioFile, bubblewrap),
    changed: () => undefined,
    ...(idleMs !== undefined && { idleMs }),
  })
  const server: RegisteredServer = {
    id: 's1',
    ownerId: null,
    kind: 'mcp',
    name: 'Test',
    description: null,
    baseUrl,
    specUrl: null,
    isUploaded: false,
    authMode: 'none',
    authHeader: null,
    headers: {},
    accessMode: 'all-users',
    enabled: true,
    timeoutMs: 120_000,
    maxResponseBytes: 256 * 1024,
    ...over,
  }
  const { signal } = new AbortController()
  const { content } = kind
  if (!content) throw new Error('MCP servers have resources.')
  const link = () => createLink({ server, accountId: 'ann', auth, outbound })
  return {
    discover: () => kind.discover(link(), signal),
    resources: () => content.listResources(link(), signal),
    read: (where: Parameters<typeof content.readResource>[1]) => content.readResource(link(), where, signal),
    prompts: () => content.listPrompts(link(), signal),
    prompt: (name: string, args: Record<string, string> = {}) =>
      content.readPrompt(link(), { name, arguments: args }, signal),
    complete: (asked: Parameters<typeof content.complete>[1]) => content.complete(link(), asked, signal),
    call: (
      args: Record<string, unknown> = { text: 'hi' },
      context: Partial<CallContext> = {},
      tool: Partial<PinnedTool> = {},
    ) =>
      kind.call(link(), { originalName: 'echo', inputSchema: echoTool.inputSchema, call: null, ...tool }, args, {
        accountId: 'ann',
        chatId: null,
        callId: 'c1',
        question: '',
        signal: new AbortController().signal,
        report: () => undefined,
        ask: async () => null,
        ...context,
      }),
    async close() {
      await kind.close()
      await outbound.close()
    },
  }
}
