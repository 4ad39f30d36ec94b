import { describe, expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../testing/clock.ts'
import { openerFor } from '../../testing/databases.ts'
import { openDatabase } from '../db/index.ts'
import { createRates } from './rates.ts'
import { linkTo } from '../../testing/outage.ts'

const quiet = { warn: () => undefined, error: () => undefined }

describe('processes that count together', () => {
  const open = openerFor('postgres')
  /** Three, with a rule of so many a minute; `requests` asks them in turn, all at once. A busy machine tells them late. */
  const start = async (max: number, patienceMs = 120_000) => {
    const place = await open.place()
    const links = await Promise.all([1, 2, 3].map(() => linkTo(place.options.url ?? '')))
    const members = await Promise.all(
      links.map(async (link, index) => {
        const database = await openDatabase({ ...place.options, url: link.url, log: quiet })
        const channel = {
          processes: () => links.length,
          tell: (message: string) => database.notify('rates', message),
          listen: (hear: (message: string) => void) => database.listen('rates', hear),
        }
        const shared = { channel, patienceMs, processId: `process-${index}` }
        const rates = createRates(realClock, { rules: { connect: { max, windowMs: 60_000 } }, shared })
        onTestFinished(async () => {
          rates.stop()
          await database.close()
          await links[index]?.close()
        })
        return rates
      }),
    )
    const requests = async (count: number, key = 'ann'): Promise<number> => {
      const uses = await Promise.all(
        Array.from({ length: count }, async (_, index) => await members[index % members.length]?.take('connect', key)),
      )
      return uses.filter((use) => use?.allowed).length
    }
    return { members, links, requests }
  }

  test.each([5, 20])('let in exactly %i where a rule is small, however many come at once', async (max) => {
    const { requests } = await start(max)
    expect(await requests(10 * max)).toBe(max)
    expect(await requests(max)).toBe(0)
    expect(await requests(1, 'ben')).toBe(1)
  })

  test('let in a twentieth more than a large rule says, at most', async () => {
    const { requests } = await start(600)
    const first = await requests(1500)
    expect(first).toBeGreaterThanOrEqual(600)
    expect(first).toBeLessThanOrEqual(630)
    expect(await requests(30)).toBe(0)
  })

  test('count a caller who asks one after the other as one process does', async () => {
    const { members } = await start(60)
    let allowed = 0
    for (let count = 0; count < 90; count += 1)
      if ((await members[count % members.length]?.take('connect', 'ann'))?.allowed) allowed += 1
    expect(allowed).toBeGreaterThanOrEqual(60)
    expect(allowed).toBeLessThanOrEqual(63)
  })

  test('count by themselves while nobody can be told', async () => {
    const { links, requests } = await start(5, 1000)
    for (const link of links) link.cut()
    expect(await requests(60)).toBe(15)
  })
})
