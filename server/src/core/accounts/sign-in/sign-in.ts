/** Coming in and going out: sign-up, login, logout. */
import type { authentication, User } from '@atrium/contract/authentication'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import { requireStrong } from '../new-password/strong.ts'
import { sessionCookie } from './entrance.ts'
import type { AccountParts } from '../types.ts'

type Names = 'systemInfo' | 'signup' | 'login' | 'logout'

export const signInHandlers = (
  parts: AccountParts,
  /** Where a session has to be ended besides; null for none. */
  logoutAddress: (accountId: string, sessionId: string, origin: string) => Promise<string | null>,
): Pick<Handlers<typeof authentication>, Names> => {
  const { store, sessions, clock, audit, entrance } = parts

  return {
    async systemInfo() {
      const hasUsers = await store.hasAccounts()
      const signupEnabled = !hasUsers || (await parts.signupEnabled())
      return {
        requiresAuth: true,
        hasUsers,
        signupEnabled,
        version: parts.version,
        passkeysInUse: await parts.passkeyList.inUse(),
        mailAvailable: await parts.mail.available(),
      }
    },

    async signup({ body }, context) {
      const { username, password, email = null } = body
      const isOpen = await parts.signupEnabled()
      if (!isOpen && (await store.hasAccounts())) throw fail('signup_closed')
      requireStrong(password, { names: [username, email], baseUrl: parts.baseUrl })
      await store.requireFree(username, email)
      const credential = await parts.passwords.hash(password)
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
      if (user.status === 'active') return await entrance.enter(user, 'signup', context, null)
      await audit.record({ ...actorOf(context), action: 'auth.signup', target: { type: 'account', id: user.id } })
      context.answerStatus(202)
      return { status: 'pending', user }
    },

    async login({ body }, context) {
      const account = await store.findByLogin(body.username)
      const isRight = await parts.passwords.verify(body.password, account?.phc ?? null)
      const failed = (reason: string) =>
        audit.record({
          ...{ ...actorOf(context), action: 'auth.login', result: 'failure', details: { reason } },
          target: { type: 'account', id: account?.id ?? null },
        })
      // The password here may be the directory's, or nobody's; that it is asked takes its time for every name.
      const person = isRight
        ? null
        : await parts.ldap.signIn(body, account, context).catch(async (error: unknown) => {
            if (isRefusal(error)) await failed(error.code)
            throw error
          })
      const user = isRight && account ? await store.user(account.id) : person
      const refused = user ? refusalOf(user.status) : 'wrong_credentials'
      if (!user || refused) {
        await failed(refused ?? 'wrong_credentials')
        throw fail(refused ?? 'wrong_credentials')
      }
      if (person) return await entrance.enter(person, 'ldap', context, null)
      return await entrance.enter(user, 'password', context, account?.credential ?? null)
    },

    async logout(_input, context) {
      const { caller, setCookie } = context
      const address = await logoutAddress(caller.accountId, caller.sessionId, parts.baseUrl?.origin ?? context.origin)
      await sessions.end(caller.accountId, { only: caller.sessionId })
      await audit.record({ ...actorOf(context), action: 'auth.logout' })
      setCookie({ name: sessionCookie, value: null })
      return address === null ? {} : { redirect: address }
    },
  }
}

/** Why an account of this standing may not come in; null when it may. */
export const refusalOf = (status: User['status']) =>
  status === 'pending' ? 'account_pending' : status === 'disabled' ? 'account_disabled' : null
