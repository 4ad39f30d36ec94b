/**
 * Three processes on one PostgreSQL while they are killed and cut off, and while the server is restarted, stands still and
 * has no connection left, for minutes. What was acknowledged is compared afterwards with what is there.
 */
import { limits } from '@atrium/contract/route'
import { usageRoutes } from '@atrium/contract/usage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAnswers, checkReplays, checkRequests, checkWrites } from './checks.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Driver, startDriver } from './driver.ts'
import { createFaults, createRandom, type Faults, patience, waitUntilServed } from './faults.ts'
import { proveRevocations } from './revocations.ts'

const seed = Number(process.env['ATRIUM_CLUSTER_SEED'] ?? Date.now() % 1_000_000)
const kills = Number(process.env['ATRIUM_CLUSTER_KILLS'] ?? 50)
const model = 'long-40-drip-50'

let cluster: Cluster
let driver: Driver
let faults: Faults

beforeAll(async () => {
  console.log(`ATRIUM_CLUSTER_SEED=${seed}`)
  cluster = await startCluster(3, [model])
  const budget = { name: 'All', principalType: 'instance', principalId: null, unit: 'tokens' } as const
  await cluster.admin.call(usageRoutes.addBudget, {
    body: { ...budget, amount: '100000000', period: 'monthly', mode: 'block' },
  })
  faults = createFaults(cluster, createRandom(seed))
  driver = startDriver(cluster.admin, 3, model)
}, 120_000)
afterAll(async () => {
  await driver?.stop()
  await cluster?.close()
}, 120_000)

test('what one process takes away is gone on all of them within a second', async () => {
  expect(await proveRevocations(cluster)).toBeLessThan(1000)
}, 60_000)

test('callers are counted over all processes together', async () => {
  const { max } = limits.connect
  // Whoever is let in is told that there is no such connection.
  const ask = () => cluster.admin.raw('/api/plugins/activate/nothing', { method: 'POST' })
  const answers = await Promise.all(Array.from({ length: 2 * max }, ask))
  const admitted = answers.filter(({ status }) => status === 404).length
  expect(admitted).toBeGreaterThanOrEqual(max)
  expect(admitted).toBeLessThanOrEqual(1.05 * max)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2 * max - admitted)
}, 60_000)

const ordinary: readonly (readonly [string, () => Promise<void>])[] = [
  ['PostgreSQL is restarted', () => faults.restart('fast')],
  ['PostgreSQL crashes', () => faults.restart('immediate')],
  ['all connections are used up', () => faults.useUpConnections(5000)],
  ['a process is cut off from PostgreSQL for a moment', () => faults.cutOff(800)],
  ['a process is cut off from PostgreSQL for so long that others take it for gone', () => faults.cutOff(5000, true)],
  ['PostgreSQL stands still for a minute', () => faults.freeze(60_000)],
]

test.each(ordinary)(
  'people go on after %s',
  async (_name, fault) => {
    await fault()
    await waitUntilServed(cluster, driver)
  },
  300_000,
)

test(`people go on while processes are killed ${kills} times`, async () => {
  for (let count = 0; count < kills; count += 1) {
    await faults.kill(1500, 1500)
    await waitUntilServed(cluster, driver)
  }
}, 3_600_000)

describe('afterwards', () => {
  beforeAll(async () => {
    await driver.stop()
    const { chats, documents, asked, slowest } = driver.notes
    const interrupted = asked.filter(({ end }) => end !== null && end !== 'done').length
    console.log(
      `${chats.size} chats, ${asked.length} answers (${interrupted} interrupted), ${documents.size} documents; ${slowest.what} took longest: ${Math.round(slowest.ms)} ms`,
    )
  }, 120_000)

  test('nobody was refused without a reason, and nobody waited for ten seconds', () => checkRequests(driver.notes))

  test('every chat and document that was acknowledged is there, once, and documents were read by jobs', async () => {
    await checkWrites(cluster, driver.notes)
  }, 120_000)

  test('every answer is whole, but those whose process was absent, and was followed without a gap', async () => {
    await checkAnswers(cluster, driver.notes, faults.absences, 40)
  }, 120_000)

  test('the last answers are followed from the first event on at every process', async () => {
    await checkReplays(cluster, driver.notes, 10)
  }, 120_000)

  test('nothing stays set aside of a budget for calls of processes that are gone', async () => {
    const reserved = async () =>
      (await cluster.admin.call(usageRoutes.budgets, {})).items.map((budget) => budget.reserved)
    await expect.poll(reserved, { ...patience, timeout: 180_000 }).toEqual(['0'])
  }, 200_000)
})
