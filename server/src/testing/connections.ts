/** Connections on a real database behind real HTTP, with the accounts `ann` (administrator) and `bob`. */
import type { MeteredCall } from '../providers/metering.ts'
import { randomBytes } from 'node:crypto'
import type { AccountEvent } from '@atrium/contract/system'
import { accountMigrations } from '../core/accounts/index.ts'
import {
  type StartPreferences,
  type Connections,
  type ConnectionsDeps,
  createConnections,
  connectionMigrations,
} from '../core/connections/index.ts'
import { createSettings, type Settings, settingsMigrations, instanceSettings } from '../core/settings/index.ts'
import type { Database, Migration } from '../platform/db/index.ts'
import type { Area } from '../platform/http/area.ts'
import type { Authorise } from '../platform/http/authenticate.ts'
import { createHttp } from '../platform/http/index.ts'
import { auditMigrations, createAudit } from '../platform/audit/index.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import type { Outbound } from '../platform/outbound/types.ts'
import type { Vault } from '../platform/vault/types.ts'
import { openVault } from '../platform/vault/vault.ts'
import { vaultMigrations } from '../platform/vault/tables.ts'
import { createLocalRuntime, type LocalRuntime } from '../providers/local-runtime.ts'
import { createRunner } from '../providers/runner.ts'
import type { Environment, SavedSettings } from '../platform/settings/index.ts'
import { authenticateById } from './authenticate.ts'
import { type Client, createClient } from './client.ts'
import { realClock, testClock, type TestClock } from './clock.ts'
import type { Open } from './databases.ts'
import { savedSettings } from './settings.ts'

export interface ConnectionsHarness {
  readonly ann: Client
  readonly bob: Client
  readonly connections: Connections
  readonly saved: SavedSettings
  readonly settings: Settings
  readonly database: Database
  readonly vault: Vault
  readonly runtime: LocalRuntime
  readonly outbound: Outbound
  readonly clock: TestClock
  readonly metered: MeteredCall[]
  /** Every announcement, as `account type`. */
  readonly told: string[]
  readonly preferred: Map<string, Partial<StartPreferences>>
  close(): Promise<void>
}

export interface ConnectionsHarnessOptions extends Partial<ConnectionsDeps> {
  readonly privateAddresses?: readonly string[]
  readonly localRuntimeUrl?: string
  readonly environment?: Environment
  readonly migrations?: readonly Migration[]
  /** What is asked where a path names a thing. */
  readonly authorise?: Authorise
  /** More areas, made from what stands so far. */
  readonly areas?: (harness: Omit<ConnectionsHarness, 'ann' | 'bob' | 'close'>) => readonly Area[]
}

export const openConnections = async (
  open: Open,
  options: ConnectionsHarnessOptions = {},
): Promise<ConnectionsHarness> => {
  const { privateAddresses, localRuntimeUrl, environment, migrations = [], areas, authorise, ...over } = options
  const database = await open([
    ...vaultMigrations,
    ...accountMigrations,
    ...auditMigrations,
    ...settingsMigrations,
    ...connectionMigrations,
    ...migrations,
  ])
  for (const id of ['ann', 'bob']) await insertAccount(database, id)
  const clock = testClock()
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const log = createLog({ level: 'silent' })
  const told: string[] = []
  const metered: MeteredCall[] = []
  const preferred = new Map<string, Partial<StartPreferences>>()
  const announce = async (accountId: string, event: AccountEvent) => void told.push(`${accountId} ${event.type}`)
  const saved = savedSettings(
    { database, vault, clock },
    Object.defineProperties(
      { OUTBOUND_ALLOW: privateAddresses?.join(), OLLAMA_BASE_URL: localRuntimeUrl },
      Object.getOwnPropertyDescriptors(environment ?? {}),
    ),
  )
  const settings = createSettings({
    database,
    vault,
    clock,
    announce,
    announceAll: (event) => announce('*', event),
    saved,
    ...saved.bind(instanceSettings),
  })
  const openGate = (also: readonly string[]) =>
    createOutbound({ allowed: async () => new Set([...(await settings.allowedAddresses()), ...also]), log })
  const outbound = openGate([])
  const runtime = createLocalRuntime(outbound)
  const runner = createRunner({ outbound, clock: realClock, meter: (call) => void metered.push(call) })
  const connections = createConnections({
    audit: createAudit({ database, vault, clock }),
    database,
    vault,
    clock,
    log,
    outbound,
    runner,
    runtime,
    announce,
    openGate,
    allowAddress: settings.allowAddress,
    localRuntimeSettings: async () => (await settings.instance()).localRuntime.value,
    preferences: async (accountId) => ({ defaultModel: null, recentModels: [], ...preferred.get(accountId) }),
    announceAll: (event) => announce('*', event),
    usualPorts: [],
    ...over,
  })
  const parts = { connections, saved, settings, database, vault, runtime, outbound, clock, metered, told, preferred }
  const http = await createHttp({
    areas: [connections.area, settings.area, ...(areas?.(parts) ?? [])],
    log,
    clock: realClock,
    authenticate: authenticateById(),
    ...(authorise ? { authorise } : {}),
    watchSession: () => () => {},
    checkEvents: true,
  })
  const url = await http.listen('127.0.0.1', 0)
  return {
    ...parts,
    ann: createClient(url, 'ann'),
    bob: createClient(url, 'bob'),
    async close() {
      await http.stop()
      connections.close()
      settings.close()
      await outbound.close()
    },
  }
}

const insertAccount = async (database: Database, id: string): Promise<void> => {
  const bytes = Buffer.from('x')
  await database
    .tables<{ accounts: Record<string, unknown> }>()
    .insertInto('accounts')
    .values({
      id,
      username_index: id,
      username: bytes,
      role: id === 'ann' ? 'admin' : 'user',
      status: 'active',
      credential: bytes,
      created_at: 0,
      updated_at: 0,
    })
    .execute()
}
