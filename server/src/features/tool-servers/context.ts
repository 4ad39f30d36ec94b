/** The context that the modules of the area share. */
import type { Access } from '../../core/access/index.ts'
import type { Platform } from '../../platform/platform.ts'
import { isLocal } from './stdio/file.ts'
import type { LocalServers } from './stdio/index.ts'
import type { OpenAuth, RegisteredServer, ServerKind } from './kind.ts'
import type { StoredServer, ToolServerStore } from './store.ts'

export interface ToolServersDeps
  extends Pick<
    Platform,
    'announce' | 'announceAll' | 'audit' | 'clock' | 'database' | 'log' | 'outbound' | 'vault' | 'version'
  > {
  readonly access: Pick<Access, 'listReachable' | 'removeGrants'>
  /** null: the account is not active. */
  readonly roleOf: (accountId: string) => Promise<'admin' | 'user' | null>
  /** Standing approvals of these tools end; their definition changed, or they are gone. */
  readonly endStanding: (toolIds: readonly string[]) => Promise<void>
  /** Of the operator: programs that are tool servers. */
  readonly stdioFile: string | undefined
}

export interface ToolServerContext extends ToolServersDeps {
  readonly store: ToolServerStore
  readonly local: Pick<LocalServers, 'has'>
  readonly kinds: Readonly<Record<RegisteredServer['kind'], ServerKind>>
  /** By the mode that the administrator chose. */
  readonly openAuth: OpenAuth
}

export const toolIdOf = (serverId: string, name: string): string => `server:${serverId}/${name}`

/** Whether it is used at all: switched on, and known to the operator where it is a program. */
export const isOn = ({ local }: Pick<ToolServerContext, 'local'>, server: StoredServer): boolean =>
  server.enabled && (!isLocal(server) || local.has(server.id))

/** Those that an account may use now: switched on, and meant for it. */
export const usableServers = async (context: ToolServerContext, accountId: string): Promise<StoredServer[]> => {
  const servers = await context.store.list()
  return await reachableOf(
    context,
    accountId,
    servers.filter((server) => isOn(context, server)),
  )
}

/** Those of them that an account may use, were all of them switched on. */
export const reachableOf = async (
  { access, roleOf }: Pick<ToolServerContext, 'access' | 'roleOf'>,
  accountId: string,
  servers: readonly StoredServer[],
): Promise<StoredServer[]> => {
  const role = servers.length === 0 ? null : await roleOf(accountId)
  if (role === null) return []
  if (role === 'admin') return [...servers]
  const granted = servers.some(({ accessMode }) => accessMode === 'granted')
    ? await access.listReachable(accountId, 'tool-server')
    : []
  const ids = new Set(granted.map(({ resourceId }) => resourceId))
  return servers.filter(({ id, accessMode }) => accessMode === 'all-users' || (accessMode === 'granted' && ids.has(id)))
}

/** Tells all open pages; who may see what, they ask. */
export const announceServers = ({ announceAll }: Pick<ToolServerContext, 'announceAll'>): Promise<void> =>
  announceAll({ type: 'tool-servers-changed', data: {} })
