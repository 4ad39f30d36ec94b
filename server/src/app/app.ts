/** The whole house on one page: the ground, the floors above it in order, and the door. */
import type { LimitName } from '@atrium/contract/route'
import type { AccountEvent } from '@atrium/contract/system'
import { createAccounts } from '../core/accounts/index.ts'
import { createSettings } from '../core/settings/index.ts'
import { systemArea } from '../features/system/index.ts'
import { userAdministration } from '../features/user-administration/index.ts'
import type { Clock } from '../platform/clock.ts'
import { createEventLog } from '../platform/events/event-log.ts'
import { eventMigrations } from '../platform/events/tables.ts'
import type { Area } from '../platform/http/area.ts'
import { type Http, type RateRule, createHttp } from '../platform/http/index.ts'
import { type Log, createLog } from '../platform/log/log.ts'
import { createMetrics } from '../platform/metrics/index.ts'
import { systemClock } from '../platform/system-clock.ts'
import { accountMigrations } from '../core/accounts/index.ts'
import { settingsMigrations } from '../core/settings/index.ts'
import { vaultMigrations } from '../platform/vault/tables.ts'
import { readinessChecks } from './checks.ts'
import type { Config } from './config.ts'
import { createDoors } from './doors.ts'
import { openGround } from './ground.ts'
import { createInterface } from './interface.ts'
import { createPages } from './pages.ts'
import { version } from './version.ts'

/** What tests and tools set otherwise. */
export interface Overrides {
  readonly clock?: Clock
  readonly log?: Log
  readonly limits?: Partial<Record<LimitName, RateRule>>
  /** The built web app; nothing is served for pages without it. */
  readonly staticFolder?: string
  /** Check every event of every stream against the contract. */
  readonly checkEvents?: boolean
}

export interface App {
  /** Begins to serve; gives the address. Throws when the port is taken. */
  listen(): Promise<string>
  /** Ends everything in order; what runs has some seconds. */
  stop(): Promise<void>
  readonly accounts: ReturnType<typeof createAccounts>
}

/** Opens the house. Throws errors whose message is a sentence when it cannot; nothing stays open then. */
export const createApp = async (config: Config, overrides: Overrides = {}): Promise<App> => {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLog({ level: config.logLevel ?? 'info' })

  // The ground
  const migrations = [...vaultMigrations, ...eventMigrations, ...accountMigrations, ...settingsMigrations]
  const { database, vault } = await openGround(config, migrations, { clock, log, version })
  const processId = clock.id()
  await database.holdPresence(processId)
  const events = createEventLog({ database, vault, clock, log: log.child('events'), processId })
  const announce = async (accountId: string, event: AccountEvent): Promise<void> =>
    void (await events.append({ id: `account:${accountId}`, accountId }, event))
  const metrics = config.metricsToken ? await createMetrics({ token: config.metricsToken, prefix: 'atrium_' }) : null

  // Core
  const settings = createSettings({
    ...{ database, vault, clock, announce },
    environment: {
      signupEnabled: config.signupEnabled,
      privateAddresses: config.outboundAllow,
      localRuntimeUrl: config.ollamaBaseUrl,
    },
  })
  const accounts = createAccounts({
    ...{ database, vault, clock, log: log.child('accounts'), version, announce },
    sessionDays: config.sessionDays,
    signupEnabled: settings.signupEnabled,
  })

  // Features
  const areas: Area[] = [
    accounts.area,
    settings.area,
    userAdministration(accounts),
    systemArea({
      ...{ version, events },
      checks: readinessChecks(database, config.dataDir),
      now: () => performance.now(),
      openApi: createInterface(),
    }),
  ]

  // The door
  const http: Http = await createHttp({
    ...{ areas, clock, log: log.child('http') },
    doors: createDoors(accounts),
    watchSession: accounts.watchSession,
    limits: overrides.limits,
    trustProxy: config.trustProxy,
    baseUrl: config.baseUrl,
    pages: createPages(metrics),
    staticFolder: overrides.staticFolder,
    answered: metrics?.answered,
    checkEvents: overrides.checkEvents,
  })
  metrics?.gauge('open_streams', 'Event streams that are open', () => http.openStreams)
  metrics?.gauge('database_bytes', 'Size of the database', () => database.size())

  return {
    accounts,
    listen: () => http.listen(config.host, config.port),
    async stop() {
      await http.stop()
      accounts.close()
      settings.close()
      await events.stop()
      await database.close()
    },
  }
}
