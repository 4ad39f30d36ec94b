/** Signing in with a directory, and what administrators and people set about it. */
import type { User } from '@atrium/contract/accounts'
import type { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import type { LdapTrial } from '@atrium/contract/sign-in-providers'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { noPassword } from '../../accounts/index.ts'
import type { SignInProvidersDeps } from '../context.ts'
import type { DirectoryIds } from '../provisioning/directory-id-store.ts'
import { isSameLine, presentLdap, requireSoundLdap, type SavedLdap, settingsOf } from './config.ts'
import { createDirectoryClient, DirectoryFailure } from './directory.ts'
import { personOf } from './rules.ts'
import type { AccountSync } from './sync-account.ts'
import { testDirectory } from './trial.ts'

type Names =
  | 'ldap'
  | 'updateLdap'
  | 'testLdap'
  | 'ldapLink'
  | 'linkLdap'
  | 'unlinkLdap'
  | 'linkLdapAccount'
  | 'unlinkLdapAccount'
type Visit = Context<Caller | null>

export interface LdapSettingsStore {
  read(): Promise<SavedLdap>
  change(change: (before: SavedLdap) => SavedLdap): Promise<SavedLdap>
}

export interface LdapSignIn {
  /**
   * Signs in with the directory where the password here was not the right one. `account`: who has this name here; one
   * with a password of its own and no link is not looked for there, though it takes as long. null: not right there
   * either. Refuses with `directory_unreachable`, and tells those who were right there why they may not come in.
   */
  signIn(
    login: { readonly username: string; readonly password: string },
    account: { readonly id: string; readonly phc: string } | null,
    context: Visit,
  ): Promise<User | null>
  readonly handlers: Pick<Handlers<typeof signInProvidersRoutes>, Names>
}

export const createLdap = (
  deps: Pick<SignInProvidersDeps, 'accounts' | 'audit' | 'log'> & {
    readonly settings: LdapSettingsStore
    readonly ids: DirectoryIds
    readonly accountSync: AccountSync
  },
): LdapSignIn => {
  const { accounts, audit, log, ids, accountSync } = deps
  const { store } = accounts

  /** Asks the directory; that it is not there is said in one way, whoever is asked for. */
  const ask = async <R>(
    settings: SavedLdap,
    question: (directory: ReturnType<typeof createDirectoryClient>) => Promise<R>,
  ) => {
    try {
      return await question(createDirectoryClient(settings))
    } catch (error) {
      if (!(error instanceof DirectoryFailure)) throw error
      log.warn('the directory did not answer', { step: error.step, reason: error.message })
      throw fail('directory_unreachable')
    }
  }
  const requireEnabled = async (): Promise<SavedLdap> => {
    const settings = await deps.settings.read()
    if (!settings.enabled) throw fail('directory_setting', 'Directory sign-in is off.')
    return settings
  }
  const find = async (settings: SavedLdap, name: string, password: string | null) => {
    const found = await ask(settings, (directory) => directory.find(name, password))
    if (!found) return null
    const read = personOf(settings, found.entry, found.groups)
    if ('lacking' in read) {
      log.warn('an entry of the directory lacks an attribute', { attribute: read.lacking })
      throw fail('directory_entry_incomplete')
    }
    return read.person
  }
  const unlink = async (accountId: string, context: Context): Promise<void> => {
    if (!(await ids.unlink('ldap', accountId))) return
    await audit.record({
      ...actorOf(context),
      action: 'auth.identity.unlink',
      target: { type: 'account', id: accountId },
      details: { source: 'ldap' },
    })
  }
  const requireUser = async (id: string): Promise<User> => {
    const user = await store.user(id)
    if (!user) throw fail('user_not_found')
    return user
  }

  return {
    async signIn({ username, password }, account, context) {
      const settings = await deps.settings.read()
      if (!settings.enabled) return null
      const isOnlyLocal = account !== null && account.phc !== noPassword && !(await ids.of('ldap', account.id))
      if (isOnlyLocal) {
        await ask(settings, (directory) => directory.pretend(username))
        return null
      }
      const person = await find(settings, username, password)
      return person && (await accountSync.syncAccount(person, settings, context))
    },

    handlers: {
      ldap: async () => presentLdap(await deps.settings.read()),

      async updateLdap({ body }, context) {
        let fields: string[] = []
        const saved = await deps.settings.change((before) => {
          // A password that was said to one server is not told to another.
          const after = settingsOf(body, before, before.url === body.url)
          requireSoundLdap(after)
          fields = Object.keys(after).filter(
            (name) =>
              JSON.stringify(after[name as keyof SavedLdap]) !== JSON.stringify(before[name as keyof SavedLdap]),
          )
          return after
        })
        await audit.record({ ...actorOf(context), action: 'setting.change', details: { setting: 'ldap', fields } })
        return presentLdap(saved)
      },

      async testLdap({ body: { settings: draft, ...login } }): Promise<LdapTrial> {
        const saved = await deps.settings.read()
        // Nothing here is written down or asks who is there, so the saved password goes only where it went before.
        const settings = draft ? settingsOf(draft, saved, isSameLine(draft, saved)) : saved
        requireSoundLdap({ ...settings, enabled: true })
        return await testDirectory(settings, login, {
          accountOf: (subject) => ids.find('ldap', subject),
          isTaken: async (name) => (await store.findByLogin(name)) !== null,
        })
      },

      async ldapLink(_, { caller }) {
        const [settings, known, phc] = await Promise.all([
          deps.settings.read(),
          ids.of('ldap', caller.accountId),
          store.credential(caller.accountId),
        ])
        return { enabled: settings.enabled, linked: known !== null, hasPassword: phc !== noPassword }
      },

      async linkLdap({ body }, context) {
        const { accountId } = context.caller
        const settings = await requireEnabled()
        if (
          !(await accounts.checkOwnPassword(
            context.caller.sessionId,
            body.currentPassword,
            await store.credential(accountId),
          ))
        )
          throw fail('wrong_password')
        const person = await find(settings, body.username, body.password)
        if (!person) throw fail('wrong_credentials')
        await accountSync.link(accountId, person, context, 'proof')
        return {}
      },

      async unlinkLdap(_, context) {
        const { accountId } = context.caller
        if ((await store.credential(accountId)) === noPassword) throw fail('last_way_in')
        await unlink(accountId, context)
        return {}
      },

      async linkLdapAccount({ params, body }, context) {
        await requireUser(params.id)
        const settings = await requireEnabled()
        const person = await find(settings, body.username, null)
        if (!person) throw fail('directory_entry_not_found')
        await accountSync.link(params.id, person, context, 'administrator')
        return {}
      },

      async unlinkLdapAccount({ params }, context) {
        await requireUser(params.id)
        await unlink(params.id, context)
        return {}
      },
    },
  }
}
