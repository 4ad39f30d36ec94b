/** What areas get of the process that no setting says. */
import type { OptionsOf } from '../platform/areas/compose.ts'
import type { Database } from '../platform/db/types.ts'
import type { Metrics } from '../platform/metrics/index.ts'
import type { Processes } from '../platform/processes/index.ts'
import type { Overrides } from './app.ts'
import type { areas } from './areas.ts'
import { readinessChecks } from './checks.ts'
import type { Config } from './config.ts'
import { environmentVariables } from './environment.ts'
import { createInterface } from './interface.ts'
import { countDropped, meterCalls } from './meter.ts'

export const optionsOf = (
  config: Config,
  { passwordCosts }: Overrides,
  {
    database,
    metrics,
    processes,
  }: { readonly database: Database; readonly metrics: Metrics | null; readonly processes: Processes },
): OptionsOf<typeof areas> => ({
  accounts: { passwordCosts },
  usage: { dropped: metrics ? countDropped(metrics) : undefined },
  connections: {
    environmentKey: config.environmentKey,
    meter: metrics && meterCalls(metrics),
  },
  'durable-jobs': { processes },
  system: { openApi: createInterface() },
  'system-diagnostics': {
    checks: readinessChecks(database, config.dataDir),
    dataDir: config.dataDir,
    processes,
  },
  doctor: {
    baseUrl: config.baseUrl,
    trustProxy: config.trustProxy,
    dataDir: config.dataDir,
    variables: { names: config.variableNames, known: environmentVariables.map(({ name }) => name) },
  },
})
