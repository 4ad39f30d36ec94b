/** A server that stands still, and those who wait for it. */
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openerFor } from '../../testing/databases.ts'
import { linkTo } from '../../testing/outage.ts'
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
    const limits = { requestLimits: { connectMs: 200, statementMs: 200 }, queryMs: hour }
    const database = await openDatabase({ ...options, ...limits, url: link.url, poolSize, log })
    onTestFinished(async () => {
      link.restore()
      await database.close()
      await link.close()
    })
    await database.ping()
    link.freeze()
    return { database, link }
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
