/**
 * The doctor: runs the checks of all areas, and judges what clients measured on their way here. It changes nothing, and
 * what it says holds neither content nor secrets.
 */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DoctorReport, type doctorRoutes } from '@atrium/contract/doctor'
import { probeEvents } from '@atrium/contract/measure'
import { type DiagnosticCheck, runChecks } from '../../platform/diagnostics/checks.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { createDiskHistory } from '../../platform/machine/disk-history.ts'
import type { ClockReadings } from '../../platform/outbound/clock-readings.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Processes } from '../../platform/processes/index.ts'
import { createSlot } from '../../platform/slot.ts'
import { type AlertDeps, type KeyedAlert, createAlerts } from './alerts.ts'
import type { Place } from './arrival.ts'
import { type InstanceFacts, instanceChecks } from './checks/index.ts'
import { outsideClockCheck } from './checks/outside-clock.ts'
import { sameKeyCheck } from './checks/same-key.ts'
import { judgeMeasurements } from './judge.ts'
import { type OutageDeps, type PastOutage, createOutageWatch } from './outage.ts'
import { type TokenPurpose, isTokenValid, signToken } from './token.ts'
import { createWatch, isFirstOf, watchIntervalMs, watchJob } from './watch.ts'

export interface DoctorOptions extends InstanceFacts, Place {
  readonly clocks: Pick<ClockReadings, 'list'>
  readonly processes: Pick<Processes, 'list'>
  /** Between two looks of the process at itself, in milliseconds; some minutes unless told. */
  readonly lookEveryMs?: number | undefined
}

export interface DoctorDeps
  extends DoctorOptions,
    Pick<Platform, 'announce' | 'clock' | 'database' | 'instanceKey' | 'log' | 'saved'>,
    Pick<AlertDeps, 'callWebhooks' | 'notify' | 'sendMail'> {
  readonly administratorIds: () => Promise<readonly string[]>
  readonly prepareOutageMail: OutageDeps['prepare']
}

const probeMs = 10 * 60_000
const operatorMs = 2 * 60_000

export const createDoctor = (deps: DoctorDeps) => {
  const { clock, instanceKey } = deps
  const host = hostname()
  const areaChecks = createSlot<readonly DiagnosticCheck[]>('the checks of the areas')

  const diskHistory = createDiskHistory({ folder: deps.dataDir, clock, log: deps.log })
  const alerts = createAlerts({
    ...deps,
    host,
    announce: async () => {
      for (const id of await deps.administratorIds()) await deps.announce(id, { type: 'alerts-changed', data: {} })
    },
  })
  const outage = createOutageWatch({
    ...deps,
    host,
    prepare: deps.prepareOutageMail,
    tellReturn: (past) => deps.notify([toNotice(past)], []),
    isFirst: () => isFirstOf(deps.processes.list()),
  })
  const watch = createWatch({ ...deps, alerts, outage, checks: areaChecks.get, everyMs: deps.lookEveryMs })
  const admit = (purpose: TokenPurpose, token: string, longestMs: number): void => {
    if (!isTokenValid(instanceKey, purpose, token, { now: clock.now(), longestMs })) {
      throw fail('unauthenticated', 'This token has expired, or was signed with another key.')
    }
  }
  const report = async (): Promise<DoctorReport> => ({
    generatedAt: new Date(clock.now()).toISOString(),
    checks: await runChecks(areaChecks.get()),
    probeToken: signToken(instanceKey, 'probe', clock.now() + probeMs),
  })

  const handlers: Handlers<typeof doctorRoutes> = {
    report,
    async operatorReport({ body: { token } }) {
      admit('operator', token, operatorMs)
      return await report()
    },
    async stream({ query: { token } }, { signal }) {
      admit('probe', token, probeMs)
      return ticks(signal)
    },
    async quiet({ query: { token, seconds } }, { signal }) {
      admit('probe', token, probeMs)
      await sleep(seconds * 1000, undefined, { signal })
      return {}
    },
    async body({ query: { token }, file }) {
      admit('probe', token, probeMs)
      return { bytes: (await file.bytes()).length }
    },
    async judge({ query: { token }, body }, { origin, address, header }) {
      admit('probe', token, probeMs)
      const arrival = { origin, address, forwardedFor: header('x-forwarded-for') }
      return { checks: judgeMeasurements(body, arrival, deps) }
    },
    alerts: async () => ({ items: await alerts.list(), nextCursor: null }),
  }
  return {
    handlers,
    checks: [...instanceChecks(deps), sameKeyCheck(deps.processes), outsideClockCheck(deps.clocks.list)],
    async listening() {
      await diskHistory.start()
      watch.start()
    },
    async stop() {
      diskHistory.stop()
      await watch.stop()
    },
    jobs: watch.jobs,
    every: [[watchJob, watchIntervalMs]] as const,
    api: { areaChecks },
  }
}

/** A database that was away, as administrators are told of it afterwards. */
const toNotice = ({ host, since, until }: PastOutage): KeyedAlert => {
  const [begun, ended] = [since, until].map((time) => new Date(time).toISOString()) as [string, string]
  const message = `The database didn’t respond from ${begun} to ${ended}. It is back. Its own log says what happened.`
  return { key: `database-away@${begun}`, id: 'database-away', host, status: 'warn', message, since: begun }
}

async function* ticks(signal: AbortSignal) {
  for (let number = 1; number <= probeEvents.count; number++) {
    if (number > 1) await sleep(probeEvents.everyMs, undefined, { signal })
    yield { seq: number, event: { type: 'tick' as const, data: { number } } }
  }
}
