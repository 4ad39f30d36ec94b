import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { createClockReadings } from './clock-readings.ts'
import { createOutbound } from './outbound.ts'

test('every answer tells how far the clock of its server is ahead', async () => {
  const server = createServer((_, response) => {
    response.setHeader('date', new Date(Date.now() + 3_600_000).toUTCString()).end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const clocks = createClockReadings()
  const outbound = createOutbound({ allowed: () => new Set([place]), log: createLog({ level: 'silent' }), clocks })
  const url = await outbound.check(`http://${place}/`)
  for (let n = 0; n < 2; n++) await (await outbound.request(url, { method: 'GET', maxBytes: 100 })).text()
  await outbound.close()
  server.close()
  const [aheadMs = 0, ...others] = clocks.list()
  expect(others).toEqual([])
  // Whole seconds, and the time that the answer took.
  expect(Math.abs(aheadMs - 3_600_000)).toBeLessThan(15_000)
})

test('what a cache kept, what was slow, and what is no time says nothing; after an hour it is forgotten', () => {
  let now = Date.parse('2026-01-01T12:00:00Z')
  const clocks = createClockReadings(() => now)
  const date = new Date(now).toUTCString()
  clocks.note('cached', { date, age: '30' }, now, now)
  clocks.note('slow', { date }, now - 20_000, now)
  clocks.note('odd', { date: 'yesterday' }, now, now)
  clocks.note('silent', {}, now, now)
  expect(clocks.list()).toEqual([])
  clocks.note('well', { date }, now, now)
  expect(clocks.list()).toEqual([500])
  for (let n = 0; n < 200; n++) clocks.note(`host-${n}`, { date }, now, now)
  expect(clocks.list()).toHaveLength(100)
  now += 3_600_000
  expect(clocks.list()).toEqual([])
})
