/** Opens what every area stands on. */
import { createAudit } from '../platform/audit/index.ts'
import { createSearchIndexes } from '../platform/db/search/index.ts'
import { createAccountEvents } from '../platform/events/account-events.ts'
import { createEventLog } from '../platform/events/event-log.ts'
import { createSignals } from '../platform/events/signals.ts'
import { createFiles } from '../platform/files/files.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { createProcesses } from '../platform/processes/index.ts'
import { createClockReadings } from '../platform/outbound/clock-readings.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { createPause } from '../platform/pause.ts'
import type { Platform } from '../platform/platform.ts'
import { type VariableReader, createSavedSettings } from '../platform/settings/index.ts'
import { createSlot } from '../platform/slot.ts'
import type { Storage } from './storage.ts'
import { version } from './version.ts'

export interface PlatformOptions extends Storage, Pick<Platform, 'clock' | 'log' | 'metrics'> {
  readonly readVariable: VariableReader
  /** Bytes that are free where the database keeps its files; null where that is another machine. */
  readonly freeBytes: () => Promise<number | null>
  /** So much of it is kept free of files. */
  readonly keptFreeBytes: number
  /** Private `host:port` pairs that the environment names; whoever names one there has allowed it. */
  readonly allowed: readonly string[]
}

export const createPlatform = async ({
  database,
  vault,
  instanceKey,
  clock,
  log,
  metrics,
  readVariable,
  freeBytes,
  keptFreeBytes,
  allowed,
}: PlatformOptions) => {
  const processId = clock.id()
  await database.holdPresence(processId)
  const events = createEventLog({ database, vault, clock, log: log.child('events'), processId, metrics })
  const signals = createSignals({ database })
  const audit = createAudit({ database, vault, clock, log: log.child('audit'), metrics })
  /** Filled by accounts: whether an account may have jobs run. */
  const mayRun = createSlot<(accountId: string) => Promise<boolean>>('Who may have jobs run')
  /** Filled by settings: private addresses that administrators allow. */
  const allowedAddresses = createSlot<() => Promise<ReadonlySet<string>>>('Private addresses that are allowed')
  /** Filled by settings: bytes of files that an account may keep. */
  const storageQuota = createSlot<() => Promise<number>>('How much an account may keep')
  const clocks = createClockReadings()
  const openGate = (also: readonly string[]) =>
    createOutbound({
      allowed: async () => {
        const allowed = await allowedAddresses.get()()
        return also.length === 0 ? allowed : new Set([...allowed, ...also])
      },
      log: log.child('outbound'),
      clocks,
    })
  const outbound = openGate(allowed)
  const elsewhere = createOutbound({ allowed: () => new Set(), log: log.child('pictures'), clocks })

  const saved = createSavedSettings({ database, vault, clock, readVariable })
  const pause = createPause(saved)

  return {
    database,
    vault,
    instanceKey,
    clock,
    log,
    metrics,
    processId,
    version,
    saved,
    pause,
    events,
    signals,
    audit,
    files: createFiles({
      database,
      vault,
      clock,
      limits: {
        quotaBytes: () => storageQuota.get()(),
        freeBytes,
        keptFreeBytes,
      },
    }),
    jobs: createJobs({
      database,
      vault,
      clock,
      events,
      log: log.child('jobs'),
      processId,
      concurrency: 4,
      metrics,
      mayRun: (accountId) => mayRun.get()(accountId),
      isPaused: async () => (await pause.since()) !== null,
      moved: () => signals.send('jobs', { type: 'moved', data: {} }),
    }),
    processes: createProcesses({
      database,
      clock,
      log: log.child('processes'),
      processId,
      version,
      keyFingerprint: instanceKey.about.fingerprint,
      previousKeyFingerprint: instanceKey.previous?.about.fingerprint,
    }),
    indexes: createSearchIndexes({ database, vault }),
    accountEvents: createAccountEvents(events),
    clocks,
    outbound,
    openGate,
    elsewhere,
    mayRun,
    allowedAddresses,
    storageQuota,
    async stop(): Promise<void> {
      await Promise.all([outbound.close(), elsewhere.close()])
      await Promise.all([events.stop(), signals.stop()])
      await audit.stop()
      await database.close()
    },
  }
}
