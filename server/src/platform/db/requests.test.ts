/** A server that stands still, and those who wait for it. */
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openerFor } from '../../testing/databases.ts'
import { linkTo } from '../../testing/outage.ts'
import { mergeMetrics } from '../metrics/definition.ts'
import { commonMetrics, createMetrics } from '../metrics/index.ts'
import { createDatabaseRecorder, databaseMetrics, watchDatabase } from './metrics.ts'
import { openDatabase, runForRequest } from './index.ts'

const unavailable = { code: 'unavailable' }
const hour = 3_600_000

describe('PostgreSQL that stands still', () => {
  const open = openerFor('postgres')
  /** What goes on in the background waits for an hour here. */
  const openStill = async (poolSize: number) => {
    const { options } = await open.place()
    const link = await linkTo(options.url ?? '')
    const log = { warn: () => undefined, error: () => undefined }
    const limits = { requestLimits: { connectMs: 1000, statementMs: 1000 }, queryMs: hour }
    const definitions = mergeMetrics([...commonMetrics, databaseMetrics])
    const metrics = await createMetrics({ token: 'for metrics', prefix: '', definitions })
    const recorder = createDatabaseRecorder(metrics)
    const database = await openDatabase({ ...options, ...limits, url: link.url, poolSize, log, recorder })
    const measure = () => Promise.reject(new Error('No connection is left.'))
    watchDatabase(metrics, { connections: database.connections, measure })
    const figures = async (names: RegExp) => (await metrics.text()).body.split('\n').filter((line) => names.test(line))
    onTestFinished(async () => {
      link.restore()
      await database.close()
      await link.close()
    })
    await database.ping()
    link.freeze()
    return { database, link, figures }
  }

  test('holds a request no longer than its limit, for a statement and for a connection', async () => {
    const { database, link } = await openStill(1)
    let rested = false
    const rest = database.ping().finally(() => (rested = true))
    // The background has the only connection.
    await expect(runForRequest(() => database.ping())).rejects.toMatchObject(unavailable)
    await expect(runForRequest(() => database.notify('news', 'of today'))).rejects.toMatchObject(unavailable)
    expect(rested).toBe(false)
    link.restore()
    await rest
    link.freeze()
    await expect(runForRequest(() => database.ping())).rejects.toMatchObject(unavailable)
    link.restore()
    // The connection whose statement was given up is not used again.
    await runForRequest(() => database.ping())
  })

  test('counts as away in the metrics, also where no statement came as far as a connection', async () => {
    const { database, link, figures } = await openStill(1)
    const outages = async () => {
      const [line = ''] = await figures(/^database_failures_total.*outage/)
      return Number(line.split(' ')[1])
    }
    // The only connection is taken, and the figures of the pool need none.
    const rest = Promise.all([database.ping(), database.ping()])
    await expect
      .poll(() => figures(/^database_connections/))
      .toEqual([
        'database_connections{state="used"} 1',
        'database_connections{state="waiting"} 1',
        'database_connections_limit 1',
      ])
    await expect(runForRequest(() => database.ping())).rejects.toMatchObject(unavailable)
    expect(await outages()).toBe(1)
    await expect(runForRequest(() => database.notify('news', 'of today'))).rejects.toMatchObject(unavailable)
    expect(await outages()).toBe(2)
    link.restore()
    await rest
    link.freeze()
    // It has a connection, and cannot begin.
    await expect(runForRequest(() => database.write(async () => undefined))).rejects.toMatchObject(unavailable)
    expect(await outages()).toBe(3)
    link.restore()
    await expect(
      runForRequest(() =>
        database.write(async (trx) => {
          await sql`select 1`.execute(trx)
          link.freeze()
        }),
      ),
    ).rejects.toMatchObject(unavailable)
    expect(await outages()).toBe(4)
    link.cut()
    await expect(database.ping()).rejects.toMatchObject(unavailable)
    expect(await outages()).toBe(5)
  })

  test('is found out once for all who wait in a queue, and its work is not begun', async () => {
    const { database, link } = await openStill(1)
    let begun = 0
    const before = link.opened()
    const writes = Array.from({ length: 40 }, () =>
      runForRequest(() =>
        database.write(async (trx) => {
          begun += 1
          await sql`select 1`.execute(trx)
        }, 'audit'),
      ),
    )
    for (const { status, ...how } of await Promise.allSettled(writes))
      expect({ status, ...how }).toMatchObject({ status: 'rejected', reason: unavailable })
    expect(begun).toBe(0)
    expect(link.opened() - before).toBeLessThan(4)
  })
})
