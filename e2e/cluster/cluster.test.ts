/**
 * Three processes on one PostgreSQL while one is killed, one is cut off, and the server crashes. What was acknowledged is
 * compared afterwards with what is there. More of it, for minutes, in cluster.long.test.ts.
 */
import { limits } from '@atrium/contract/route'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkAnswers, checkReplays, checkRequests, checkWrites } from './checks.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Driver, startDriver } from './driver.ts'
import { createFaults, createRandom, type Faults, waitUntilServed } from './faults.ts'
import { proveRevocations } from './revocations.ts'

const seed = Number(process.env['ATRIUM_CLUSTER_SEED'] ?? Date.now() % 1_000_000)
const model = 'long-40-drip-20'

let cluster: Cluster
let driver: Driver
let faults: Faults

beforeAll(async () => {
  console.log(`ATRIUM_CLUSTER_SEED=${seed}`)
  cluster = await startCluster(3, [model])
  faults = createFaults(cluster, createRandom(seed))
  driver = startDriver(cluster.admin, 2, model)
}, 120_000)
afterAll(async () => {
  await driver?.stop()
  await cluster?.close()
}, 120_000)

test('what one process takes away is gone on all of them, and open streams end', async () => {
  expect(await proveRevocations(cluster)).toBeGreaterThan(0)
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

test('what was acknowledged is there once and whole, whichever process or server fails', async () => {
  await waitUntilServed(cluster, driver)
  await faults.cutOff(800)
  await waitUntilServed(cluster, driver)
  await faults.restart('immediate')
  await waitUntilServed(cluster, driver)
  await faults.kill(400, 400)
  await waitUntilServed(cluster, driver)
  await driver.stop()
  checkRequests(driver.notes)
  await checkWrites(cluster, driver.notes)
  await checkAnswers(cluster, driver.notes, faults.absences, 40)
  await checkReplays(cluster, driver.notes, 2)
}, 300_000)
