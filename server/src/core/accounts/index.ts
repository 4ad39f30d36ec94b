/**
 * Who is asking: accounts, their sign-in, sessions and second factors. The first account becomes administrator; later ones
 * wait for approval. It keeps no password and no token, only hashes of them, and it never says whether a name or a
 * password was wrong. Groups, sign-in providers and API tokens are areas that register themselves here (extensions.ts).
 */
import type { User } from '@atrium/contract/accounts'
import type { AccountContext, AccountOptions } from './context.ts'
import { createAvatars } from './avatars/avatars.ts'
import { encryptionKeyHandlers, keyCopyCheck } from './encryption-key/encryption-key.ts'
import { createAccountExtensions } from './extensions.ts'
import { createLockout } from './lockout/lockout.ts'
import { lockoutNoticeJobs } from './lockout/notify-lockout.ts'
import { notifyOnRemoval } from './notices/notify-removal.ts'
import { createOneTimeLinks } from './one-time-links/index.ts'
import { passkeyHandlers } from './passkeys/routes.ts'
import { createPasskeyStore } from './passkeys/store.ts'
import { createPasswordHasher } from './password/hashing.ts'
import { createAccountAdministration } from './people/administration.ts'
import { createPeople } from './people/index.ts'
import { createAccountNames } from './people/name-store.ts'
import { profileHandlers } from './people/profile.ts'
import type { RemovalHook } from './people/removal.ts'
import { createRequireRemainingMethod } from './people/require-remaining-method.ts'
import { createAccountStore } from './people/store.ts'
import { createRoleSync } from './people/sync-role.ts'
import { createSecondFactorPolicy } from './second-factor/policy.ts'
import { secondFactorHandlers } from './second-factor/routes.ts'
import { createSecondFactor } from './second-factor/second-factor.ts'
import { createSecondFactorStore } from './second-factor/store.ts'
import { createPermissionEvents } from './sessions/permission-events.ts'
import { createSessionPolicy } from './sessions/policy.ts'
import { createRevocations } from './sessions/revocations.ts'
import { sessionHandlers } from './sessions/routes.ts'
import { createSessions } from './sessions/sessions.ts'
import { createSessionStore } from './sessions/store.ts'
import { createTokenCache } from './sessions/token-cache.ts'
import { createKnownDevices } from './sign-in/known-devices.ts'
import { addressInUseJobs } from './sign-in/notify-address-in-use.ts'
import { createOwnOrigins } from './sign-in/own-origins.ts'
import { signInHandlers } from './sign-in/sign-in.ts'
import { createSessionStarter } from './sign-in/start-session.ts'
import { createTicketStore } from './tickets/store.ts'
import { ticketHandlers } from './tickets/routes.ts'
import { createSocketTickets } from './tickets/tickets.ts'

export type { AccountOptions } from './context.ts'
export { accountSettings } from './settings.ts'
export type { AccountCredentials, GroupMemberships, GroupName, SignInProvider } from './extensions.ts'
export { noPassword, type PasswordCosts } from './password/hashing.ts'
export { type AuditActor, systemActor } from './audit-actor.ts'
export type { AuthenticatedCaller } from './sessions/sessions.ts'
export { digestOf } from './sessions/token-cache.ts'
export { nameTries, plainName } from './rules.ts'
export { unknownOrigin } from './sign-in/own-origins.ts'
export { statusRefusal } from './sign-in/sign-in.ts'
export { sessionCookie } from './sign-in/start-session.ts'
export { type AccountRow, type AccountTables, accountMigrations, accountSealed } from './tables.ts'

export const createAccounts = (deps: AccountOptions) => {
  const { clock, settings } = deps
  const extensions = createAccountExtensions()
  const passwords = createPasswordHasher(deps.passwordCosts)
  const lockout = createLockout({ ...deps, passwords })
  const devices = createKnownDevices(deps)
  const revocations = createRevocations(deps)
  const permissionEvents = createPermissionEvents(deps)
  const removed = new Set<RemovalHook>()
  const sessionStore = createSessionStore(deps)
  const passkeyStore = createPasskeyStore(deps)
  const secondFactorStore = createSecondFactorStore({ ...deps, lockout })
  const people = createPeople({
    ...deps,
    accounts: createAccountStore(deps),
    extensions,
    sessionStore,
    passkeyStore,
    secondFactorStore,
    revocations,
    removed,
  })
  const { store } = people
  const avatars = createAvatars({ ...deps, accounts: store })
  const policy = createSessionPolicy(settings.sessions)
  const sessions = createSessions({ ...deps, revocations, policy, store: sessionStore })
  const tickets = createSocketTickets({ ...deps, sessions, store: createTicketStore(deps) })
  const secondFactorPolicy = createSecondFactorPolicy(settings.secondFactor)
  const secondFactor = createSecondFactor({
    ...deps,
    lockout,
    accounts: store,
    policy: secondFactorPolicy,
    store: secondFactorStore,
    passkeys: passkeyStore.listUsable,
  })
  const ownOrigins = createOwnOrigins(deps)
  const sessionStarter = createSessionStarter({ ...deps, sessions, sessionStore, secondFactor, devices, ownOrigins })
  const requireRemainingMethod = createRequireRemainingMethod({ store, passkeyStore, extensions })
  const context: AccountContext = {
    ...deps,
    extensions,
    passwords,
    lockout,
    devices,
    passkeyStore,
    requireRemainingMethod,
    tickets,
    store,
    sessions,
    sessionStore,
    policy,
    revocations,
    sessionStarter,
    ownOrigins,
    people,
    openCredentials: people.openCredentials,
    secondFactor,
    requireProof: secondFactor.requireProof,
    secondFactorPolicy,
  }
  const oneTimeLinks = createOneTimeLinks(context)
  const { notices } = oneTimeLinks

  return {
    handlers: {
      ...signInHandlers(context),
      ...profileHandlers(context, oneTimeLinks),
      ...avatars.handlers,
      ...oneTimeLinks.handlers,
      ...sessionHandlers(context),
      ...passkeyHandlers(context),
      ...ticketHandlers(context),
      ...encryptionKeyHandlers(context),
      ...secondFactorHandlers(context),
    },
    jobs: {
      ...oneTimeLinks.jobs,
      ...lockoutNoticeJobs(notices),
      ...addressInUseJobs({ clock, notices }),
    },

    checks: [keyCopyCheck(context)],

    /** Areas above accounts add to them by these. */
    registerSignInProvider: extensions.registerSignInProvider,
    registerGroups: extensions.registerGroups,
    registerCredentials: extensions.registerCredentials,

    /**
     * Who holds a session's token: null for nobody. Throws `account_pending` or `account_disabled` for someone known who
     * may not come in. Answers from memory for up to five seconds, but never past a revocation.
     */
    authenticate: sessions.authenticate,
    /** Remembers for some seconds what tokens of another kind stand for, but never past a revocation. */
    cacheByToken: <S extends { readonly accountId: string }>(read: (digest: string) => Promise<S | null>) =>
      createTokenCache({ clock, revocations, read }),
    /** Calls `ended` once when the session or token is revoked or over; gives the function that stops watching. */
    watchSession: revocations.watch,
    /** Notes when a session or token is over by its time. */
    expiresAt: revocations.expiresAt,
    /** Makes known in every process that an account changed, and that these sessions and tokens of it are over. */
    publishRevocation: revocations.publish,
    /** Whom a ticket for a WebSocket stands for; null for nobody. */
    redeemTicket: tickets.redeem,
    /** Grows with everything that ends for a caller, and with every change of what somebody may do. */
    revocationCount: () => revocations.count,
    /** Calls `changed` each time when what the account may do with things of others changes; gives the function that stops it. */
    watchRights: permissionEvents.watch,
    /** Has streams and sockets of these accounts show their right again, in every process. */
    interrupt: permissionEvents.publish,
    /** Calls `changed` in every process with an account whose status, sessions or tokens changed; null: anybody's may have. */
    onAccountChanged: revocations.onAccountChanged,
    /** Whether a session goes on, by everything that can end one, and its account may come in. */
    isSessionLive: async (sessionId: string): Promise<boolean> => (await sessions.callerOf(sessionId)) !== null,
    /** Tells of every revoked session and token; gives the function that stops it. */
    onSessionEnded: revocations.onEnded,

    /** The account, or null. */
    user: (accountId: string): Promise<User | null> => store.user(accountId),
    /** Accounts as other areas find, make and change them. */
    store,
    /** Sessions as other areas find and end them. */
    sessionStore,
    /** Where sessions begin, whatever was shown for them. */
    challengeOrStart: sessionStarter.challengeOrStart,
    /** Which addresses are this instance's own. */
    ownOrigins,
    /** Compares what somebody who is signed in typed with their password. Refuses with `rate_limited`. */
    checkOwnPassword: lockout.checkOwnPassword,
    /** Sets the role that a provider or a directory tells of an account. */
    syncRole: createRoleSync({ ...deps, ...people, store, revocations }),
    requireRemainingMethod,
    /** Takes somebody's one-time codes away (passkeys stay), so that others can be set up at the next sign-in. */
    async resetSecondFactor(...who: Parameters<typeof secondFactor.reset>) {
      await secondFactor.reset(...who)
      await notices(who[0], 'codes-reset')
    },
    /** Before a dangerous act: see the second factor. */
    requireProof: secondFactor.requireProof,
    /** Of routes that ask for a fresh proof: that the caller's session has one. */
    requireFresh: secondFactor.requireFresh,
    hasUsers: () => store.hasAccounts(),
    /** Before visitors come: what accounts of earlier versions lack. */
    begin: () => store.fillSkeletons(deps.log),
    /** Adds a hook for the removal of accounts; gives the function that takes it off. */
    onAccountRemoved(hook: RemovalHook): () => void {
      removed.add(hook)
      return () => void removed.delete(hook)
    },
    /** For tools and tests: makes an account of any status, past sign-up and its rules. */
    async createAccount(account: {
      username: string
      password: string
      email?: string
      role?: User['role']
      status?: User['status']
    }): Promise<User> {
      const { username, password, email = null, role = 'user', status = 'active' } = account
      const credential = await passwords.hash(password)
      return await store.insert({ id: clock.id(), username, email, credential, now: clock.now() }, () => ({
        role,
        status,
      }))
    },
    /** What administrators do to accounts. */
    administration: createAccountAdministration({ ...context, notices, avatars }),
    /** The picture of an account; null where it has none. */
    avatarOf: avatars.readOf,
    /** How many sessions of an account have not ended. */
    countOf: async (accountId: string) => ({ sessions: await sessionStore.count(accountId) }),
    /** The accounts of administrators that are active. */
    administratorIds: people.userList.administratorIds,
    /** The end of accounts, in steps that can be taken again. */
    removals: notifyOnRemoval(context, people.removals),
    /** Hashes and compares passwords, a few at a time: also those of things that accounts share. */
    passwords,
    /** Names of accounts for those who share something. */
    accountNames: createAccountNames(deps),
    /** Invitations, and links for new passwords, as administrators hand them out. */
    handedLinks: oneTimeLinks.handed,
    /** Tells owners by mail of changes to their account. */
    notices,
    /** Mails about accounts, to whatever address. */
    accountMail: oneTimeLinks.accountMail,
    close() {
      revocations.close()
      permissionEvents.close()
    },
  }
}
export type Accounts = ReturnType<typeof createAccounts>
