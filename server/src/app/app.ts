/** The whole server: the platform, the areas above it in order, and HTTP. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LimitName } from '@atrium/contract/route'
import type { Accounts, PasswordCosts } from '../core/accounts/index.ts'
import { signInProviderSettings } from '../core/sign-in-providers/index.ts'
import { webSearchSettings } from '../features/web-search/index.ts'
import { compose } from '../platform/areas/compose.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/types.ts'
import { type RateRule, createHttp } from '../platform/http/index.ts'
import { createHousekeeping } from '../platform/jobs/housekeeping.ts'
import { type Log, createLog } from '../platform/log/log.ts'
import { type RecentLines, createRecentLines } from '../platform/log/recent-lines.ts'
import { hostAndPort } from '../platform/outbound/destination.ts'
import type { Platform } from '../platform/platform.ts'
import { describeVariables } from '../platform/settings/index.ts'
import { logUnreadableRows } from '../platform/stored-json.ts'
import { systemClock } from '../platform/system-clock.ts'
import { areas, migrations } from './areas.ts'
import type { Config } from './config.ts'
import { environmentVariables } from './environment.ts'
import { createAuthenticate } from './authenticate.ts'
import { type Storage, openStorage } from './storage.ts'
import { requireKnownKinds } from './job-kinds.ts'
import { activeAccounts } from './active-accounts.ts'
import { openMetrics, recordBuild, recordHttp } from './metrics.ts'
import { createPages } from './pages.ts'
import { createFreeBytesReader } from '../platform/machine/filesystems.ts'
import { createPlatform } from './platform.ts'
import { optionsOf } from './options-of-areas.ts'
import { version } from './version.ts'

/** What tests and tools set otherwise. */
export interface Overrides {
  readonly clock?: Clock
  readonly log?: Log
  /** Where that log keeps its last lines. */
  readonly recentLines?: RecentLines
  readonly limits?: Partial<Record<LimitName, RateRule>>
  readonly passwordCosts?: PasswordCosts
  /** The built web app; nothing is served for pages without it. */
  readonly staticFolder?: string | undefined
  /** Check every event of every stream against the contract. */
  readonly checkEvents?: boolean
  /** Between comments that keep quiet streams open. */
  readonly heartbeatMs?: number
  /** How long it goes on answering at its end, while other processes are there. */
  readonly noticeMs?: number
  /** Called once a backup was restored beside this server, which has no account: it is to end, and begin anew with that. */
  readonly restored?: (() => void) | undefined
  /** Between two looks of the process for what is wrong with itself. */
  readonly lookEveryMs?: number
  /** Given the database once it is open: tests fill it, as a disk does. */
  readonly opened?: (database: Database) => void
}

export interface App {
  /** Begins to serve; gives the address. Throws when the port is taken. */
  listen(): Promise<string>
  /**
   * Ends everything in order. Answers that are being written have as long as the configuration says, or with `now` no
   * time at all; `told` hears how many there are where they are waited for.
   */
  stop(options?: { readonly now?: boolean; readonly told?: (running: number) => void }): Promise<void>
  readonly accounts: Accounts
}

/** Opens the server. Throws errors whose message is a sentence when it cannot; nothing stays open then. */
export const createApp = async (config: Config, overrides: Overrides = {}): Promise<App> => {
  const clock = overrides.clock ?? systemClock
  const recentLines = overrides.recentLines ?? createRecentLines()
  const log = overrides.log ?? createLog({ level: config.logLevel ?? 'info', recent: recentLines })
  logUnreadableRows(log.child('rows'))
  const metrics = config.metricsToken ? await openMetrics(config.metricsToken) : null
  const storage = await openStorage(config, migrations, { clock, log, version, metrics })
  overrides.opened?.(storage.database)
  try {
    return await build(config, { ...overrides, recentLines }, { ...storage, clock, log, metrics })
  } catch (error) {
    await storage.database.close()
    throw error
  }
}

const build = async (
  config: Config,
  overrides: Overrides & Required<Pick<Overrides, 'recentLines'>>,
  storage: Storage & Pick<Platform, 'clock' | 'log' | 'metrics'>,
): Promise<App> => {
  const { clock, log, metrics } = storage
  const figures = metrics && recordHttp(metrics)
  const addresses = [webSearchSettings.SEARXNG_URL, signInProviderSettings.OIDC_ISSUER_URL].map(config.readVariable)
  const platform = await createPlatform({
    ...storage,
    readVariable: config.readVariable,
    freeBytes: config.databaseUrl ? async () => null : createFreeBytesReader(config.dataDir),
    keptFreeBytes: config.keptFreeBytes,
    allowed: addresses.flatMap((address) => (address ? [hostAndPort(address)] : [])),
  })
  const { audit, database, events, files, jobs, processes } = platform
  const composition = compose(
    platform,
    areas,
    optionsOf(config, overrides, { ...platform, backupSource: storage.backupSource }),
  )
  const { access, accounts, doctor, generation, resources, scim, settings, 'api-tokens': apiTokens } = composition.apis
  composition.apis.system.followedStreams.fill(composition.followedStreams)
  const systemDiagnostics = composition.apis['system-diagnostics']
  resources.add(composition.resources)
  composition.apis.tools.addBuiltins(composition.tools)
  for (const area of [doctor, systemDiagnostics]) area.areaChecks.fill(composition.checks)
  systemDiagnostics.configuration.fill(async () => ({
    variables: describeVariables(environmentVariables, config.readVariable),
    settings: await composition.describeSettings(),
  }))

  // What the platform asks of areas
  platform.allowedAddresses.fill(settings.allowedAddresses)
  platform.storageQuota.fill(async () => (await settings.instance()).storageQuotaBytes.value)
  platform.mayRun.fill(async (accountId) => (await accounts.accountNames.find(accountId)) !== null)
  platform.accountEvents.activeAccounts.fill(() => activeAccounts(accounts))
  accounts.onAccountChanged(jobs.review)
  accounts.onAccountRemoved(composition.removeAccount)
  for (const { removeAccount } of [jobs, events, files])
    accounts.onAccountRemoved((accountId) => removeAccount(accountId))

  const http = await createHttp({
    areas: composition.served,
    clock,
    log: log.child('http'),
    limits: overrides.limits,
    sharedRates: {
      processId: platform.processId,
      channel: {
        processes: () => processes.count,
        tell: (message) => database.notify('rates', message),
        listen: (hear) => database.listen('rates', hear),
      },
    },
    authenticate: createAuthenticate(accounts, apiTokens),
    authenticateProvisioner: scim.authenticate,
    authorise: access.authorise,
    requireFresh: accounts.requireFresh,
    audit,
    watchSession: accounts.watchSession,
    watchRights: accounts.watchRights,
    revocationCount: accounts.revocationCount,
    redeem: accounts.redeemTicket,
    trustProxy: config.trustProxy,
    baseUrl: config.baseUrl,
    pages: createPages(metrics),
    staticFolder: overrides.staticFolder,
    answered: figures?.answered,
    limited: figures?.limited,
    checkEvents: overrides.checkEvents,
    heartbeatMs: overrides.heartbeatMs,
    noticeMs: overrides.noticeMs,
  })
  figures?.watch(http)
  if (metrics) recordBuild(metrics, database)

  await processes.start(() => ({ streams: http.openStreams, answers: generation.liveCount }))
  // What earlier processes left, then work, then visitors
  await composition.start()
  const housekeeping = createHousekeeping({ jobs, events, files, clock })
  jobs.start(requireKnownKinds([...composition.jobs, housekeeping.handlers]))

  return {
    accounts,
    async listen() {
      const address = await http.listen(config.host, config.port)
      await housekeeping.begin()
      await composition.listening()
      await processes.enter('ready')
      return address
    },
    async stop({ now = false, told } = {}) {
      // The phase counts at once; the others are told in the time that a database may take that does not answer.
      const left = processes.enter('leaving')
      composition.leave()
      jobs.leave()
      // On another process they follow on; where there is none, they are told the end here.
      http.leave(processes.hasOthers())
      const running = () => Math.max(generation.liveCount, http.waiting)
      await drain(now ? 0 : config.drainMs, running, told)
      // Requests that wait for an answer end when the answers are stopped, and who follows one is told of its end.
      await http.stop(graceMs, composition.drain)
      await jobs.stop()
      await composition.stop()
      await left
      await processes.stop()
      await platform.stop()
    },
  }
}

const lookMs = 25
/** What requests have beyond the time of the configuration. */
const graceMs = 2000

/** Waits until nothing runs, for so long at most. */
const drain = async (ms: number, running: () => number, told?: (running: number) => void): Promise<void> => {
  const since = performance.now()
  if (ms > 0 && running() > 0) told?.(running())
  while (running() > 0 && performance.now() - since < ms) await sleep(lookMs)
}
