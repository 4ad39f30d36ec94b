/** Routes of sign-up, login and logout. */
import type { User, accountsRoutes } from '@atrium/contract/accounts'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import { requireStrong } from '../password/strength.ts'
import { requireOneScript } from '../people/username-store.ts'
import type { LoginCandidate } from '../people/store.ts'
import { isOwnOrigin, plainName } from '../rules.ts'
import { addressInUseJob } from './notify-address-in-use.ts'
import { sessionCookie } from './start-session.ts'
import { lockoutNoticeJob } from '../lockout/notify-lockout.ts'
import type { AccountContext } from '../context.ts'

type Names = 'systemInfo' | 'signup' | 'login' | 'logout'
type Login = { readonly username: string; readonly password: string }
type Visit = Context<Caller | null>

export const signInHandlers = (parts: AccountContext): Pick<Handlers<typeof accountsRoutes>, Names> => {
  const { store, sessions, extensions, clock, audit, sessionStarter } = parts

  /** What is stored of a right password: hashed anew where its hash was made with lower costs than those of today. */
  const renewed = async (password: string, { id, phc, credential }: LoginCandidate): Promise<Uint8Array> => {
    if (!parts.passwords.isOutdated(phc)) return credential
    const anew = await store.renewCredential(id, credential, await parts.passwords.hash(password))
    if (anew) return anew
    // Another sign-in was faster, or the password was changed: then this one is wrong by now.
    const now = await store.stored(id)
    return now && (await parts.passwords.verify(password, now.phc)) ? now.credential : credential
  }

  /** Whose name and password these are; null where they are wrong. */
  const whoIs = async (body: Login, account: LoginCandidate | null, context: Visit) => {
    if (await parts.passwords.verify(body.password, account?.phc ?? null)) {
      const user = account && (await store.user(account.id))
      return user && { user, kind: 'password' as const, credential: await renewed(body.password, account) }
    }
    // The password here may be the directory's, or nobody's; that it is asked takes its time for every name.
    const person = await extensions.checkPassword(body, account, context)
    return person && { user: person, kind: 'ldap' as const, credential: null }
  }

  return {
    async systemInfo() {
      const hasUsers = await store.hasAccounts()
      const signupEnabled = !hasUsers || (await parts.signupEnabled())
      return {
        requiresAuth: true,
        hasUsers,
        signupEnabled,
        version: parts.version,
        passkeysInUse: await parts.passkeyStore.inUse(),
        mailAvailable: await parts.mail.available(),
        defaultTheme: await parts.defaultTheme(),
      }
    },

    async signup({ body }, context) {
      const { username, password, email = null } = body
      const isOpen = await parts.signupEnabled()
      if (!isOpen && (await store.hasAccounts())) throw fail('signup_closed')
      requireOneScript(username)
      requireStrong(password, { names: [username, email], baseUrl: parts.baseUrl })
      await store.requireFree(username, null)
      const credential = await parts.passwords.hash(password)
      const id = clock.id()
      // Strangers are not told whose addresses are here: an account waits without one that is in use, the answer is the
      // same, and the owner of the address hears of it by mail.
      const owner = email === null ? null : await store.emailOwner(email)
      const kept = owner === null ? email : null
      const user = await store
        .insert({ id, username, email: kept, credential, now: clock.now() }, (isFirst) => {
          if (isFirst) {
            // Whoever makes it runs the instance, and nobody is there yet whose cookie or password one would need.
            if (!isOwnOrigin(context.origin, parts.baseUrl)) throw fail('place_unknown')
            return { role: 'admin', status: 'active' }
          }
          if (!isOpen) throw fail('signup_closed')
          return { role: 'user', status: 'pending' }
        })
        .catch(async (error: unknown) => {
          // The data key was made before the account turned out to be one too many.
          await parts.vault.removeKeys(id)
          // Somebody was given the address in this very moment. It waits in no answer: asked again, there is an owner.
          throw isRefusal(error) && error.code === 'email_taken' ? fail('conflict', 'Submit the form again.') : error
        })
      if (user.status === 'active') return await sessionStarter.challengeOrStart(user, 'signup', context, null)
      await audit.record({
        ...actorOf(context),
        action: 'auth.signup',
        target: { type: 'account', id: user.id },
        ...(owner === null ? {} : { details: { reason: 'email_taken', accountId: owner } }),
      })
      if (email !== null) await parts.enqueue(addressInUseJob, { accountId: owner }, { accountId: null })
      context.answerStatus(202)
      return { status: 'pending', user: { ...user, email } }
    },

    async login({ body }, context) {
      const account = await store.findByLogin(body.username)
      const failed = (reason: string, result: 'failure' | 'denied' = 'failure') =>
        audit.record({
          ...actorOf(context),
          action: 'auth.login',
          result,
          details: { reason },
          target: { type: 'account', id: account?.id ?? null },
        })
      const recorded = async (error: unknown): Promise<never> => {
        if (isRefusal(error)) await failed(error.code)
        throw error
      }
      // A name that nobody has is counted as well: what follows tells nothing of it.
      const who = account ? `account ${account.id}` : `name ${plainName(body.username)}`
      const device = parts.devices.known(account?.id ?? '', context)
      const subject = device === null ? `password ${who}` : `password ${who} ${device}`
      const { right, locked } = await parts.lockout
        .attempt(subject, () => whoIs(body, account, context))
        .catch(recorded)
      const refused = right ? statusRefusal(right.user.status) : 'wrong_credentials'
      if (!right || refused) {
        await failed(refused ?? 'wrong_credentials')
        if (locked) await failed('too_many_wrong', 'denied')
        if (locked && device === null)
          await parts.enqueue(lockoutNoticeJob, { accountId: account?.id ?? null }, { accountId: null })
        throw fail(refused ?? 'wrong_credentials')
      }
      return await sessionStarter.challengeOrStart(right.user, right.kind, context, right.credential)
    },

    async logout(_input, context) {
      const { caller, setCookie } = context
      const address = await extensions.logoutUrl(caller.accountId, caller.sessionId, await parts.ownOrigins.of(context))
      await sessions.end(caller.accountId, { only: caller.sessionId })
      await audit.record({ ...actorOf(context), action: 'auth.logout' })
      setCookie({ name: sessionCookie, value: null })
      return address === null ? {} : { redirect: address }
    },
  }
}

/** Why an account of this status may not sign in; null when it may. */
export const statusRefusal = (status: User['status']) =>
  status === 'pending' ? 'account_pending' : status === 'disabled' ? 'account_disabled' : null
