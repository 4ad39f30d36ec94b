/** What administrators do to accounts: find, make, let in, change, disable, remove. */
import type { AuthSession, User } from '@atrium/contract/accounts'
import type { ListedUser } from '@atrium/contract/user-administration'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Context } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { noPassword } from '../password/hashing.ts'
import type { Avatars } from '../avatars/avatars.ts'
import type { AccountNotices } from '../notices/notices.ts'
import { requireStrong } from '../password/strength.ts'
import type { AccountContext } from '../context.ts'
import { requireOneScript } from './username-store.ts'
import type { UserList, UserFilter } from './user-list-store.ts'
import { type AuditActor, systemActor } from '../audit-actor.ts'
import type { ProfileChange } from './store.ts'

export interface NewUser {
  readonly username: string
  readonly displayName?: string | null | undefined
  readonly email?: string | null | undefined
  readonly role: User['role']
  /** Without one nobody signs in with a password, until one is chosen by a link. */
  readonly password?: string | undefined
  /** `any`: a directory chose the name, and may mix scripts in it. */
  readonly scripts?: Scripts
}
type Scripts = 'one' | 'any'

type Page<T> = { items: T[]; nextCursor: string | null }

export interface AccountAdministration {
  /** A page of all accounts, oldest first. Refuses with `bad_cursor`. */
  list(limit: number, cursor: string | undefined): Promise<Page<User>>
  /** A page of those that are wanted. Refuses with `bad_cursor`. */
  page(filter: UserFilter, limit: number, cursor: string | undefined): Promise<Page<ListedUser>>
  /** Refuses with `user_not_found`. */
  find(accountId: string): Promise<ListedUser>
  pending: UserList['pending']
  /** That a new account may have this name. Refuses with `username_taken`, `username_scripts`. */
  requireUsername(username: string): Promise<void>
  /** Active at once. Refuses with `username_taken`, `username_scripts`, `email_taken`, `weak_password`. */
  create(user: NewUser, who: AuditActor): Promise<ListedUser>
  /**
   * Another role holds at once, on open streams too. Refuses with `user_not_found`, `username_taken`, `username_scripts`,
   * `email_taken`, `avatar_unsupported`, `last_administrator`.
   */
  update(
    accountId: string,
    change: ProfileChange & { role?: User['role'] | undefined; avatar?: string | null | undefined },
    who: AuditActor,
    scripts?: Scripts,
  ): Promise<ListedUser>
  /** Lets an account in that waits. Refuses with `user_not_found`, `not_pending`. */
  approve(accountId: string, who: AuditActor): Promise<ListedUser>
  /** Refuses with `user_not_found`, `last_administrator`. Disabling ends every session of the account, and stops its tokens, at once. */
  setStatus(accountId: string, status: 'active' | 'disabled', who?: AuditActor): Promise<User>
  /** When an account is going to be deleted; null: it stays. Its owner gets a letter. Refuses with `user_not_found`, `last_administrator`. */
  setRemoval(accountId: string, at: number | null, who: AuditActor): Promise<void>
  /** Removes an account that waits for approval, and its data key. Refuses with `user_not_found`. */
  reject(accountId: string, who?: AuditActor): Promise<void>
  /** Where an account is signed in, newest activity first. Refuses with `user_not_found`. */
  sessions(accountId: string, context: Context): Promise<AuthSession[]>
  /** Ends one session of an account at once, and writes it into the audit. Refuses with `session_not_found`. */
  endSession(accountId: string, sessionId: string, context: Context): Promise<void>
}

export const createAccountAdministration = (
  parts: AccountContext & { readonly notices: AccountNotices; readonly avatars: Pick<Avatars, 'change'> },
): AccountAdministration => {
  const { store, sessions, sessionStore, policy, revocations, clock, audit, notices } = parts
  const { userList, roles, removals } = parts.people

  const find = async (accountId: string): Promise<ListedUser> => {
    const user = await userList.find(accountId)
    if (!user) throw fail('user_not_found')
    return user
  }
  /** What is remembered of an account is out of date, and its open streams show anew who they are. */
  const changed = async (accountId: string): Promise<void> => {
    await revocations.publish(accountId, [])
    // Told before its streams end: a page that comes again would begin after this.
    await parts.announce(accountId, { type: 'account-changed', data: {} })
    await revocations.publish(accountId, await parts.openCredentials(accountId))
  }
  const announcePeople = () => parts.people.peopleChanged(false)

  return {
    list: (limit, cursor) => store.page(limit, cursor),
    page: userList.page,
    find,
    pending: userList.pending,

    async requireUsername(username) {
      requireOneScript(username)
      await store.requireFree(username, null)
    },

    async create({ username, displayName = null, email = null, role, password, scripts = 'one' }, who) {
      if (scripts === 'one') requireOneScript(username)
      if (password !== undefined) requireStrong(password, { names: [username, email], baseUrl: parts.baseUrl })
      await store.requireFree(username, email)
      const credential = password === undefined ? noPassword : await parts.passwords.hash(password)
      const [id, now] = [clock.id(), clock.now()]
      await store
        .insert(
          { id, username, email, credential, now },
          () => ({ role, status: 'active' }),
          (trx) => roles.recordCreation(trx, id, role, now, who),
        )
        .catch(async (error: unknown) => {
          await parts.vault.removeKeys(id)
          throw error
        })
      if (displayName) await store.update(id, { displayName }, clock.now())
      await announcePeople()
      return await find(id)
    },

    async update(accountId, { role, avatar, ...profile }, who, scripts = 'one') {
      if (scripts === 'one' && profile.username !== undefined)
        requireOneScript(profile.username, (await find(accountId)).username)
      const fields = Object.keys(profile).filter((name) => profile[name as keyof ProfileChange] !== undefined)
      if (fields.length > 0) {
        const displayName = profile.displayName === '' ? null : profile.displayName
        if (!(await store.update(accountId, { ...profile, displayName }, clock.now()))) throw fail('user_not_found')
      }
      if (avatar !== undefined) {
        await parts.avatars.change(accountId, avatar)
        fields.push('avatar')
      }
      if (fields.length > 0)
        await audit.record({
          ...who,
          action: 'user.update',
          target: { type: 'account', id: accountId },
          details: { fields },
        })
      if (role !== undefined) await roles.setRole(accountId, role, clock.now(), who)
      const user = await find(accountId)
      await changed(accountId)
      await announcePeople()
      return user
    },

    async approve(accountId, who) {
      await roles.setStatus(accountId, 'active', clock.now(), who, 'pending')
      await revocations.publish(accountId, [])
      await announcePeople()
      return await find(accountId)
    },

    async setStatus(accountId, status, who = systemActor) {
      const openCredentials = status === 'disabled' ? await parts.openCredentials(accountId) : []
      await roles.setStatus(accountId, status, clock.now(), who)
      // Tokens are not revoked, they only stop; an account that comes back has them again.
      await revocations.publish(accountId, openCredentials)
      await announcePeople()
      const user = await store.user(accountId)
      if (!user) throw fail('user_not_found')
      return user
    },

    async setRemoval(accountId, at, who) {
      const isNew = await roles.setRemoval(accountId, at, who)
      await parts.announce(accountId, { type: 'account-changed', data: {} })
      await announcePeople()
      if (isNew)
        await notices(accountId, at === null ? 'removal-off' : { kind: 'removal-set', at: new Date(at).toISOString() })
    },

    async sessions(accountId, { caller }) {
      if (!(await store.user(accountId))) throw fail('user_not_found')
      return await sessionStore.list(accountId, caller.sessionId, clock.now(), await policy.lifetimes())
    },

    async endSession(accountId, sessionId, context) {
      if (!(await sessionStore.exists(accountId, sessionId))) throw fail('session_not_found')
      if ((await sessions.end(accountId, { only: sessionId })) === 0) return
      await audit.record({
        ...actorOf(context),
        action: 'session.revoke',
        target: { type: 'session', id: sessionId },
        details: { accountId },
      })
      await parts.announce(accountId, { type: 'session-ended', data: {} })
    },

    async reject(accountId, who = systemActor) {
      await removals.begin(accountId, who, 'pending')
      await removals.finish(accountId)
      await announcePeople()
    },
  }
}
