/** The context that the modules of the area share. */
import { hiddenToolName } from '../../core/tools/index.ts'
import type { Access, Features } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { OutboundGate } from '../../platform/outbound/types.ts'
import type { Caller } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
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
  readonly accounts: Pick<Accounts, 'ownOrigins' | 'sessionStore'>
  /** Private `host:port` pairs that may be called. */
  readonly allowedAddresses: () => Promise<ReadonlySet<string>>
  /** Where people reach the instance. */
  readonly baseUrl: URL | undefined
  /** Whether an account may let models use tools at all. */
  readonly mayUseTools: (accountId: string) => Promise<boolean>
  /** Standing approvals of these tools end; their definition changed, or they are gone. */
  readonly endStanding: (toolIds: readonly string[]) => Promise<void>
  /** Whether people have tool servers of their own. */
  readonly features: Pick<Features, 'allows' | 'rule'>
  /** Says whether people have tool servers of their own at all; who of them stays as it was. */
  readonly savePersonal: (allowed: boolean) => Promise<void>
  /** Of the operator: programs that are tool servers. */
  readonly stdioFile: string | undefined
}

export interface ToolServerContext extends ToolServersDeps {
  readonly store: ToolServerStore
  readonly local: Pick<LocalServers, 'has'>
  readonly kinds: Readonly<Record<RegisteredServer['kind'], ServerKind>>
  /** The way to a server: one that is personal leads to public addresses alone, over HTTPS. */
  readonly gateOf: (server: Pick<RegisteredServer, 'ownerId'>) => OutboundGate
  /** The servers at which an account is signed in. */
  readonly signedIn: (accountId: string) => Promise<ReadonlySet<string>>
  /** Forgets the sign-ins at a server, or those of an account; they are taken back there afterwards. */
  readonly endSignIns: (of: { readonly serverId: string } | { readonly accountId: string }) => Promise<void>
  /** By the mode that the administrator chose. */
  readonly openAuth: OpenAuth
}

/** How the catalogue, approvals and chats name a tool of a server. */
export const toolIdOf = (serverId: string, name: string): string => `server:${serverId}/${name}`

/** How the audit names a tool: one of a personal server without the name that its owner’s server gave it. */
export const auditNameOf = (
  { vault }: Pick<ToolServersDeps, 'vault'>,
  { id, ownerId }: Pick<StoredServer, 'id' | 'ownerId'>,
  name: string,
): string => (ownerId === null ? name : hiddenToolName(vault, toolIdOf(id, name)))

/** Whether it is used at all: switched on, and known to the operator where it is a program. */
export const isOn = ({ local }: Pick<ToolServerContext, 'local'>, server: StoredServer): boolean =>
  server.enabled && (!isLocal(server) || local.has(server.id))

export const personalFeature = 'personal-tool-servers'

/** Whether an account has tool servers of its own now. */
export const allowsPersonal = (
  { features }: Pick<ToolServersDeps, 'features'>,
  accountId: string,
  role?: 'admin' | 'user',
): Promise<boolean> => features.allows(personalFeature, accountId, role)

/** Those that an account may use now: switched on, and meant for it; its own are last. `role`: where it is read already. */
export const usableServers = async (
  context: ToolServerContext,
  accountId: string,
  role?: ReturnType<ToolServersDeps['roleOf']>,
): Promise<StoredServer[]> => {
  const { store } = context
  const [shared, own] = await Promise.all([store.listShared(), ownOf(context, accountId, role)])
  return await reachableOf(
    { access: context.access, roleOf: role ? () => role : context.roleOf },
    accountId,
    [...shared, ...own].filter((server) => isOn(context, server)),
  )
}

const ownOf = async (
  context: ToolServerContext,
  accountId: string,
  role: ReturnType<ToolServersDeps['roleOf']> | undefined,
): Promise<StoredServer[]> =>
  (await allowsPersonal(context, accountId, (await role) ?? undefined)) ? await context.store.listOwn(accountId) : []

/** Those of them that an account may use, were all of them switched on. */
export const reachableOf = async (
  { access, roleOf }: Pick<ToolServerContext, 'access' | 'roleOf'>,
  accountId: string,
  all: readonly StoredServer[],
): Promise<StoredServer[]> => {
  const servers = all.filter(({ ownerId }) => ownerId === null || ownerId === accountId)
  const role = servers.length === 0 ? null : await roleOf(accountId)
  if (role === null) return []
  if (role === 'admin') return servers
  const granted = servers.some(({ accessMode }) => accessMode === 'granted')
    ? await access.listReachable(accountId, 'tool-server')
    : []
  const ids = new Set(granted.map(({ resourceId }) => resourceId))
  return servers.filter(
    ({ id, ownerId, accessMode }) =>
      ownerId !== null || accessMode === 'all-users' || (accessMode === 'granted' && ids.has(id)),
  )
}

/** Those that a caller sees: one that is switched off is there for whoever manages it. */
export const visibleTo = async (
  context: Pick<ToolServerContext, 'access' | 'roleOf' | 'local'>,
  caller: Caller,
  servers: readonly StoredServer[],
): Promise<StoredServer[]> =>
  await reachableOf(
    context,
    caller.accountId,
    servers.filter((server) => canManage(caller, server) || isOn(context, server)),
  )

/** Whether a caller decides about a server: administrators about shared ones, everybody about their own. */
export const canManage = ({ accountId, role }: Caller, { ownerId }: Pick<StoredServer, 'ownerId'>): boolean =>
  ownerId === null ? role === 'admin' : ownerId === accountId

/** A server that a caller sees. Refuses with `tool_server_not_found`. */
export const requireVisible = async (
  context: Pick<ToolServerContext, 'access' | 'roleOf' | 'local' | 'store'>,
  id: string,
  caller: Caller,
): Promise<StoredServer> => {
  const server = await context.store.read(id)
  const [found] = server ? await visibleTo(context, caller, [server]) : []
  if (!found) throw fail('tool_server_not_found')
  return found
}

/** Tells whether an account has what a server asks for: a secret that is good for its address, or a sign-in. */
export const proofsOf = async (
  { store, signedIn }: Pick<ToolServerContext, 'store' | 'signedIn'>,
  accountId: string,
): Promise<(server: StoredServer) => boolean> => {
  const [credentials, signedInAt] = await Promise.all([store.credentials(accountId), signedIn(accountId)])
  return (server) =>
    server.authMode === 'oauth'
      ? signedInAt.has(server.id)
      : credentials.get(server.id)?.origin === new URL(server.baseUrl).origin
}

/** Tells the open pages of whoever may see a server. */
export const announceServer = (
  { announce, announceAll }: Pick<ToolServerContext, 'announce' | 'announceAll'>,
  { ownerId }: Pick<StoredServer, 'ownerId'>,
): Promise<void> => {
  const event = { type: 'tool-servers-changed', data: {} } as const
  return ownerId === null ? announceAll(event) : announce(ownerId, event)
}
