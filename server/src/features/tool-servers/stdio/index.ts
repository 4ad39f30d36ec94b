/**
 * Tool servers that are programs on this machine, as the operator's file names them. Each stands among the registered
 * servers, for administrators at first, and everything that is decided about one is decided there, except what it runs.
 */
import { toolResponseSizes, toolTimeouts } from '@atrium/contract/tool-servers'
import type { Clock } from '../../../platform/clock.ts'
import type { Bubblewrap } from '../../../platform/sandbox/bubblewrap.ts'
import { ServerFault } from '../kind.ts'
import { noTools, type StoredServer, type ToolServerStore } from '../store.ts'
import { localAddress, readStdioFile } from './file.ts'
import type { LocalTransport } from './transport.ts'

export interface LocalServers {
  /** Whether the file of this process names it. */
  has(serverId: string): boolean
  isShared(serverId: string): boolean
  /** Starts its program when it is connected. Throws ServerFault where the file has none. */
  open(serverId: string, onFault: (fault: ServerFault) => void): Promise<LocalTransport>
  /** Registers those that are new. */
  register(store: Pick<ToolServerStore, 'listSharedIds' | 'add'>, clock: Pick<Clock, 'now'>): Promise<void>
}

/** Throws a sentence where the file cannot be read. */
export const createLocalServers = (path: string | undefined, bubblewrap?: () => Promise<Bubblewrap>): LocalServers => {
  const entries = path === undefined ? new Map<string, never>() : readStdioFile(path)
  return {
    has: (id) => entries.has(id),
    isShared: (id) => entries.get(id)?.shared === true,
    async open(id, onFault) {
      const entry = entries.get(id)
      if (!entry) throw new ServerFault('unreachable', 'The operator removed this program from the file.')
      const { createLocalTransport } = await import('./transport.ts')
      return createLocalTransport(entry, onFault, bubblewrap)
    },
    async register(store, clock) {
      if (entries.size === 0) return
      const known = new Set(await store.listSharedIds())
      for (const [id, { name }] of entries)
        if (!known.has(id)) await store.add(toServer(id, name, clock.now()), nothing)
    },
  }
}

/** Who starts the process wrote the file: what came of it is no act of anybody in the app. */
const nothing = async (): Promise<void> => undefined

const toServer = (id: string, name: string, now: number): StoredServer => ({
  id,
  ownerId: null,
  kind: 'mcp',
  name,
  description: null,
  baseUrl: localAddress(name),
  specUrl: null,
  isUploaded: false,
  authMode: 'none',
  authHeader: null,
  headers: {},
  accessMode: 'admins-only',
  enabled: true,
  timeoutMs: toolTimeouts.usual,
  maxResponseBytes: toolResponseSizes.usual,
  tools: noTools,
  version: 1,
  createdAt: now,
  updatedAt: now,
})
