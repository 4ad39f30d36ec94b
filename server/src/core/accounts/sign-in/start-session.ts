/** Starts sessions, or asks for a second factor first. Every sign-in method ends here. */
import type { MfaRequired, SessionKind, SignedIn, User } from '@atrium/contract/accounts'
import type { z } from 'zod'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Caller, Context } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import type { SessionStore } from '../sessions/store.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AccountOptions } from '../options.ts'
import type { KnownDevices } from './known-devices.ts'
import type { OwnOrigins } from './own-origins.ts'

/** The name of the cookie that carries a session to the web app. */
export const sessionCookie = 'atrium_session'

type StartedSession = z.infer<typeof SignedIn>
type Deps = {
  readonly sessions: Sessions
  readonly secondFactor: SecondFactor
  readonly devices: KnownDevices
  readonly ownOrigins: OwnOrigins
  readonly sessionStore: Pick<SessionStore, 'lastSeenAt'>
} & Pick<AccountOptions, 'audit' | 'announce' | 'notify'>
type Visit = Context<Caller | null>

export interface SessionStarter {
  /**
   * The first factor was right. Begins a session, or answers with a challenge where the account or the policy wants a
   * second one. `credential`: the stored password hash that was checked; null where none was. `upstream`: the index of
   * the session at a provider that this one comes from, where the provider names its sessions.
   */
  challengeOrStart(
    user: User,
    kind: SessionKind,
    context: Visit,
    credential: Uint8Array | null,
    upstream?: string | null,
  ): Promise<StartedSession | MfaRequired>
  /** Everything that is asked for was shown: begins a session, and ends the one whose cookie is replaced. */
  startSession(
    user: User,
    kind: SessionKind,
    context: Visit,
    credential: Uint8Array | null,
    upstream?: string | null,
  ): Promise<StartedSession>
}

export const createSessionStarter = ({
  sessions,
  secondFactor,
  devices,
  ownOrigins,
  sessionStore,
  audit,
  announce,
  notify,
}: Deps): SessionStarter => {
  const startSession: SessionStarter['startSession'] = async (user, kind, context, credential, upstream = null) => {
    // The very first sign-in is no news, and neither is one of a device that was there before.
    const isNews = !devices.known(user.id, context) && (await sessionStore.lastSeenAt([user.id])).has(user.id)
    const started = await sessions.start(user.id, kind, context, credential, upstream)
    if (!started) throw fail('wrong_credentials')
    // The cookie of this browser is about to be replaced; the session it stood for must not live on unseen.
    if (context.caller?.via === 'cookie')
      await sessions.end(context.caller.accountId, { only: context.caller.sessionId })
    const { id, token, expiresAt } = started
    const { requestId, address } = actorOf(context)
    for (const ended of started.ended)
      await audit.record({
        action: 'session.revoke',
        actor: { kind: 'system', accountId: null },
        requestId,
        address,
        target: { type: 'session', id: ended },
        details: { accountId: user.id, reason: 'too_many_sessions' },
      })
    await audit.record({
      action: kind === 'signup' ? 'auth.signup' : 'auth.login',
      requestId,
      address,
      actor: { kind: 'user', accountId: user.id },
      details: { kind },
    })
    // Whoever is signed in elsewhere hears of it, and can end what they did not begin.
    await announce(user.id, { type: 'session-started', data: { id } })
    if (isNews) await notify(user.id, id, { event: 'new-sign-in', by: null, reason: null, until: null })
    context.setCookie({ name: sessionCookie, value: token, expiresAt })
    devices.remember(user.id, context)
    const { origin } = context
    await ownOrigins.confirm({
      origin,
      caller: { accountId: user.id, sessionId: id, role: user.role, via: 'cookie', token: null },
    })
    return { token, expiresAt: new Date(expiresAt).toISOString(), user }
  }
  return {
    startSession,
    async challengeOrStart(user, kind, context, credential, upstream = null) {
      const challenge = await secondFactor.ask(user, kind, credential, upstream).catch(async (error: unknown) => {
        await audit.record({
          ...actorOf(context),
          action: 'auth.login',
          result: 'denied',
          details: { kind, reason: isRefusal(error) ? error.code : 'internal' },
          target: { type: 'account', id: user.id },
        })
        throw error
      })
      return challenge ?? (await startSession(user, kind, context, credential, upstream))
    },
  }
}
