/** Finds or creates the account of a person in the directory, and updates it. */
import type { User } from '@atrium/contract/accounts'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Caller, Context } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import { nameTries, noPassword } from '../../accounts/index.ts'
import type { SignInProvidersDeps } from '../context.ts'
import type { DirectoryIds } from '../provisioning/directory-id-store.ts'
import type { SavedLdap } from './config.ts'
import type { DirectoryPerson } from './rules.ts'

type Visit = Context<Caller | null>
export interface AccountSync {
  /** The account of a person who showed that they are it. Refuses where there is none, and none may be made. */
  syncAccount(person: DirectoryPerson, settings: SavedLdap, context: Visit): Promise<User>
  /** Links an account to a person; `how` it came to that is written to the audit. */
  link(accountId: string, person: DirectoryPerson, context: Visit, how: string): Promise<void>
}
/** So many names at most: more people whose names look alike are in no directory. */
const namesTried = 10

type Deps = Pick<SignInProvidersDeps, 'accounts' | 'groups' | 'clock' | 'audit' | 'vault' | 'log'> & {
  readonly ids: DirectoryIds
}

export const createAccountSync = (deps: Deps): AccountSync => {
  const { accounts, clock, audit, vault, ids, groups, log } = deps
  const { store } = accounts

  const link = async (accountId: string, { subject }: DirectoryPerson, context: Visit, how: string): Promise<void> => {
    await ids.link('ldap', accountId, { subject, attributes: null }, clock.now())
    await audit.record({
      ...actorOf(context),
      action: 'auth.identity.link',
      target: { type: 'account', id: accountId },
      details: { source: 'ldap', how },
    })
  }

  /** The account that SCIM made for this very person, where nobody could show a password for it. */
  const provisioned = async ({ subject }: DirectoryPerson): Promise<string | null> => {
    const accountId = await ids.find('scim', subject)
    return accountId && (await store.credential(accountId)) === noPassword ? accountId : null
  }

  /** Refuses with `username_taken` when the name belongs to somebody else. An address that does is left out. */
  const make = async (username: string, status: 'pending' | 'active', email: string | null): Promise<User> => {
    const id = clock.id()
    const account = { id, username, email, credential: noPassword, now: clock.now() }
    try {
      return await store.insert(account, () => ({ role: 'user', status }))
    } catch (error) {
      // The data key was made before the account turned out to be one too many.
      await vault.removeKeys(id)
      if (isRefusal(error) && error.code === 'email_taken') return await make(username, status, null)
      throw error
    }
  }

  const makeAndLink = async (person: DirectoryPerson, settings: SavedLdap, context: Visit): Promise<string> => {
    if (settings.signUp === 'off') throw fail('signup_closed')
    for (const username of nameTries(person.username, namesTried)) {
      try {
        const user = await make(username, settings.signUp, person.email)
        await link(user.id, person, context, 'sign-up')
        const target = { type: 'account', id: user.id }
        await audit.record({ ...actorOf(context), action: 'auth.signup', target, details: { source: 'ldap' } })
        return user.id
      } catch (error) {
        if (!isRefusal(error) || error.code !== 'username_taken') throw error
        // The directory has two people whose names look alike, as it may: the later one gets a number here.
        if (!(await store.isNameTaken(username))) continue
        // Made a moment ago, by the same person in another window; or it is somebody else's.
        const known = await patiently(() => ids.find('ldap', person.subject))
        if (known) return known
        if (username === person.username) throw fail('directory_link_needed')
      }
    }
    throw fail('directory_link_needed')
  }

  /** What the directory says wins; a name or address that somebody else has stays as it is. */
  const updateFields = async (user: User, person: DirectoryPerson): Promise<string[]> => {
    const changed: string[] = []
    const { username, displayName, email } = person
    for (const change of [{ username }, { displayName }, { email }]) {
      const [[name, value] = []] = Object.entries(change)
      if (!name || value === user[name as keyof User] || (name === 'email' && value === null)) continue
      try {
        await store.update(user.id, change, clock.now())
        changed.push(name)
      } catch (error) {
        if (!isRefusal(error)) throw error
        log.warn('a field of the directory could not be taken over', {
          accountId: user.id,
          field: name,
          reason: error.code,
        })
      }
    }
    return changed
  }

  const updateGroups = async (accountId: string, wanted: readonly string[]): Promise<number> => {
    const groupIds: string[] = []
    for (const name of wanted) {
      const shown = name.slice(0, 80)
      const known = (await groups.findByName(shown)) ?? (await groups.add(shown))
      groupIds.push(known.id)
    }
    const { added, removed } = await groups.setGroups(accountId, 'ldap', groupIds)
    return added.length + removed.length
  }

  return {
    link,
    async syncAccount(person, settings, context) {
      let accountId = await ids.find('ldap', person.subject)
      if (!accountId) {
        accountId = await provisioned(person)
        if (accountId) await link(accountId, person, context, 'scim')
        else accountId = await makeAndLink(person, settings, context)
      }
      const user = await store.user(accountId)
      if (!user) throw fail('wrong_credentials')
      const fields = await updateFields(user, person)
      const groupCount = settings.groups.filter === '' ? 0 : await updateGroups(accountId, person.groups)
      const roleChanged =
        person.role !== null && (await accounts.syncRole(accountId, person.role, { source: 'ldap' }, actorOf(context)))
      await ids.seen('ldap', accountId, clock.now())
      if (fields.length + groupCount > 0 || roleChanged) {
        await audit.record({
          ...actorOf(context),
          action: 'auth.identity.sync',
          target: { type: 'account', id: accountId },
          details: { source: 'ldap', fields, groups: groupCount, role: roleChanged },
        })
        await accounts.publishRevocation(accountId, [])
      }
      return (await store.user(accountId)) ?? user
    },
  }
}

/** Some tries, as whoever is first needs a moment between two writes. */
const patiently = async <T>(look: () => Promise<T | null>): Promise<T | null> => {
  for (let left = 10; left > 0; left--) {
    const found = await look()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return null
}
