/** The environment, read once, in one place. Whatever is wrong with it is told as a whole list. */
import { join, resolve } from 'node:path'
import { accountSettings } from '../core/accounts/index.ts'
import type { logLevels } from '../platform/log/log.ts'
import { type Environment, type VariableReader, createVariableReader, problemsIn } from '../platform/settings/index.ts'
import { environmentVariables } from './environment.ts'
import { processVariables } from './process-variables.ts'

/** Thrown with one line for each variable that cannot be used. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Reads variables by name; empty ones count as absent. Throws ConfigError. Absent settings are `undefined`. */
export const configFromEnv = (given: Environment): Config => {
  const environment = withOwnNames(given)
  const problems = [...problemsIn(environment, environmentVariables), ...contradictionsIn(environment)]
  if (problems.length > 0) throw new ConfigError(problems)
  const readVariable = createVariableReader(environment)
  return {
    port: readVariable(processVariables.PORT) ?? 3001,
    host: readVariable(processVariables.HOST) ?? '127.0.0.1',
    baseUrl: readVariable(processVariables.BASE_URL),
    dataDir: readVariable(processVariables.DATA_DIR) ?? resolve('data'),
    databaseUrl: readVariable(processVariables.DATABASE_URL),
    databasePoolSize: readVariable(processVariables.DATABASE_POOL_SIZE) ?? 10,
    keptFreeBytes: readVariable(processVariables.STORAGE_KEPT_FREE_BYTES) ?? 256 * 2 ** 20,
    encryptionKey: readVariable(processVariables.ENCRYPTION_KEY),
    previousEncryptionKey: readVariable(processVariables.ENCRYPTION_KEY_PREVIOUS),
    trustProxy: readVariable(processVariables.TRUST_PROXY) ?? 0,
    logLevel: readVariable(processVariables.LOG_LEVEL),
    drainMs: (readVariable(processVariables.DRAIN_SECONDS) ?? 25) * 1000,
    metricsToken: readVariable(processVariables.METRICS_TOKEN),
    variableNames: Object.keys(environment),
    readVariable,
    environmentKey: (name) =>
      environment[name]?.trim() && Object.hasOwn(environment, name) ? environment[name] : undefined,
  }
}

/** Names that are usual elsewhere, and ours. */
const usualNames = { SMTP_USER: 'SMTP_USERNAME', STT_ACCESS_MODE: 'VOICE_INPUT' } as const

/** What is set by a name that is usual elsewhere counts where our own name is not set. */
const withOwnNames = (environment: Environment): Environment => {
  const own = { ...environment }
  for (const [usual, name] of Object.entries(usualNames)) {
    if (!own[usual]?.trim() || own[name]?.trim()) continue
    own[name] = own[usual]
    delete own[usual]
  }
  return own
}

/** The configuration of this process. */
export const readConfig = (): Config => configFromEnv(process.env)

/** Browsers make passkeys for the host that they are at, or a domain above it, and for nothing else. */
const contradictionsIn = (environment: Environment): string[] => {
  const { WEBAUTHN_RP_ID } = accountSettings
  if (problemsIn(environment, [WEBAUTHN_RP_ID]).length > 0) return []
  const host = URL.parse(environment['BASE_URL']?.trim() ?? '')?.hostname
  const name = createVariableReader(environment)(WEBAUTHN_RP_ID)
  if (host === undefined || name === undefined || `.${host}`.endsWith(`.${name}`)) return []
  return ['WEBAUTHN_RP_ID: must be the host of BASE_URL, or a domain above it']
}

export interface Config {
  readonly port: number
  readonly host: string
  readonly baseUrl: URL | undefined
  /** Absolute. */
  readonly dataDir: string
  /** So much of the disk is kept free of files, with SQLite. */
  readonly keptFreeBytes: number
  readonly databaseUrl: string | undefined
  /** Connections of this process to PostgreSQL, beside the one that listens. */
  readonly databasePoolSize: number
  readonly encryptionKey: string | undefined
  /** While the key is replaced: the one before. */
  readonly previousEncryptionKey: string | undefined
  readonly trustProxy: number | readonly string[]
  /** Unset: chosen by where the log goes. */
  readonly logLevel: (typeof logLevels)[number] | undefined
  /** How long running answers may go on at the end. */
  readonly drainMs: number
  readonly metricsToken: string | undefined
  /** Of all variables that are set, whoever reads them. */
  readonly variableNames: readonly string[]
  /** The variables that areas declare; a function, so that no value is printed with the rest. */
  readonly readVariable: VariableReader
  /** A key that the operator keeps in the environment; a function for the same reason. */
  readonly environmentKey: (name: string) => string | undefined
}

/** What `loadInstanceKey` wants to know. */
export const keyOptionsOf = ({ encryptionKey, previousEncryptionKey, dataDir }: Config) => ({
  value: encryptionKey,
  previousValue: previousEncryptionKey,
  dataDir,
})

/** Where things lie below the data folder. */
export const dataPathsIn = (dataDir: string) => ({
  database: join(dataDir, 'atrium.db'),
  snapshots: join(dataDir, 'snapshots'),
  files: join(dataDir, 'files'),
  /** Say that a database was made here: see `data-folder.ts`. */
  markers: { sqlite: join(dataDir, 'atrium.marker'), postgres: join(dataDir, 'postgres.marker') },
})

export type DataPaths = ReturnType<typeof dataPathsIn>
