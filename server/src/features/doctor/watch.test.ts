import { randomUUID } from 'node:crypto'
import type { Alert } from '@atrium/contract/doctor'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CheckOutcome, DiagnosticCheck } from '../../platform/diagnostics/checks.ts'
import { reportFailure, reportPass } from '../../platform/diagnostics/checks.ts'
import { createLog } from '../../platform/log/log.ts'
import type { ProcessPhase } from '../../platform/processes/index.ts'
import type { SavedSettings } from '../../platform/settings/index.ts'
import { realClock, testClock } from '../../testing/clock.ts'
import { type AlertDeps, createAlerts } from './alerts.ts'
import { createWatch, isFirstOf, watchJob } from './watch.ts'

/** One document for all, as the database has it. */
const keep = (): Pick<SavedSettings, 'document'> => {
  let value: unknown = {}
  return {
    document: () => ({
      read: async () => value as never,
      change: async (change) => (value = change(value as never)) as never,
    }),
  }
}
const log = createLog({ level: 'silent' })
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const begin = (
  parts: {
    saved: Pick<SavedSettings, 'document'>
    letters: string[]
    checks: DiagnosticCheck[]
    host?: string
    notify?: AlertDeps['notify']
  },
  mail: () => Promise<void> = async () => undefined,
) => {
  const host = parts.host ?? 'nas'
  const alerts = createAlerts({
    notify: async () => undefined,
    ...parts,
    saved: parts.saved as never,
    clock: realClock,
    log,
    host,
    dataDir: '/data',
    announce: async () => undefined,
    callWebhooks: async () => undefined,
    sendMail: async (told: readonly Alert[]) => {
      await mail()
      parts.letters.push(...told.map(({ id, host }) => `${id} ${host}`))
    },
  })
  return alerts
}
const checkOf = (id: string, run: () => CheckOutcome | null, more: Partial<DiagnosticCheck> = {}): DiagnosticCheck => ({
  id,
  watched: true,
  run: async () => run(),
  ...more,
})

test('a process takes back, when it first looks, what one that ended had left in the inboxes', async () => {
  const saved = keep()
  const told: string[] = []
  const parts = {
    saved,
    letters: [],
    checks: [],
    notify: async (_: unknown, over: readonly string[]) => void told.push(...over),
  }
  const check = [checkOf('backup', () => reportPass('All is well.'))]
  const one = begin(parts)
  for (let look = 0; look < 3; look++) await one.look(check)
  expect(told).toEqual(['backup'])
  await begin(parts).look([checkOf('backup', () => reportFailure('A backup is overdue.'))])
  expect(told).toEqual(['backup'])
})

describe('several processes', () => {
  test('tell each what is wrong on its own machine, once, however they take turns', async () => {
    const [saved, letters] = [keep(), [] as string[]]
    const full = begin({ saved, letters, checks: [], host: 'full' })
    const well = begin({ saved, letters, checks: [], host: 'well' })
    const disk = (outcome: CheckOutcome) => [checkOf('disk', () => outcome, { ofProcess: true })]
    for (let turn = 0; turn < 5; turn++) {
      await full.look(disk(reportFailure('The disk is full.')))
      for (let again = 0; again < 3; again++) await well.look(disk(reportPass('There is room.')))
    }
    expect(letters).toEqual(['disk full'])
    expect(await well.list()).toMatchObject([{ id: 'disk', host: 'full', message: 'The disk is full.' }])
  })

  test('end what was of several of them when only one is left, as there is nothing to look at', async () => {
    const [saved, letters] = [keep(), [] as string[]]
    const alerts = begin({ saved, letters, checks: [] })
    let outcome: CheckOutcome | null = reportFailure('Processes have different keys.')
    const check = [checkOf('key-processes', () => outcome)]
    await alerts.look(check)
    expect(await alerts.list()).toHaveLength(1)
    outcome = null
    await alerts.look(check)
    await alerts.look(check)
    expect(await alerts.list()).toEqual([])
  })

  test('lose no letter when one could not be written, and write none twice meanwhile', async () => {
    const [saved, letters] = [keep(), [] as string[]]
    let now = 0
    const failing = vi.fn().mockRejectedValueOnce(new Error('The database is away.'))
    const one = createAlerts({
      saved: saved as never,
      clock: { now: () => now, id: randomUUID },
      log,
      host: 'nas',
      dataDir: '/data',
      announce: async () => undefined,
      notify: async () => undefined,
      callWebhooks: async () => undefined,
      sendMail: async (told) => {
        await failing()
        letters.push(...told.map(({ id }) => id))
      },
    })
    const check = [checkOf('backup', () => reportFailure('A backup is overdue.'))]
    await expect(one.look(check)).rejects.toThrow('away')
    await one.look(check)
    expect(letters).toEqual([])
    now += 11 * 60_000
    await one.look(check)
    await one.look(check)
    expect(letters).toEqual(['backup'])
  })
})

test('a queue that stands still is seen by the first process, which needs no job for it', async () => {
  const looked: string[][] = []
  const outage = { look: async () => undefined }
  const checks = [
    checkOf('jobs', () => reportPass('x'), { besideJobs: true }),
    checkOf('disk', () => reportPass('x'), { ofProcess: true }),
    checkOf('versions', () => reportPass('x')),
    { id: 'slow', run: async () => reportPass('x') },
  ]
  const look = async (list: readonly DiagnosticCheck[]) => void looked.push(list.map(({ id }) => id))
  const process = (id: string, startedAt: number, phase: ProcessPhase = 'ready') => ({ id, startedAt, phase }) as never
  const run = async (list: never[]) => {
    looked.length = 0
    const watch = createWatch({
      alerts: { look },
      outage,
      checks: () => checks,
      processes: { list: () => list },
      clock: realClock,
      log,
    })
    watch.start()
    await watch.stop()
    return looked.flat()
  }
  expect(await run([process('a', 1), process('b', 2)])).toEqual(['jobs', 'disk'])
  expect(await run([process('b', 2), process('a', 1)])).toEqual(['disk'])
  expect(await run([process('b', 2), process('a', 1, 'leaving')])).toEqual(['jobs', 'disk'])
  expect(isFirstOf([process('b', 2), process('a', 2)] as never)).toBe(false)
  const { jobs } = createWatch({
    alerts: { look },
    outage,
    checks: () => checks,
    processes: { list: () => [] },
    clock: realClock,
    log,
  })
  looked.length = 0
  await jobs[watchJob].prepare({})?.(undefined as never)
  expect(looked.flat()).toEqual(['versions'])
})

test('a daily look that is late is no alert, and what it sees in the end is', async () => {
  const [saved, letters] = [keep(), [] as string[]]
  const ended = Promise.withResolvers<CheckOutcome>()
  const scan: DiagnosticCheck = { id: 'scan', daily: true, run: () => ended.promise }
  const watch = createWatch({
    alerts: begin({ saved, letters, checks: [] }),
    outage: { look: async () => undefined },
    checks: () => [scan],
    processes: { list: () => [] },
    clock: testClock(),
    log,
  })
  const look = async () => await watch.jobs[watchJob].prepare({})?.(undefined as never)
  const late = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal)
  const looked = look()
  setImmediate(() => late.abort())
  await looked
  expect(letters).toEqual([])
  ended.resolve(reportFailure('The file is damaged.'))
  await look()
  expect(letters).toEqual(['scan null'])
})

test('what takes long is looked at once a day, and what was seen holds meanwhile', async () => {
  const [saved, letters] = [keep(), [] as string[]]
  const clock = testClock()
  const alerts = begin({ saved, letters, checks: [] })
  let outcome = reportFailure('The file is damaged.')
  let looks = 0
  const scan: DiagnosticCheck = { id: 'scan', daily: true, run: async () => ((looks += 1), outcome) }
  const outage = { look: async () => undefined }
  const watch = createWatch({ alerts, outage, checks: () => [scan], processes: { list: () => [] }, clock, log })
  const lookForADay = async () => {
    for (let n = 0; n < 24; n++) {
      await watch.jobs[watchJob].prepare({})?.(undefined as never)
      clock.advance(3_600_000)
    }
  }
  await lookForADay()
  expect([looks, letters]).toEqual([1, ['scan null']])
  outcome = reportPass('No damage.')
  expect(await alerts.list()).toHaveLength(1)
  await lookForADay()
  expect([looks, await alerts.list()]).toEqual([2, []])
})
