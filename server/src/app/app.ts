/** The whole house on one page: the ground, the floors above it in order, and the door. */
import { networkInterfaces } from 'node:os'
import type { LimitName } from '@atrium/contract/route'
import { type Accounts, createAccounts, type PasswordCosts } from '../core/accounts/index.ts'
import { createApiTokensArea } from '../core/api-tokens/index.ts'
import { createConnections } from '../core/connections/index.ts'
import { createGroupsArea } from '../core/groups/index.ts'
import { createGenerations } from '../core/generation/index.ts'
import { searchArea } from '../core/search/index.ts'
import { createMail } from '../core/mail/index.ts'
import { createSettings } from '../core/settings/index.ts'
import { createSignInProviders } from '../core/sign-in-providers/index.ts'
import { createUsage } from '../core/usage/index.ts'
import { auditArea, auditPruneJob } from '../features/audit/index.ts'
import { createChats, indexJob, purgeJob } from '../features/chat/index.ts'
import { durableJobs } from '../features/durable-jobs/index.ts'
import { createModelSharing, localRuntime } from '../features/local-runtime/index.ts'
import { createPublicApi } from '../features/public-api/index.ts'
import { createScim } from '../features/scim/index.ts'
import { systemArea } from '../features/system/index.ts'
import { userAdministration } from '../features/user-administration/index.ts'
import { createWebSearch } from '../features/web-search/index.ts'
import { createAudit } from '../platform/audit/index.ts'
import type { Clock } from '../platform/clock.ts'
import { createSearchIndexes } from '../platform/db/search/index.ts'
import { createEventLog } from '../platform/events/event-log.ts'
import { createFiles } from '../platform/files/files.ts'
import type { Area } from '../platform/http/area.ts'
import { type RateRule, createHttp } from '../platform/http/index.ts'
import { createHousekeeping } from '../platform/jobs/housekeeping.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { type Log, createLog } from '../platform/log/log.ts'
import { createMetrics } from '../platform/metrics/index.ts'
import { hostAndPort } from '../platform/outbound/destination.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { logUnreadableRows } from '../platform/stored-json.ts'
import { systemClock } from '../platform/system-clock.ts'
import { createLocalRuntime } from '../providers/local-runtime.ts'
import { createRunner } from '../providers/runner.ts'
import { createSignIn } from '../providers/sign-in/index.ts'
import { wireAccess } from './access.ts'
import { authenticationArea } from './authentication.ts'
import { readinessChecks } from './checks.ts'
import { wireAccountData } from './account-data.ts'
import type { Config } from './config.ts'
import { wireDocuments } from './documents.ts'
import { createDoors } from './doors.ts'
import { type Ground, openGround } from './ground.ts'
import { createInterface } from './interface.ts'
import { both, countDropped, meterCalls } from './meter.ts'
import { migrations } from './migrations.ts'
import { accountIds, createNews } from './news.ts'
import { createPages } from './pages.ts'
import { findPrincipals } from './principals.ts'
import { oauthOptions, providerPlaces } from './sign-in-providers.ts'
import { version } from './version.ts'

/** What tests and tools set otherwise. */
export interface Overrides {
  readonly clock?: Clock
  readonly log?: Log
  readonly limits?: Partial<Record<LimitName, RateRule>>
  readonly passwordCosts?: PasswordCosts
  /** The built web app; nothing is served for pages without it. */
  readonly staticFolder?: string | undefined
  /** Check every event of every stream against the contract. */
  readonly checkEvents?: boolean
  /** Between comments that keep quiet streams open. */
  readonly heartbeatMs?: number
}

export interface App {
  /** Begins to serve; gives the address. Throws when the port is taken. */
  listen(): Promise<string>
  /** Ends everything in order; what runs has some seconds. */
  stop(): Promise<void>
  readonly accounts: Accounts
}

/** Chats keep in memory what there is to look in. */
const aboutDocuments: ReadonlySet<string> = new Set(['document-changed', 'document-removed', 'collections-changed'])

/** Opens the house. Throws errors whose message is a sentence when it cannot; nothing stays open then. */
export const createApp = async (config: Config, overrides: Overrides = {}): Promise<App> => {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLog({ level: config.logLevel ?? 'info' })
  logUnreadableRows(log.child('rows'))
  const ground = await openGround(config, migrations, { clock, log, version })
  try {
    return await build(config, overrides, { ...ground, clock, log })
  } catch (error) {
    await ground.database.close()
    throw error
  }
}

const build = async (
  config: Config,
  overrides: Overrides,
  ground: Ground & { clock: Clock; log: Log },
): Promise<App> => {
  const { database, vault, clock, log } = ground

  // The platform
  const processId = clock.id()
  await database.holdPresence(processId)
  const events = createEventLog({ database, vault, clock, log: log.child('events'), processId })
  const audit = createAudit({ database, vault, clock, log: log.child('audit') })
  const files = createFiles({ database, vault, clock })
  const jobs = createJobs({
    ...{ database, vault, clock, events, log: log.child('jobs'), processId, concurrency: 4 },
    mayRun: async (accountId) => (await accounts.directory.find(accountId)) !== null,
  })
  const metrics = config.metricsToken ? await createMetrics({ token: config.metricsToken, prefix: 'atrium_' }) : null
  const { announce, announceAll } = createNews(
    events,
    () => accountIds(accounts),
    (accountId, { type }) => {
      if (type === 'models-changed') publicApi.forget(accountId)
      if (aboutDocuments.has(type)) chats.documentsChanged(accountId)
    },
  )

  // Core
  const settings = createSettings({
    ...{ database, vault, clock, announce },
    environment: {
      signupEnabled: config.signupEnabled,
      privateAddresses: config.outboundAllow,
      voiceInput: config.voiceInput,
      localRuntimeUrl: config.ollamaBaseUrl,
    },
  })
  const openGate = (also: readonly string[]) =>
    createOutbound({
      allowed:
        also.length === 0
          ? settings.allowedAddresses
          : async () => new Set([...(await settings.allowedAddresses()), ...also]),
      log: log.child('outbound'),
    })
  // Who names the address of an engine or a provider in the environment has allowed it, as with the local runtime.
  const outbound = openGate([
    ...(config.searxngUrl ? [hostAndPort(config.searxngUrl)] : []),
    ...providerPlaces(config.signInProviders),
  ])
  const mail = createMail({
    ...{ database, vault, clock, jobs, log: log.child('mail'), environment: config.mail },
    ...{ document: settings.document, passwordCosts: overrides.passwordCosts },
    user: (accountId) => accounts.user(accountId),
  })
  const accounts: Accounts = createAccounts({
    mail,
    enqueue: jobs.enqueue,
    async languageOf(accountId) {
      const { language } = await settings.preferencesOf(accountId)
      return language === 'system' ? undefined : language
    },
    ...{ database, vault, clock, log: log.child('accounts'), audit, version, announce },
    sessionDays: config.sessionDays,
    sessionIdleHours: config.sessionIdleHours,
    mfaRequiredMode: config.mfaRequiredMode,
    ...{ document: settings.document, passwordCosts: overrides.passwordCosts },
    ...{ instanceKey: ground.instanceKey, webauthnRpId: config.webauthnRpId, baseUrl: config.baseUrl },
    machineAddresses: () =>
      new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))),
    signupEnabled: settings.signupEnabled,
  })
  const groups = createGroupsArea({ database, vault, clock, audit, accounts })
  const signInProviders = createSignInProviders({
    database,
    vault,
    clock,
    log: log.child('sign-in-providers'),
    audit,
    announce,
    document: settings.document,
    baseUrl: config.baseUrl,
    signupEnabled: settings.signupEnabled,
    oauth: oauthOptions(config.signInProviders, { outbound, settings }),
    accounts,
    groups,
  })
  const apiTokens = createApiTokensArea({ database, vault, clock, log: log.child('api-tokens'), audit, accounts })
  const access = wireAccess(
    { database, vault, clock, log: log.child('access'), audit, announce },
    { accounts, groups, settings, mayWebSearch: (accountId) => webSearch.isAllowed(accountId) },
  )
  // Anybody's words can name a picture, so nothing private is ever reached for one.
  const elsewhere = createOutbound({ allowed: () => new Set(), log: log.child('pictures') })
  const runtime = createLocalRuntime(outbound)
  const sharing = createModelSharing({ database, vault, clock, log: log.child('local-runtime') })
  const calls = createUsage({
    ...{ database, clock, processId, log: log.child('usage') },
    findPrincipal: findPrincipals({ accounts, groups, apiTokens }),
    groupsOf: groups.of,
    dropped: metrics ? countDropped(metrics) : undefined,
  })
  const connections = createConnections({
    ...{ database, vault, clock, log: log.child('connections'), audit, announce, announceAll },
    ...{
      outbound,
      openGate,
      runtime,
      runner: createRunner({ outbound, clock, meter: both(calls.meter, metrics && meterCalls(metrics)) }),
      admit: calls.admit,
    },
    allowAddress: settings.allowAddress,
    localRuntimeSettings: async () => (await settings.instance()).localRuntime.value,
    preferences: settings.preferencesOf,
    visibility: sharing.visibility,
    priceOf: calls.priceOf,
    speedOf: calls.speedOf,
    environmentKey: config.environmentKey,
    signIn: createSignIn({ ...config.signIn, outbound, clock, log: log.child('sign-in') }),
    async isAdministrator(accountId) {
      const user = await accounts.user(accountId)
      return user?.role === 'admin' && user.status === 'active'
    },
    ttlMs: config.modelDiscoveryTtlMs,
    retryMs: config.modelDiscoveryRetryMs,
    maxContext: config.ollamaMaxContext,
  })
  const generations = createGenerations({ database, events, clock, log: log.child('generation'), processId })
  const indexes = createSearchIndexes({ database, vault })
  const documents = wireDocuments(
    {
      ...{ database, vault, clock, log: log.child('documents'), files, jobs, indexes, access, announce, elsewhere },
      ownsSession: (accountId, sessionId) => chats.owns(accountId, sessionId),
    },
    { accounts, connections, settings },
  )

  // Features
  const webSearch = createWebSearch({
    ...{ settings, database, clock, elsewhere, searxngUrl: config.searxngUrl, log: log.child('web-search') },
    outbound,
    async roleOf(accountId) {
      const user = await accounts.user(accountId)
      return user?.status === 'active' ? user.role : null
    },
  })
  const chats = createChats({
    ...{ database, vault, clock, log: log.child('chat'), generations, files, announce },
    ...{ elsewhere, documents, texts: indexes.texts, access },
    userName: async (accountId) => (await accounts.directory.names([accountId])).get(accountId) ?? null,
    fullDocumentTokens: config.fullDocumentTokens,
    web: webSearch,
    resolveModel: connections.resolve,
    preferences: settings.preferencesOf,
    modelUsed: settings.rememberModel,
    costOf: ({ providerId, model }, tokens) => calls.costOf(providerId ?? 'local', model, tokens),
  })
  const publicApi = createPublicApi({
    ...{ database, vault, clock, elsewhere },
    listModels: connections.listModels,
    resolveModel: connections.resolve,
    capability: connections.capability,
    capabilityModels: connections.capabilityModels,
  })
  const accountData = wireAccountData(
    { ...{ database, clock, audit, files, jobs, events, announce }, log: log.child('account-data') },
    { accounts, groups, apiTokens, access, chats, documents, settings, calls },
  )
  const scim = createScim({
    groups,
    signInProviders,
    ...{ database, vault, clock, audit, accounts, baseUrl: config.baseUrl, log: log.child('scim') },
  })
  const areas: readonly Area[] = [
    authenticationArea({ accounts, signInProviders, apiTokens }),
    settings.area,
    mail.area,
    connections.area,
    calls.area,
    access.area,
    documents.area,
    chats.area,
    searchArea({
      ...{ finders: [chats.find, documents.find], incomplete: chats.indexIncomplete },
      namesOf: accounts.directory.names,
    }),
    publicApi.area,
    scim.area,
    webSearch.area,
    userAdministration({ audit, accounts, groups, signInProviders, apiTokens }),
    accountData.area,
    durableJobs({ jobs }),
    auditArea({
      ...{ audit, settings, clock, retentionDays: config.auditRetentionDays },
      namesOf: accounts.directory.names,
      groupNamesOf: groups.names,
    }),
    localRuntime({
      ...{ runtime, jobs, sharing, clock, log: log.child('local-runtime'), local: connections.local },
      changed: () => announceAll({ type: 'models-changed', data: {} }),
      maxContext: config.ollamaMaxContext ?? 32_768,
      settings: settings.instance,
      saveSettings: settings.setLocalRuntime,
    }),
    systemArea({
      ...{ version, events },
      checks: readinessChecks(database, config.dataDir),
      now: () => performance.now(),
      openApi: createInterface(),
    }),
  ]

  apiTokens.registerBudgets(calls.tokenBudgets)
  groups.onRemoved(calls.removeGroup)
  accounts.onAccountChanged(jobs.review)

  // The door
  const http = await createHttp({
    ...{ areas, clock, log: log.child('http'), limits: overrides.limits },
    doors: createDoors(accounts, apiTokens),
    provisioners: scim.authenticate,
    authorise: access.authorise,
    requireFresh: accounts.requireFresh,
    audit,
    watchSession: accounts.watchSession,
    watchRights: accounts.watchRights,
    endings: accounts.revocationCount,
    redeem: accounts.redeemTicket,
    trustProxy: config.trustProxy,
    baseUrl: config.baseUrl,
    pages: createPages(metrics),
    staticFolder: overrides.staticFolder,
    answered: metrics?.answered,
    checkEvents: overrides.checkEvents,
    heartbeatMs: overrides.heartbeatMs,
  })
  metrics?.gauge('open_streams', 'Event streams that are open', () => http.openStreams)
  metrics?.gauge('running_generations', 'Answers that are being written', () => generations.liveCount)
  metrics?.gauge('database_bytes', 'Size of the database', () => database.size())

  // What earlier processes left, then work, then visitors
  await accounts.begin()
  await calls.begin()
  await generations.recover()
  await chats.recover()
  const tidy = createHousekeeping({ jobs, events, files, clock })
  await documents.recover()
  jobs.start([...areas.map((area) => area.jobs ?? {}), tidy.handlers])

  return {
    accounts,
    async listen() {
      const address = await http.listen(config.host, config.port)
      await tidy.begin()
      await accountData.begin()
      await access.startExpiry()
      await jobs.every(purgeJob, {}, 24 * 60 * 60_000)
      await jobs.every(auditPruneJob, {}, 24 * 60 * 60_000)
      await jobs.every(indexJob, {}, 10 * 60_000)
      await jobs.enqueue(indexJob, {}, { accountId: null, key: indexJob, keyUntil: 'ended' })
      return address
    },
    async stop() {
      // Requests that wait for an answer end when the answers are stopped, and who follows one is told of its end.
      await http.stop(undefined, async () => {
        await chats.stop()
        await generations.stop()
      })
      await jobs.stop()
      await calls.stop()
      access.close()
      groups.close()
      accounts.close()
      connections.close()
      settings.close()
      sharing.close()
      await Promise.all([outbound.close(), elsewhere.close()])
      await events.stop()
      await audit.stop()
      await database.close()
    },
  }
}
