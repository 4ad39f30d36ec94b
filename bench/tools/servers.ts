/** Tool servers by the dozen, in this process, with as many tools as are wanted. */
import { type McpServer, startMcpServer, textResult } from '../../server/src/testing/mcp-server.ts'
import type { Bed } from '../bed.ts'

/** A tool as real servers describe theirs: some hundred characters, and four arguments. */
export const makeTool = (at: number) => ({
  name: `find_entries_${at}`,
  title: `Find entries (${at})`,
  description:
    `Finds entries of register ${at} that hold the given words, newest first, and returns their titles, authors and ` +
    'the first lines of each. Use it when the user asks what was decided, planned or written down about a subject.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'Words that the entries hold; all of them have to be there' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many entries are returned at most' },
      since: { type: 'string', format: 'date', description: 'Only entries that were written on this day or later' },
      archived: { type: 'boolean', description: 'Whether archived entries are searched too' },
    },
    required: ['query'],
  },
})

export interface Servers {
  readonly all: readonly McpServer[]
  /** For `OUTBOUND_ALLOW`. */
  readonly hosts: string
  /** Changes how many tools each has. */
  offer(tools: number): void
  close(): Promise<void>
}

export async function startServers(count: number, tools: number): Promise<Servers> {
  const all = await Promise.all(Array.from({ length: count }, () => startMcpServer({ tools: toolsOf(tools) })))
  return {
    all,
    hosts: all.map(({ host }) => host).join(),
    offer: (more) => all.forEach((server) => server.set({ tools: toolsOf(more) })),
    close: async () => void (await Promise.all(all.map((server) => server.close()))),
  }
}

const toolsOf = (count: number) => Array.from({ length: count }, (_, at) => makeTool(at))

/** Registers all of them for everybody; gives their ids. */
export async function registerAll(call: Bed['call'], token: string, { all }: Servers): Promise<string[]> {
  const ids: string[] = []
  for (const [at, { url }] of all.entries()) {
    const body = { name: `Register ${at + 1}`, kind: 'mcp', baseUrl: url, accessMode: 'all-users' }
    ids.push((await call<{ id: string }>(token, 'POST', '/api/tools/servers', body)).id)
  }
  return ids
}

/** Takes over what the servers offer by now. */
export async function acceptAll(call: Bed['call'], token: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const path = `/api/tools/servers/${id}`
    await call(token, 'POST', `${path}/refresh`)
    const { digest } = await call<{ digest: string }>(token, 'GET', `${path}/changes`)
    await call(token, 'POST', `${path}/changes/accept`, { digest })
  }
}

/** A server with one tool that takes its time, and how a call of it ends at the server. */
export async function startSlowServer(takesMs: number) {
  let begun: () => void = () => undefined
  let cut: () => void = () => undefined
  const server = await startMcpServer({
    tools: [{ ...makeTool(0), name: 'wait', inputSchema: { type: 'object' } }],
    onRequest({ message, response, answer }) {
      if (message.method !== 'tools/call') return false
      const args = message.params?.arguments as { ms?: number } | undefined
      const timer = setTimeout(() => answer(textResult('waited')), args?.ms ?? takesMs)
      response.on('close', () => {
        clearTimeout(timer)
        cut()
      })
      begun()
      return true
    },
  })
  return {
    ...server,
    /** Resolves when a call has come, and when its connection is cut. */
    next: () => ({
      begun: new Promise<void>((resolve) => (begun = resolve)),
      cut: new Promise<void>((resolve) => (cut = resolve)),
    }),
  }
}

/** The first account of an instance; gives its token. */
export async function signUp(url: string): Promise<string> {
  const body = JSON.stringify({ username: 'operator', password: 'a long enough password' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/auth/signup`, { method: 'POST', headers, body })
  return ((await answer.json()) as { token: string }).token
}
