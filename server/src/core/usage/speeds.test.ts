import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import type { MeteredCall, PlannedCall } from '../../providers/metering.ts'
import { testClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { recordingInMemory } from '../../testing/usage-policy.ts'
import { createUsage, usageMigrations } from './index.ts'
import { createSpeedCache } from './speeds.ts'

const minute = 60_000
const day = 86_400_000
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

withDatabase('how fast models are', (open) => {
  const start = async () => {
    const clock = testClock(Date.UTC(2026, 10, 20, 12))
    const database = await open(usageMigrations)
    const usage = createUsage({
      recording: recordingInMemory(database),
      database,
      clock,
      processId: 'here',
      log: createLog({ level: 'silent' }),
      findPrincipal: async () => null,
    })
    stops.push(() => usage.stop())
    const calls = async (count: number, plan: Partial<PlannedCall>, end: Partial<MeteredCall> = {}) => {
      for (let n = 0; n < count; n += 1) {
        const subject = await usage.admit({
          accountId: n % 2 === 0 ? 'ann' : 'ben',
          tokenId: null,
          providerId: 'acme',
          providerName: 'Acme',
          model: 'm',
          capability: 'chat',
          inputTokens: 1,
          outputTokens: 1,
          ...plan,
        })
        usage.meter({
          subject,
          model: plan.model ?? 'm',
          status: 'success',
          failure: null,
          errorClass: null,
          relayed: false,
          inputTokens: 1,
          outputTokens: 1,
          cachedTokens: null,
          reasoningTokens: null,
          units: null,
          firstTokenMs: 400,
          durationMs: 900,
          ...end,
        })
      }
      await usage.flush()
    }
    /** What is told once it was read again. */
    const speedOf = async (model: string) => {
      clock.advance(5 * minute)
      usage.speedOf('acme', model)
      await usage.flush()
      return usage.speedOf('acme', model)
    }
    return { usage, clock, calls, speedOf }
  }

  test('is the median of everybody’s successes, from five on', async () => {
    const { calls, speedOf } = await start()
    await calls(4, { model: 'few' })
    await calls(3, { model: 'mixed' }, { firstTokenMs: 200 })
    await calls(1, { model: 'mixed' }, { firstTokenMs: 5000 })
    await calls(1, { model: 'mixed' }, { firstTokenMs: 9000 })
    await calls(9, { model: 'other', capability: 'embedding' })
    expect(await speedOf('few')).toBeNull()
    const mixed = await speedOf('mixed')
    expect(mixed?.firstTokenMs).toBeGreaterThan(170)
    expect(mixed?.firstTokenMs).toBeLessThan(240)
    expect(mixed?.errorShare).toBeNull()
    expect(await speedOf('other')).toBeNull()
  })

  test('tells the share of calls that failed, from ten on', async () => {
    const { calls, speedOf } = await start()
    await calls(10, { model: 'steady' })
    await calls(9, { model: 'shaky' }, { status: 'error', firstTokenMs: null })
    expect(await speedOf('shaky')).toBeNull()
    await calls(26, { model: 'shaky' })
    await calls(1, { model: 'shaky' }, { status: 'cancelled', firstTokenMs: null })
    expect((await speedOf('shaky'))?.errorShare).toBe(0.25)
    expect((await speedOf('steady'))?.errorShare).toBe(0)
  })

  test('forgets failures after a week, and times after thirty days', async () => {
    const { clock, calls, speedOf } = await start()
    await calls(10, { model: 'old' })
    clock.advance(8 * day)
    expect(await speedOf('old')).toMatchObject({ firstTokenMs: expect.any(Number), errorShare: null })
    clock.advance(23 * day)
    expect(await speedOf('old')).toBeNull()
  })

  test('is asked at once, and read again after five minutes at the earliest', async () => {
    const { usage, clock, calls } = await start()
    expect(usage.speedOf('acme', 'm')).toBeNull()
    await usage.flush()
    await calls(10, {})
    clock.advance(5 * minute - 1)
    expect(usage.speedOf('acme', 'm')).toBeNull()
    await usage.flush()
    expect(usage.speedOf('acme', 'm')).toBeNull()
    clock.advance(1)
    expect(usage.speedOf('acme', 'm')).toBeNull()
    await usage.flush()
    expect(usage.speedOf('acme', 'm')).toMatchObject({ errorShare: 0 })
  })
})

test('what was known stays while the sums cannot be read, and they are asked for no more often', async () => {
  const clock = testClock()
  let asked = 0
  let away = false
  const speeds = createSpeedCache({
    clock,
    log: createLog({ level: 'silent' }),
    reports: {
      latencies: async () => {
        asked += 1
        if (away) throw new Error('away')
        return [{ plugin_id: 'p', model: 'm', measure: 'first-token', bucket: 30, calls: 5 }]
      },
      groups: async () => [],
    },
  })
  speeds.refresh()
  await speeds.settled()
  away = true
  clock.advance(5 * minute)
  for (let n = 0; n < 5; n += 1) {
    expect(speeds.of('p', 'm')).toMatchObject({ errorShare: null })
    await speeds.settled()
  }
  expect(asked).toBe(2)
  await speeds.stop()
})
