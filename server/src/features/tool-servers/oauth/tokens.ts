/** The token of an account for a server: replaced ahead of time, by one process at a time, and given up when it is refused. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FetchLike, OAuthError, OAuthErrorCode, refreshAuthorization } from '@modelcontextprotocol/client'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { OAuthClients } from './clients.ts'
import { ownFailure, SignInFailure, SignInNeeded } from './failure.ts'
import { type Challenge, isCovered, endOf, type Grant, isEnding, nobody, type SignIn } from './rules.ts'
import type { OAuthStore, StoredSignIn, Where } from './store.ts'

export interface Tokens {
  /** The token to show; null where the account is not signed in. Throws SignInFailure `unreachable`. */
  current(where: Where): Promise<string | null>
  /**
   * A server refused this token (null: none was shown). Returns where there is another one to try, once; else throws
   * SignInNeeded.
   */
  refused(where: Where, token: string | null, challenge: Challenge | null): Promise<void>
  /** A server refused a token that was new: it is given up. */
  giveUp(where: Where, token: string | null, challenge: Challenge | null): Promise<SignInNeeded>
  /** A server wants more than the sign-in covers. Throws SignInNeeded, or SignInFailure where it would change nothing. */
  insufficient(where: Where, challenge: Challenge): Promise<never>
}

/** Longer than the request may take, so that nobody else begins one meanwhile. */
const refreshMs = 20_000
const lookAgainMs = 50

const signInWords = 'You aren’t signed in to this server.'
const againWords = 'The server no longer accepts your sign-in. Sign in again.'
const scopeWords = 'The server needs you to sign in again and grant more permissions.'
const uselessWords = 'The server refused this call although you granted all the permissions it asked for.'

export const createTokens = (deps: {
  store: OAuthStore
  clients: OAuthClients
  fetchFn: FetchLike
  clock: Clock
  log: Log
}): Tokens => {
  const { store, clients, fetchFn, clock, log } = deps
  /** Refreshes of this process, by the row and its version. */
  const running = new Map<string, Promise<StoredSignIn | null>>()

  const isOver = (stored: StoredSignIn): boolean => stored.expiresAt !== null && stored.expiresAt <= clock.now()

  const ended = (signIn: SignIn, challenge: Challenge | null): SignIn => ({
    grant: null,
    lastScope: signIn.grant?.requestedScope ?? signIn.lastScope,
    challenge: challenge ?? signIn.challenge,
  })

  const forget = async (stored: StoredSignIn, challenge: Challenge | null): Promise<void> => {
    await store.replace(stored, ended(stored.signIn, challenge), null)
  }

  /** What the authorization server gives; null where it says that there is nothing to give any more. */
  const ask = async (serverId: string, grant: Grant, refreshToken: string) => {
    let status = 0
    const noting: FetchLike = async (address, init) => {
      const answer = await fetchFn(address, init)
      status = answer.status
      return answer
    }
    const { endpoints } = grant
    try {
      return await refreshAuthorization(endpoints.issuer, {
        metadata: { ...endpoints },
        clientInformation: await clients.current(serverId, grant.client),
        refreshToken,
        resource: grant.resource,
        fetchFn: noting,
      })
    } catch (error) {
      const own = ownFailure(error)
      const isFinal = own ? own.reason !== 'unreachable' : isRefusal(status)
      log.info('a sign-in at a tool server could not be refreshed', { serverId, status, final: isFinal })
      if (!isFinal)
        throw new SignInFailure('unreachable', 'The authorization server can’t renew your sign-in just now.')
      if (error instanceof OAuthError && error.code === OAuthErrorCode.InvalidClient)
        await clients.forget(serverId, endpoints.issuer, grant.client)
      return null
    }
  }

  const refreshOnce = async (stored: StoredSignIn, refreshToken: string): Promise<StoredSignIn | null> => {
    const { serverId, signIn } = stored
    const grant = signIn.grant as Grant
    try {
      const tokens = await ask(serverId, grant, refreshToken)
      if (!tokens) {
        await forget(stored, null)
        return null
      }
      const fresh: Grant = {
        ...grant,
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? refreshToken,
        grantedScope: tokens.scope ?? grant.grantedScope,
      }
      await store.replace(stored, { ...signIn, grant: fresh }, endOf(tokens.expires_in, clock.now()))
      return await store.find(stored)
    } catch (error) {
      await store.endRefresh(stored)
      throw error
    }
  }

  /** A refresh token is often good for one use, so that one process uses it, and all others wait for what it gets. */
  const refreshInTurn = async (stored: StoredSignIn, refreshToken: string): Promise<StoredSignIn | null> => {
    while (!(await store.beginRefresh(stored, refreshMs))) {
      const now = await store.find(stored)
      if (now?.version !== stored.version) return now
      await sleep(lookAgainMs)
    }
    return await refreshOnce(stored, refreshToken)
  }

  const refresh = async (stored: StoredSignIn, refreshToken: string): Promise<StoredSignIn | null> => {
    const key = `${stored.id} ${stored.version}`
    const there = running.get(key)
    if (there) return await there
    const begun = refreshInTurn(stored, refreshToken).finally(() => running.delete(key))
    running.set(key, begun)
    return await begun
  }

  return {
    async current(where) {
      const stored = await store.find(where)
      const grant = stored?.signIn.grant
      if (!stored || !grant) return null
      if (!isEnding(stored.expiresAt, clock.now())) return grant.accessToken
      if (grant.refreshToken === null) return isOver(stored) ? null : grant.accessToken
      const fresh = await refresh(stored, grant.refreshToken).catch((error: unknown) => {
        // What has not ended yet still serves.
        if (!isOver(stored) && error instanceof SignInFailure) return stored
        throw error
      })
      return fresh?.signIn.grant?.accessToken ?? null
    },

    async refused(where, token, challenge) {
      const stored = await store.find(where)
      const grant = stored?.signIn.grant
      if (grant && grant.accessToken !== token) return
      if (stored && grant && grant.refreshToken !== null) {
        const fresh = await refresh(stored, grant.refreshToken)
        if (fresh?.signIn.grant) return
      }
      const now = await store.find(where)
      if (now) await forget(now, challenge)
      else await store.remember(where, { ...nobody, challenge })
      throw new SignInNeeded('signed-out', grant ? againWords : signInWords)
    },

    async giveUp(where, token, challenge) {
      const stored = await store.find(where)
      if (stored?.signIn.grant?.accessToken === token) await forget(stored, challenge)
      return new SignInNeeded('signed-out', againWords)
    },

    async insufficient(where, challenge) {
      const stored = await store.find(where)
      if (!stored) {
        await store.remember(where, { ...nobody, challenge })
        throw new SignInNeeded('signed-out', signInWords)
      }
      const { grant } = stored.signIn
      if (grant && isCovered(grant, challenge.scope)) throw new SignInFailure('scope-useless', uselessWords)
      await store.replace(stored, { ...stored.signIn, challenge }, stored.expiresAt)
      throw new SignInNeeded('scope', scopeWords)
    },
  }
}

/** Whether an answer says that asking again would not help. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429
