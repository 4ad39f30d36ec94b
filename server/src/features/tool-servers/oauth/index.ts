/**
 * Sign-ins of accounts at tool servers (OAuth 2.1): each account signs in for itself, in the browser, and its calls show
 * its own token. Tokens belong to one server and one issuer; they are sealed, and told to nobody else.
 */
import type { Clock } from '../../../platform/clock.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { OutboundGate } from '../../../platform/outbound/types.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { OpenAuth } from '../kind.ts'
import { type SignInRoutesDeps, signInHandlers } from './handlers.ts'
import type { Gate } from './oauth-fetch.ts'
import type { SignInParts } from './sign-in-parts.ts'
import { createOAuthStore } from './store.ts'

export { retryAfterSignIn } from './retry.ts'
export { toolOAuthMigrations, toolOAuthSealed } from './tables.ts'

export interface ToolOAuthDeps extends Gate, Pick<Platform, 'vault'>, Omit<SignInRoutesDeps, 'store' | 'partsFor'> {
  readonly clock: Clock
  /** The way to the authorization servers of personal tool servers. */
  readonly personalGate: OutboundGate
  /** Whose server it is; null: the instance's. */
  readonly ownerOf: (serverId: string) => Promise<string | null>
  /** Whether an account may have tool servers of its own. */
  readonly allowsPersonal: (ownerId: string) => Promise<boolean>
}

export const createToolOAuth = (deps: ToolOAuthDeps) => {
  const store = createOAuthStore(deps)
  const personalWay = { outbound: deps.personalGate, allowedAddresses: async () => new Set<string>() }
  const opened = new Map<Gate, SignInParts>()
  /** With the first sign-in: until then, the library of the protocol is not loaded. */
  const partsOver = async (way: Gate): Promise<SignInParts> => {
    const { createSignInParts } = await import('./sign-in-parts.ts')
    const parts = opened.get(way) ?? createSignInParts(deps, way, store)
    opened.set(way, parts)
    return parts
  }
  const partsOf = async (ownerId: string | null): Promise<SignInParts> => {
    if (ownerId === null) return await partsOver(deps)
    if (!(await deps.allowsPersonal(ownerId))) throw fail('personal_tool_servers_off')
    return await partsOver(personalWay)
  }
  const partsFor = async (serverId: string) => await partsOf(await deps.ownerOf(serverId))
  const openAuth: OpenAuth = async (server, accountId) =>
    await (await partsOf(server.ownerId)).openAuth(server, accountId)

  return {
    handlers: signInHandlers({ ...deps, store, partsFor }),
    /** The proof of accounts at servers with the mode `oauth`. */
    openAuth,
    /** The servers at which an account is signed in. */
    signedIn: store.signedIn,
    countEnded: store.countEnded,
    /** Forgets the sign-ins at a server, or of an account, and takes them back there, for which nobody waits. */
    async endSignIns(of: { readonly serverId: string } | { readonly accountId: string }): Promise<void> {
      const taken = await store.takeAll(of)
      const grants = taken.flatMap(({ serverId, signIn: { grant } }) => (grant ? [{ serverId, grant }] : []))
      const known = await Promise.all(
        grants.map(async ({ serverId, grant }) => {
          const { clients, revoke } = await partsFor(serverId)
          return { grant, revoke, client: await clients.current(serverId, grant.client) }
        }),
      )
      void Promise.all(known.map(({ grant, revoke, client }) => revoke(grant, client)))
    },
  }
}

/** Where the document of a server's client is: at a public address of ours, which begins with https; else null. */
export const documentUrlOf = (baseUrl: URL | undefined, serverId: string): string | null =>
  baseUrl?.protocol === 'https:' ? `${baseUrl.origin}/api/tools/servers/${serverId}/oauth/client-metadata` : null
