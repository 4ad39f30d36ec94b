/**
 * Who is asking: accounts, their groups, sign-in, sessions and API tokens. The first account becomes administrator; later ones wait for approval.
 * It keeps no password and no token, only hashes of them, and it never says whether a name or a password was wrong.
 */
import { authentication, type User } from '@atrium/contract/authentication'
import { type Area, defineArea } from '../../platform/http/area.ts'
import { notifyOnRemoval } from './notices/notify-removal.ts'
import { createAccountAdministration } from './people/administration.ts'
import { createAccountNames } from './people/account-names.ts'
import { createPeople } from './people/index.ts'
import { codeMeans, ldapMeans, passkeyMeans } from './people/sign-in-methods.ts'
import { createRevocations } from './sessions/revocations.ts'
import { createOAuth, externalMeans } from '../sign-in-providers/oauth/index.ts'
import { createGroupStore } from '../groups/store.ts'
import { createGroups } from '../groups/groups.ts'
import { createGroupSources } from '../groups/membership-sources.ts'
import { wireLdap } from '../sign-in-providers/ldap/index.ts'
import { createOneTimeLinks } from './one-time-links/index.ts'
import { createPasswords } from './password/hashing.ts'
import { profileHandlers } from './people/profile.ts'
import { encryptionKeyHandlers } from './encryption-key/encryption-key.ts'
import { passkeyHandlers } from './passkeys/routes.ts'
import { createPasskeyStore } from './passkeys/store.ts'
import { createSecondFactorPolicy } from './second-factor/policy.ts'
import { secondFactorHandlers } from './second-factor/routes.ts'
import { createSecondFactor } from './second-factor/second-factor.ts'
import { createSecondFactorStore } from './second-factor/store.ts'
import { createDirectoryIds } from '../sign-in-providers/provisioning/directory-ids.ts'
import { createProvisioning, directoryManager } from '../sign-in-providers/provisioning/provisioning.ts'
import { createSessionPolicy } from './sessions/policy.ts'
import { sessionHandlers } from './sessions/routes.ts'
import { createSessionStore } from './sessions/store.ts'
import { createPermissionEvents } from './sessions/permission-events.ts'
import { createSessions } from './sessions/sessions.ts'
import { createLockout } from './lockout/lockout.ts'
import { createKnownDevices } from './sign-in/known-devices.ts'
import { addressInUseJobs } from './sign-in/notify-address-in-use.ts'
import { lockoutNoticeJobs } from './lockout/notify-lockout.ts'
import { createSessionStarter } from './sign-in/start-session.ts'
import { createOwnOrigins } from './sign-in/own-origins.ts'
import { signInHandlers } from './sign-in/sign-in.ts'
import { createAccountStore } from './people/store.ts'
import { accountMigrations } from './tables.ts'
import { createTicketStore } from './tickets/store.ts'
import { createSocketTickets, ticketHandlers } from './tickets/tickets.ts'
import { apiTokenHandlers } from '../api-tokens/routes.ts'
import { createApiTokenStore } from '../api-tokens/store.ts'
import { createApiTokens } from '../api-tokens/tokens.ts'
import type { AccountDeps, AccountContext, RemovalHook } from './types.ts'

export { type AccountTables, accountMigrations } from './tables.ts'
export type { EnvironmentProvider, OAuthOptions } from '../sign-in-providers/oauth/index.ts'
export type { PasswordCosts } from './password/hashing.ts'
export type { AccountDeps } from './types.ts'
export { sessionCookie } from './sign-in/start-session.ts'

export const createAccounts = (deps: AccountDeps) => {
  const passwords = createPasswords(deps.passwordCosts)
  const lockout = createLockout({ ...deps, passwords })
  const devices = createKnownDevices(deps)
  const revocations = createRevocations(deps)
  const permissionEvents = createPermissionEvents(deps)
  const removed = new Set<RemovalHook>()
  const groupStore = createGroupStore(deps)
  const directoryIds = createDirectoryIds(deps)
  const people = createPeople({
    ...deps,
    accounts: createAccountStore(deps),
    groupStore,
    revocations,
    removed,
    means: [passkeyMeans(deps), codeMeans(deps), externalMeans(deps), ldapMeans(directoryIds)],
    keepers: [directoryManager(directoryIds)],
  })
  const { store } = people
  const sessionList = createSessionStore(deps)
  const policy = createSessionPolicy({
    ...deps,
    sessionDays: deps.sessionDays,
    sessionIdleHours: deps.sessionIdleHours,
  })
  const sessions = createSessions({ ...deps, revocations, policy, store: sessionList })
  const tickets = createSocketTickets({ ...deps, sessions, store: createTicketStore(deps) })
  const passkeyList = createPasskeyStore(deps)
  const tokenList = createApiTokenStore(deps)
  const tokens = createApiTokens({ ...deps, revocations, store: tokenList })
  const groups = createGroups({
    ...deps,
    store: groupStore,
    sources: createGroupSources(deps),
    accounts: store,
  })
  const secondFactorPolicy = createSecondFactorPolicy({ ...deps, pinned: deps.mfaRequiredMode })
  const secondFactor = createSecondFactor({
    ...deps,
    passwords,
    lockout,
    accounts: store,
    policy: secondFactorPolicy,
    store: createSecondFactorStore({ ...deps, lockout }),
    passkeys: passkeyList.listUsable,
  })
  const ownOrigins = createOwnOrigins(deps)
  const sessionStarter = createSessionStarter({ ...deps, sessions, secondFactor, devices, ownOrigins })
  const ldap = wireLdap({ ...deps, lockout, store, revocations, groups, people, ids: directoryIds })
  const parts: AccountContext = {
    ...deps,
    passwords,
    lockout,
    devices,
    passkeyList,
    tickets,

    store,
    sessions,
    sessionList,
    policy,
    tokens,
    tokenList,
    revocations,
    sessionStarter,
    ownOrigins,
    ldap,
    removed,
    people,
    secondFactor,
    requireProof: secondFactor.requireProof,
    secondFactorPolicy,
  }
  const directory = createAccountNames(deps)
  const external = createOAuth(parts, groups)
  const oneTimeLinks = createOneTimeLinks({ ...parts, groups, directory })
  const area: Area = defineArea({
    name: 'authentication',
    routes: authentication,
    handlers: {
      ...signInHandlers(parts, external.logoutAddress),
      ...external.handlers,
      ...profileHandlers(parts, oneTimeLinks),
      ...oneTimeLinks.handlers,
      ...sessionHandlers(parts),
      ...passkeyHandlers(parts),
      ...ticketHandlers(parts),
      ...encryptionKeyHandlers(parts),
      ...secondFactorHandlers(parts),
      ...apiTokenHandlers(parts),
      ...ldap.handlers,
    },
    jobs: {
      ...oneTimeLinks.jobs,
      ...lockoutNoticeJobs(oneTimeLinks.notices),
      ...addressInUseJobs({ ...deps, notices: oneTimeLinks.notices }),
    },
    migrations: accountMigrations,
  })

  return {
    area,
    /**
     * Who holds a session's token: null for nobody. Throws `account_pending` or `account_disabled` for someone known who
     * may not come in. Answers from memory for up to five seconds, but never past a revocation.
     */
    authenticate: sessions.authenticate,
    /** The same for an API token. Both kinds have a prefix of their own, so either can be asked about any text. */
    authenticateToken: tokens.authenticate,
    /** Calls `ended` once when the session or token is revoked or over; gives the function that stops watching. */
    watchSession: revocations.watch,
    /** Whom a ticket for a WebSocket stands for; null for nobody. */
    redeemTicket: tickets.redeem,
    /** Grows with everything that ends for a caller, and with every change of what somebody may do. */
    revocationCount: () => revocations.count,
    /** Calls `changed` each time when what the account may do with things of others changes; gives the function that stops it. */
    watchRights: permissionEvents.watch,
    /** Has streams and sockets of these accounts show their right again, in every process. */
    interrupt: permissionEvents.publish,
    /** Calls `changed` in every process with an account whose standing, sessions or tokens changed; null: anybody's may have. */
    onStandingChanged: revocations.onAccountChanged,
    /** Tells of every revoked session and token; gives the function that stops it. */
    onSessionEnded: revocations.onEnded,
    /** The account, or null. */
    user: (accountId: string): Promise<User | null> => store.user(accountId),
    /** Takes somebody's one-time codes away (passkeys stay), so that others can be set up at the next sign-in. */
    async resetSecondFactor(...who: Parameters<typeof secondFactor.reset>) {
      await secondFactor.reset(...who)
      await oneTimeLinks.notices(who[0], 'codes-reset')
    },
    /** Before a dangerous act: see the second factor. */
    requireProof: secondFactor.requireProof,
    /** Of routes that ask for a fresh proof: that the caller's session has one. */
    requireFresh: secondFactor.requireFresh,
    /** What its owner calls an API token, and whose it is; null when there is none, or it is revoked. */
    token: tokenList.owner,
    hasUsers: () => store.hasAccounts(),
    /** Before visitors come: what accounts of earlier versions lack. */
    begin: () => store.fillSkeletons(deps.log),
    /** Adds a hook for the removal of accounts; gives the function that takes it off. */
    onAccountRemoved(hook: RemovalHook): () => void {
      removed.add(hook)
      return () => void removed.delete(hook)
    },
    /** For tools and tests: makes an account of any standing, past sign-up and its rules. */
    async createAccount(account: {
      username: string
      password: string
      email?: string
      role?: User['role']
      status?: User['status']
    }): Promise<User> {
      const { username, password, email = null, role = 'user', status = 'active' } = account
      const credential = await passwords.hash(password)
      return await store.insert({ id: deps.clock.id(), username, email, credential, now: deps.clock.now() }, () => ({
        role,
        status,
      }))
    },
    /** Accounts as a directory that keeps them finds and changes them. */
    provisioning: createProvisioning({ ...deps, ids: directoryIds, store }),
    /** What administrators do to accounts. */
    administration: createAccountAdministration({ ...parts, notices: oneTimeLinks.notices }),
    /** How much there is of an account beside what it has: where it is signed in, its tokens, its groups. */
    countOf: people.userList.countOf,
    /** The end of accounts, in steps that can be taken again. */
    removals: notifyOnRemoval(parts, people.removals),
    /** Accounts under one name, and who is in which. */
    groups,
    /** What sources of memberships are called that are providers. */
    sourceNames: external.sourceNames,
    /** Names of accounts for those who share something. */
    directory,
    /** Invitations, and links for new passwords, as administrators hand them out. */
    handedLinks: oneTimeLinks.handed,
    /** Tells owners by mail of changes to their account. */
    notices: oneTimeLinks.notices,
    close() {
      revocations.close()
      permissionEvents.close()
      groups.close()
    },
  }
}
export type Accounts = ReturnType<typeof createAccounts>
