/** What areas get of the process that no setting says. */
import type { OptionsOf } from '../platform/areas/compose.ts'
import type { ClockReadings } from '../platform/outbound/clock-readings.ts'
import type { Log } from '../platform/log/log.ts'
import type { Processes } from '../platform/processes/index.ts'
import type { Overrides } from './app.ts'
import { type areas, migrations, sealed } from './areas.ts'
import { readinessChecks } from './checks.ts'
import type { Config } from './config.ts'
import { environmentVariables } from './environment.ts'
import { createInterface } from './interface.ts'
import { createFirstRestorer } from './recovery/first-restorer.ts'
import type { Storage } from './storage.ts'

export const optionsOf = (
  config: Config,
  {
    lookEveryMs,
    passwordCosts,
    recentLines,
    restored,
  }: Pick<Overrides, 'lookEveryMs' | 'passwordCosts' | 'restored'> & Required<Pick<Overrides, 'recentLines'>>,
  {
    backupSource,
    clocks,
    database,
    log,
    processes,
  }: Pick<Storage, 'backupSource' | 'database'> & {
    readonly log: Log
    readonly clocks: ClockReadings
    readonly processes: Processes
  },
): OptionsOf<typeof areas> => ({
  accounts: { passwordCosts },
  connections: { environmentKey: config.environmentKey },
  'agent-cli': { dataDir: config.dataDir, variable: config.environmentKey },
  'durable-jobs': { processes },
  system: { openApi: createInterface() },
  'system-diagnostics': {
    baseUrl: config.baseUrl,
    checks: readinessChecks(database, config.dataDir),
    dataDir: config.dataDir,
    processes,
    recentLines,
  },
  'recovery-backup': {
    dataDir: config.dataDir,
    migrations,
    sealed,
    source: backupSource,
    firstRestorer: restored
      ? createFirstRestorer({ config, database, instanceKey: backupSource.instanceKey, log, restored })
      : null,
  },
  doctor: {
    baseUrl: config.baseUrl,
    trustProxy: config.trustProxy,
    dataDir: config.dataDir,
    clocks,
    processes,
    lookEveryMs,
    variables: { names: config.variableNames, known: environmentVariables.map(({ name }) => name) },
  },
})
