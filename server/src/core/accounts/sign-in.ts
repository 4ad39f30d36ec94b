/** Coming in and going out: sign-up, login, logout. */
import type { authentication, User } from '@atrium/contract/authentication'
import type { Caller, Context, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { passwordWeakness } from './rules.ts'
import type { AccountParts } from './types.ts'

/** The name of the cookie that carries a session to the web app. */
export const sessionCookie = 'atrium_session'

type Names = 'systemInfo' | 'signup' | 'login' | 'logout'

export const signInHandlers = (parts: AccountParts): Pick<Handlers<typeof authentication>, Names> => {
  const { store, sessions, clock } = parts

  const signIn = async (
    user: User,
    kind: 'password' | 'signup',
    credential: Uint8Array | null,
    context: Context<Caller | null>,
  ) => {
    const started = await sessions.start(user.id, kind, context.userAgent, credential)
    if (!started) throw fail('wrong_credentials')
    // The cookie of this browser is about to be replaced; the session it stood for must not live on unseen.
    if (context.caller?.via === 'cookie')
      await sessions.end(context.caller.accountId, { only: context.caller.sessionId })
    const { token, expiresAt } = started
    context.setCookie({ name: sessionCookie, value: token, expiresAt })
    return { token, expiresAt: new Date(expiresAt).toISOString(), user }
  }

  return {
    async systemInfo() {
      const hasUsers = await store.hasAccounts()
      const signupEnabled = !hasUsers || (await parts.signupEnabled())
      return { requiresAuth: true, hasUsers, signupEnabled, version: parts.version }
    },

    async signup({ body }, context) {
      const { username, password, email = null } = body
      const isOpen = await parts.signupEnabled()
      if (!isOpen && (await store.hasAccounts())) throw fail('signup_closed')
      requireStrong(password, [username, email])
      await store.requireFree(username, email)
      const credential = await hashPassword(password)
      const id = clock.id()
      const user = await store
        .insert({ id, username, email, credential, now: clock.now() }, (isFirst) => {
          if (isFirst) return { role: 'admin', status: 'active' }
          if (!isOpen) throw fail('signup_closed')
          return { role: 'user', status: 'pending' }
        })
        .catch(async (error: unknown) => {
          // The data key was made before the account turned out to be one too many.
          await parts.vault.removeAccount(id)
          throw error
        })
      if (user.status === 'active') return await signIn(user, 'signup', null, context)
      context.answerStatus(202)
      return { status: 'pending', user }
    },

    async login({ body }, context) {
      const account = await store.findByLogin(body.username)
      const isRight = await verifyPassword(body.password, account?.phc ?? null)
      if (!account || !isRight) throw fail('wrong_credentials')
      if (account.status === 'pending') throw fail('account_pending')
      if (account.status === 'disabled') throw fail('account_disabled')
      const user = await store.user(account.id)
      if (!user) throw fail('wrong_credentials')
      return await signIn(user, 'password', account.credential, context)
    },

    async logout(_input, { caller, setCookie }) {
      await sessions.end(caller.accountId, { only: caller.sessionId })
      setCookie({ name: sessionCookie, value: null })
      return {}
    },
  }
}

/** Refuses a password that will not do, saying why. */
export const requireStrong = (password: string, names: readonly (string | null)[]): void => {
  const weakness = passwordWeakness(password, names)
  if (weakness) throw fail('weak_password', weakness)
}
