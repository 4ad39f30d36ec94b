/** Routes of signing in at tool servers: the way there, the way back, and out again. */
import type { toolSignInRoutes } from '@atrium/contract/tool-servers'
import { type Accounts, unknownOrigin } from '../../../core/accounts/index.ts'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { RegisteredServer } from '../kind.ts'
import { clientMetadata } from './client-metadata.ts'
import type { OAuthClients } from './clients.ts'
import { SignInFailure } from './failure.ts'
import type { Revoke } from './revocation.ts'
import { type SignIn, scopesOf } from './rules.ts'
import type { OAuthSignIn } from './sign-in.ts'
import { cookieOf, type OAuthStore, type PendingFlow } from './store.ts'

export interface SignInRoutesDeps extends Pick<Platform, 'audit' | 'clock' | 'database' | 'log'> {
  readonly accounts: Pick<Accounts, 'ownOrigins' | 'sessionStore'>
  /** A server that the caller may use. Refuses with `tool_server_not_found`. */
  readonly requireServer: (caller: Caller, id: string) => Promise<RegisteredServer>
  readonly exists: (serverId: string) => Promise<boolean>
  /** Whether an account may use a server now. */
  readonly mayUse: (accountId: string, serverId: string) => Promise<boolean>
  /** Tells what waits for the sign-in, and the open pages of the account. */
  readonly changed: (accountId: string, serverId: string) => Promise<void>
  readonly documentUrl: (serverId: string) => string | null
  readonly store: OAuthStore
  /** What signs in at a server, over the way that leads there. */
  readonly partsFor: (serverId: string) => Promise<{
    readonly clients: OAuthClients
    readonly signIn: OAuthSignIn
    readonly revoke: Revoke
  }>
}

type Visit = Context<Caller | null>

export const signInHandlers = (deps: SignInRoutesDeps): Handlers<typeof toolSignInRoutes> => {
  const { accounts, audit, clock, database, documentUrl, exists, log, mayUse, partsFor, requireServer, store } = deps

  const redirectUrlOf = async (serverId: string, context: Pick<Visit, 'origin'>): Promise<string> => {
    const origin = await accounts.ownOrigins.of(context)
    if (origin === null) throw fail('place_unknown', unknownOrigin)
    return `${origin}/api/tools/servers/${serverId}/oauth/callback`
  }

  const requireOAuth = async (caller: Caller, id: string): Promise<RegisteredServer> => {
    const server = await requireServer(caller, id)
    if (server.authMode !== 'oauth') throw fail('tool_sign_in_failed', 'This tool server needs no sign-in.')
    return server
  }

  const recordFailure = async (failure: SignInFailure, serverId: string, accountId: string | null, context: Visit) => {
    log.info('a sign-in at a tool server failed', { serverId, reason: failure.reason })
    await audit.record({
      ...actorOf(context),
      action: 'tool-server-sign-in.create',
      result: 'failure',
      target: { type: 'tool-server', id: serverId },
      details: { reason: failure.reason, ...(accountId === null ? {} : { account: accountId }) },
    })
  }

  const finish = async (flow: PendingFlow, query: Parameters<OAuthSignIn['finish']>[1], context: Visit) => {
    const { accountId, serverId, sessionId } = flow
    const isThere = await accounts.sessionStore.kindOf(accountId, sessionId, clock.now())
    if (!isThere || !(await mayUse(accountId, serverId)))
      throw new SignInFailure('session-ended', 'The session that started this sign-in has ended.')
    const { signIn } = await partsFor(serverId)
    const { grant, expiresAt } = await signIn.finish(flow, query)
    const put = await store.put(flow, { grant, lastScope: null, challenge: null }, expiresAt)
    await database.write(async (trx) => {
      await put(trx)
      await audit.recordIn(trx, {
        ...actorOf(context),
        action: 'tool-server-sign-in.create',
        result: 'success',
        target: { type: 'tool-server', id: serverId },
        details: { account: accountId, issuer: grant.endpoints.issuer },
      })
    }, 'audit')
    await deps.changed(accountId, serverId)
  }

  const entered = async (serverId: string, context: Visit) => {
    const stored = await store.client(serverId, null)
    return {
      clientId: stored?.client.client_id ?? null,
      hasSecret: stored?.client.client_secret !== undefined,
      issuer: stored?.issuer ?? null,
      redirectUrl: await redirectUrlOf(serverId, context),
    }
  }

  return {
    async toolSignIn({ params: { id } }, { caller }) {
      await requireServer(caller, id)
      return statusOf((await store.find({ accountId: caller.accountId, serverId: id }))?.signIn ?? null)
    },

    async startToolSignIn({ params: { id } }, context) {
      const { caller } = context
      const server = await requireOAuth(caller, id)
      const redirectUrl = await redirectUrlOf(id, context)
      try {
        const { signIn } = await partsFor(id)
        const { authorizeUrl, cookie } = await signIn.begin({
          accountId: caller.accountId,
          sessionId: caller.sessionId,
          server: { id, url: server.baseUrl },
          redirectUrl,
        })
        context.setCookie(cookie)
        return { authorizeUrl }
      } catch (error) {
        if (!(error instanceof SignInFailure)) throw error
        await recordFailure(error, id, caller.accountId, context)
        throw fail('tool_sign_in_failed', error.message)
      }
    },

    async toolSignInCallback({ params: { id }, query }, context) {
      if (!(await exists(id))) throw fail('tool_server_not_found')
      let flow: PendingFlow | null = null
      try {
        const { signIn } = await partsFor(id)
        flow = await signIn.take(id, query, context.cookie)
        context.setCookie({ name: cookieOf(query.state ?? ''), value: null, sameSite: 'Lax' })
        await finish(flow, query, context)
        return pageOf({ mcpOAuth: 'connected', serverId: id })
      } catch (error) {
        if (!(error instanceof SignInFailure)) throw error
        await recordFailure(error, id, flow?.accountId ?? null, context)
        return pageOf({ mcpOAuth: 'error', serverId: id, reason: error.reason })
      }
    },

    async endToolSignIn({ params: { id } }, context) {
      const { accountId } = context.caller
      // Forgotten first: whatever becomes of it there, it is not used here any more.
      const stored = await store.take({ accountId, serverId: id })
      const grant = stored?.signIn.grant
      // Also at a server that the account may not use any more.
      if (!stored) await requireServer(context.caller, id)
      if (!grant) return { revoked: false }
      await audit.record({
        ...actorOf(context),
        action: 'tool-server-sign-in.delete',
        result: 'success',
        target: { type: 'tool-server', id },
        details: { issuer: grant.endpoints.issuer },
      })
      await deps.changed(accountId, id)
      const { clients, revoke } = await partsFor(id)
      return { revoked: await revoke(grant, await clients.current(id, grant.client)) }
    },

    async toolClientDocument({ params: { id } }) {
      const url = documentUrl(id)
      if (url === null || !(await exists(id))) throw fail('tool_server_not_found')
      const redirectUrl = url.replace(/client-metadata$/, 'callback')
      return { client_id: url, ...clientMetadata(redirectUrl), token_endpoint_auth_method: 'none' }
    },

    async toolOAuthClient({ params: { id } }, context) {
      await requireServer(context.caller, id)
      return await entered(id, context)
    },

    async saveToolOAuthClient({ params: { id }, body }, context) {
      await requireServer(context.caller, id)
      const { clientId: client_id, clientSecret } = body
      const client = {
        source: 'administrator',
        client_id,
        ...(clientSecret ? { client_secret: clientSecret } : {}),
      } as const
      await store.saveClient(id, null, { client, issuer: null, redirectUrl: null, scope: null, secretEndsAt: null })
      await audit.record({
        ...actorOf(context),
        action: 'tool-server-client.save',
        result: 'success',
        target: { type: 'tool-server', id },
        details: { secret: clientSecret !== null },
      })
      return await entered(id, context)
    },

    async removeToolOAuthClient({ params: { id } }, context) {
      await requireServer(context.caller, id)
      if (!(await store.removeClient(id, null))) return {}
      await audit.record({
        ...actorOf(context),
        action: 'tool-server-client.delete',
        result: 'success',
        target: { type: 'tool-server', id },
      })
      return {}
    },
  }
}

/** Into the web app: the path is ours, whatever came back. */
const pageOf = (said: Record<string, string>): string => `/settings/tools?${new URLSearchParams(said)}`

const statusOf = (signIn: SignIn | null) => {
  const grant = signIn?.grant
  const scopes = scopesOf(grant?.grantedScope ?? grant?.requestedScope ?? null)
  return {
    state: grant ? ('signed-in' as const) : signIn ? ('needed' as const) : ('none' as const),
    issuer: grant?.endpoints.issuer ?? null,
    scopes,
    wanted: scopesOf(signIn?.challenge?.scope ?? null).filter((scope) => !scopes.includes(scope)),
    signedInAt: grant ? toIsoTime(grant.signedInAt) : null,
  }
}
