import { usageRoutes as routes } from '@atrium/contract/usage'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { mergeMetrics } from '../../platform/metrics/definition.ts'
import { commonMetrics, createMetrics } from '../../platform/metrics/index.ts'
import type { MeteredCall, PlannedCall } from '../../providers/metering.ts'
import { authenticateById } from '../../testing/authenticate.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { serveAreas } from '../../testing/serve.ts'
import { recordingInMemory } from '../../testing/usage-policy.ts'
import { createUsageRecorder, defineUsageMetrics } from './metrics.ts'
import { createEventStore } from './stores/events.ts'
import { createUsage, usageMigrations } from './index.ts'
import type { UsageTables } from './tables.ts'
import type { Database } from '../../platform/db/types.ts'

const stops: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const planned = (over: Partial<PlannedCall> = {}): PlannedCall => ({
  accountId: 'ann',
  tokenId: null,
  providerId: 'openai',
  providerName: 'OpenAI',
  model: 'gpt-5.4-mini',
  capability: 'chat',
  inputTokens: 100,
  outputTokens: 50,
  ...over,
})
const ended = (over: Partial<MeteredCall> = {}): Omit<MeteredCall, 'subject'> => ({
  model: 'gpt-5.4-mini',
  status: 'success',
  inputTokens: 100,
  outputTokens: 50,
  cachedTokens: null,
  reasoningTokens: null,
  units: null,
  firstTokenMs: 100,
  failure: null,
  errorClass: null,
  relayed: false,
  durationMs: 1000,
  ...over,
})

onBothDatabases('usage', (open) => {
  const start = async (database?: Database, processId = 'here') => {
    const clock = testClock(Date.UTC(2026, 10, 20, 12))
    const opened = database ?? (await open(usageMigrations))
    const usage = createUsage({
      recording: recordingInMemory(opened),
      database: opened,
      clock,
      processId,
      log: createLog({ level: 'silent' }),
      findPrincipal: async (_type, id) => (id === 'nobody' ? null : { name: `the ${id}`, accountId: id }),
    })
    stops.push(() => usage.stop())
    const served = await serveAreas({
      areas: [usage.area],
      clock,
      authenticate: authenticateById(),
    })
    stops.push(() => served.stop())
    const call = async (plan: Partial<PlannedCall> = {}, end: Partial<MeteredCall> = {}) => {
      const subject = await usage.admit(planned(plan))
      usage.meter({ subject, ...ended(end) })
    }
    const tables = opened.tables<UsageTables>()
    return { usage, clock, call, database: opened, tables, ann: served.guest.as('ann'), ben: served.guest.as('ben') }
  }

  test('every call is in the report once, with tokens only where the provider reported them', async () => {
    const { call, usage, ann, clock } = await start()
    await call()
    await call({ accountId: 'ben', model: 'o3' }, { inputTokens: null, outputTokens: null, durationMs: 3000 })
    await call({}, { status: 'error', inputTokens: null, outputTokens: null, firstTokenMs: null })
    await call({}, { status: 'cancelled', outputTokens: 7 })
    clock.advance(-3 * 86_400_000)
    await call(
      { providerId: 'speech', providerName: 'Speech', model: 'tts-1', capability: 'tts' },
      {
        inputTokens: null,
        outputTokens: null,
        units: { kind: 'characters', input: 120, output: 0 },
      },
    )
    clock.advance(3 * 86_400_000)
    await usage.flush()
    const report = await ann.call(routes.report, { query: { days: 7 } })
    expect(report.range).toEqual({ from: '2026-11-14', to: '2026-11-20', days: 7, offsetMinutes: 0 })
    expect(report.totals).toMatchObject({
      calls: 5,
      successfulCalls: 3,
      failedCalls: 1,
      cancelledCalls: 1,
      meteredCalls: 2,
      uniqueUsers: 2,
      promptTokens: 200,
      completionTokens: 57,
      reportedTokens: 257,
      successRate: 0.75,
      averageLatencyMs: 1667,
      latency: { mean: 1667 },
    })
    expect(report.totals.latency?.p50).toBeGreaterThan(800)
    expect(report.totals.latency?.p50).toBeLessThan(1300)
    expect(report.series.map(({ day, calls }) => [day, calls])).toEqual([
      ...[14, 15, 16].map((day) => [`2026-11-${day}`, 0]),
      ['2026-11-17', 1],
      ...[18, 19].map((day) => [`2026-11-${day}`, 0]),
      ['2026-11-20', 4],
    ])
    expect(report.hours).toEqual([])
    const days = { from: '2026-11-20', to: '2026-11-20', offsetMinutes: 330 }
    const { hours, totals } = await ann.call(routes.report, { query: days })
    expect(hours).toHaveLength(24)
    expect(hours[0]?.startedAt).toBe('2026-11-19T18:30:00.000Z')
    expect(hours.reduce((sum, { calls }) => sum + calls, 0)).toBe(totals.calls)
    const busy = hours.filter(({ calls }) => calls > 0)
    expect(busy.map(({ startedAt, calls }) => [startedAt, calls])).toEqual([['2026-11-20T11:30:00.000Z', 4]])
    expect(report.plugins.map(({ pluginId, calls, share }) => [pluginId, calls, share])).toEqual([
      ['openai', 4, 0.8],
      ['speech', 1, 0.2],
    ])
    expect(report.accounts).toMatchObject([
      { accountId: 'ann', username: 'the ann', calls: 4 },
      { accountId: 'ben', username: 'the ben', calls: 1 },
    ])
    expect(report.capabilities[1]).toMatchObject({ capability: 'tts', unitKind: 'characters', inputUnits: 120 })
    expect(report.heatmap.cells).toEqual([
      { day: '2026-11-17', calls: 1, models: [0, 0, 1] },
      { day: '2026-11-20', calls: 4, models: [3, 1, 0] },
    ])
  })

  test('failed calls are counted by class, those of before there were classes as unknown', async () => {
    const { call, usage, ann, tables } = await start()
    for (const errorClass of ['rate', 'auth', 'rate'] as const) await call({}, { status: 'error', errorClass })
    await call({ model: 'o3' }, { status: 'error', errorClass: null })
    await call()
    await usage.flush()
    const of = async (query: object) => (await ann.call(routes.report, { query })).failures
    expect(await of({})).toEqual([
      { errorClass: 'rate', calls: 2 },
      { errorClass: 'auth', calls: 1 },
      { errorClass: 'unknown', calls: 1 },
    ])
    expect(await of({ model: 'o3' })).toEqual([{ errorClass: 'unknown', calls: 1 }])
    expect(await of({ status: 'success' })).toEqual([])
    await usage.removeAccount('ann')
    expect(await tables.selectFrom('usage_failures').select('account_id').distinct().execute()).toEqual([
      { account_id: '' },
    ])
  })

  test('the policy says what is recorded: nothing, sums without a row for each call, or all', async () => {
    const { call, usage, ann, tables } = await start()
    const calls = async () => {
      await call()
      await call({}, { status: 'error', errorClass: 'timeout' })
      await usage.flush()
      const { totals, policy } = await ann.call(routes.report, {})
      const events = await tables.selectFrom('usage_events').select('id').execute()
      return [policy, totals.calls, events.length]
    }
    expect(await calls()).toEqual(['full', 2, 2])
    expect(await ann.call(routes.updatePolicy, { body: { policy: 'sums' } })).toEqual({
      policy: 'sums',
      lockedByEnv: false,
    })
    expect(await calls()).toEqual(['sums', 4, 2])
    expect(await calls()).toEqual(['sums', 6, 2])
    await ann.call(routes.updatePolicy, { body: { policy: 'off' } })
    expect(await calls()).toEqual(['off', 6, 2])
    await ann.call(routes.updatePolicy, { body: { policy: 'full' } })
    expect(await calls()).toEqual(['full', 8, 4])
  })

  test('a batch of sums that is written again after its confirmation was lost counts once', async () => {
    const { call, usage, ann, database } = await start()
    await ann.call(routes.updatePolicy, { body: { policy: 'sums' } })
    await call()
    await usage.flush()
    const store = createEventStore(database, 'there')
    const batch = { id: 'first', events: [], sums: [], latencies: [], failures: [] }
    const row = await database.tables<UsageTables>().selectFrom('usage_sums').selectAll().execute()
    for (const id of ['first', 'first', 'second', 'second']) await store.write({ ...batch, id, sums: row })
    expect((await ann.call(routes.report, {})).totals.calls).toBe(3)
  })

  test.each(['full', 'sums'] as const)(
    'a commit without its confirmation loses no call that came since (%s)',
    async (policy) => {
      const opened = await open(usageMigrations)
      let losing = false
      const write: Database['write'] = async (work) => {
        const result = await opened.write(work)
        if (losing) throw new Error('The connection was lost.')
        return result
      }
      const { call, usage, ann } = await start(Object.assign(Object.create(opened) as Database, { write }))
      await ann.call(routes.updatePolicy, { body: { policy } })
      const calls = async () => (await ann.call(routes.report, {})).totals.calls
      losing = true
      await call()
      await usage.flush()
      expect(await calls()).toBe(1)
      losing = false
      for (let n = 0; n < 3; n++) await call()
      await usage.flush()
      expect(await calls()).toBe(4)
    },
  )

  test('filters leave only what they name, and a person sees only own calls', async () => {
    const { call, usage, ann, ben } = await start()
    await call()
    await call({ accountId: 'ben', model: 'o3' })
    await call({ accountId: 'ben' }, { status: 'error' })
    await usage.flush()
    const of = async (query: object) => (await ann.call(routes.report, { query })).totals.calls
    expect(await of({ accountId: 'ben' })).toBe(2)
    expect(await of({ model: 'o3' })).toBe(1)
    expect(await of({ status: 'error' })).toBe(1)
    expect(await of({ providerId: 'other' })).toBe(0)
    expect(await of({ capability: 'image' })).toBe(0)
    expect((await ben.call(routes.mine, {})).totals.calls).toBe(2)
    expect(await ben.refusal(routes.report, {})).toMatchObject({ code: 'forbidden' })
    for (const query of [{ days: 0 }, { days: 366 }, { from: '2026-11-01' }, { from: '2026-11-02', to: '2026-11-01' }])
      expect(await ann.refusal(routes.report, { query })).toMatchObject({ code: 'validation_failed' })
  })

  test('days begin where the person is, and add up to the same totals', async () => {
    const { call, usage, ann, clock } = await start()
    for (let hour = 0; hour < 48; hour++) {
      clock.set(Date.UTC(2026, 10, 18, hour, 20))
      await call()
    }
    clock.set(Date.UTC(2026, 10, 20, 12))
    await usage.flush()
    for (const offsetMinutes of [0, 330, -480, 765]) {
      const report = await ann.call(routes.report, { query: { days: 4, offsetMinutes } })
      expect(report.totals.calls).toBe(48)
      expect(report.series.reduce((sum, day) => sum + day.calls, 0)).toBe(48)
      const first = report.series.find(({ day }) => day === '2026-11-18')
      expect(first?.calls).toBe(
        Array.from({ length: 48 }, (_, hour) => Date.UTC(2026, 10, 18, hour, 20 + offsetMinutes)).filter(
          (time) => new Date(time).toISOString().slice(0, 10) === '2026-11-18',
        ).length,
      )
    }
  })

  test('what accounts spent is added up for those that are asked for', async () => {
    const { call, usage } = await start()
    await call()
    await call({ accountId: 'ben' })
    await usage.flush()
    const { currency, amounts } = await usage.spentBy(['ann', 'nobody'], 30)
    expect(currency).toBe('USD')
    expect([...amounts.keys()]).toEqual(['ann'])
    expect(Number(amounts.get('ann'))).toBeGreaterThan(0)
    expect((await usage.spentBy([], 30)).amounts.size).toBe(0)
  })

  test('published prices hold, own ones win, and a price in the past prices calls again', async () => {
    const { call, usage, ann } = await start()
    await call({}, { inputTokens: 1_000_000, outputTokens: 0 })
    await call({ model: 'unknown' }, { inputTokens: 1_000_000, outputTokens: 0 })
    await usage.flush()
    const costs = async () => {
      const { models, totals } = await ann.call(routes.report, {})
      return [totals.cost, totals.unpricedCalls, ...models.map(({ cost }) => cost)]
    }
    expect(await costs()).toEqual(['0.75', 1, '0.75', null])
    expect((await ann.call(routes.tariffs, {})).unpriced).toEqual([
      { pluginId: 'openai', pluginName: 'OpenAI', model: 'unknown', calls: 1 },
    ])
    const prices = { inputPerMillion: '2.50', cachedPerMillion: null, outputPerMillion: '1', unitPrice: null }
    const from = '2026-11-01T00:00:00.000Z'
    await ann.call(routes.addTariff, { body: { ...prices, providerId: 'openai', model: null, effectiveFrom: from } })
    expect(await costs()).toEqual(['3.25', 0, '0.75', '2.5'])
    const own = { ...prices, providerId: 'openai', model: 'gpt-5.4-mini', effectiveFrom: from, inputPerMillion: '1' }
    expect(await ann.call(routes.addTariff, { body: own })).toMatchObject({ source: 'own', inputPerMillion: '1' })
    expect(await costs()).toEqual(['3.5', 0, '1', '2.5'])
    const slip = await ann.call(routes.addTariff, { body: { ...own, inputPerMillion: '1000' } })
    expect(await costs()).toEqual(['1002.5', 0, '1000', '2.5'])
    await ann.call(routes.removeTariff, { params: { id: slip.id } })
    expect(await costs()).toEqual(['3.5', 0, '1', '2.5'])
    const published = (await ann.call(routes.tariffs, {})).items.find(({ source }) => source === 'published')
    expect(published?.readAt).toMatch(/^20\d\d-\d\d-\d\d$/)
    for (const id of [slip.id, published?.id ?? ''])
      expect(await ann.refusal(routes.removeTariff, { params: { id } })).toMatchObject({ code: 'tariff_not_found' })
    expect(usage.priceOf('openai', 'gpt-5.4-mini-2026-03-17')).toEqual({ input: 1, output: 1 })
    expect(await ann.refusal(routes.setCurrency, { body: { currency: 'EUR' } })).toMatchObject({
      code: 'currency_in_use',
    })
    expect(await ann.refusal(routes.addTariff, { body: { ...own, inputPerMillion: '-1' } })).toMatchObject({
      code: 'validation_failed',
    })
  })

  test('models of the local runtime cost nothing, until a price is entered for them', async () => {
    const { call, usage, ann } = await start()
    await call({ providerId: 'local', model: 'llama3' }, { inputTokens: 1_000_000, outputTokens: 0 })
    await usage.flush()
    expect((await ann.call(routes.report, {})).totals).toMatchObject({ cost: '0', unpricedCalls: 0 })
    expect((await ann.call(routes.tariffs, {})).unpriced).toEqual([])
    const price = { inputPerMillion: '2', cachedPerMillion: null, outputPerMillion: '2', unitPrice: null }
    const effectiveFrom = '2026-11-01T00:00:00.000Z'
    await ann.call(routes.addTariff, { body: { ...price, providerId: 'local', model: null, effectiveFrom } })
    expect((await ann.call(routes.report, {})).totals).toMatchObject({ cost: '2', unpricedCalls: 0 })
  })

  test('another currency makes published prices hold no more', async () => {
    const { call, usage, ann } = await start()
    await call()
    await usage.flush()
    await ann.call(routes.setCurrency, { body: { currency: 'EUR' } })
    expect((await ann.call(routes.report, {})).totals).toMatchObject({ cost: null, unpricedCalls: 1 })
  })

  test('a table can be taken out, by days and by calls, and no name becomes a formula', async () => {
    const { call, usage, ann } = await start()
    await call({ model: '=cmd()' })
    await usage.flush()
    for (const rows of ['days', 'calls'] as const) {
      const response = await ann.answer(routes.export, { query: { rows } })
      expect(response.headers.get('content-disposition')).toContain(`usage-${rows}-2026-10-22-2026-11-20.csv`)
      const [head, line] = (await response.text()).split('\r\n')
      expect(head).toContain('plugin_id')
      expect(line).toContain("'=cmd()")
      expect(line).toContain('the ann')
    }
  })

  test('figures of an account that is gone stay in the sums, without its id', async () => {
    const { call, usage, ann, tables } = await start()
    await call({ accountId: 'ben' })
    await usage.flush()
    await usage.removeAccount('ben')
    const report = await ann.call(routes.report, {})
    expect(report.totals).toMatchObject({ calls: 1, uniqueUsers: 0 })
    for (const table of ['usage_events', 'usage_sums', 'usage_latencies'] as const)
      expect(JSON.stringify(await tables.selectFrom(table).selectAll().execute())).not.toContain('ben')
  })

  test('what is older than 400 days goes, at most once a day', async () => {
    const { call, usage, clock, tables } = await start()
    const count = async () => (await tables.selectFrom('usage_events').select('id').execute()).length
    await call()
    await usage.flush()
    clock.advance(401 * 86_400_000)
    await call()
    await usage.flush()
    expect(await count()).toBe(1)
    clock.advance(-402 * 86_400_000)
    await call()
    await usage.flush()
    clock.advance(402 * 86_400_000 + 3_600_000)
    await call()
    await usage.flush()
    expect(await count()).toBe(3)
  })

  test('a full queue drops and counts, and no call hears of it', async () => {
    const database = await open(usageMigrations)
    const metrics = await createMetrics({
      token: 'for metrics',
      prefix: '',
      definitions: mergeMetrics([...commonMetrics, defineUsageMetrics()]),
    })
    const usage = createUsage({
      recording: recordingInMemory(database),
      database,
      clock: testClock(),
      processId: 'p',
      capacity: 2,
      windowMs: 60_000,
      log: createLog({ level: 'silent' }),
      findPrincipal: async () => null,
      recorder: createUsageRecorder(metrics),
    })
    for (let i = 0; i < 5; i++) usage.meter({ subject: await usage.admit(planned()), ...ended() })
    await usage.stop()
    expect((await metrics.text()).body).toContain('\nusage_dropped_total 3\n')
    expect(await database.tables<UsageTables>().selectFrom('usage_events').select('id').execute()).toHaveLength(2)
  })

  test('a call is counted once, however often it is told, and a call of nobody is not', async () => {
    const { usage, tables } = await start()
    const subject = await usage.admit(planned())
    for (let i = 0; i < 3; i++) usage.meter({ subject, ...ended() })
    usage.meter({ subject: undefined, ...ended() })
    await usage.flush()
    expect(await tables.selectFrom('usage_events').select('id').execute()).toHaveLength(1)
  })

  test('processes that count at the same time lose nothing of each other', async () => {
    const here = await start()
    const there = await start(here.database, 'there')
    await Promise.all(
      [here, there].flatMap(({ call, usage }) =>
        Array.from({ length: 40 }, async (_, n) => {
          await call({ accountId: n % 2 === 0 ? 'ann' : 'ben' })
          if (n % 10 === 0) await usage.flush()
        }),
      ),
    )
    await Promise.all([here.usage.flush(), there.usage.flush()])
    const { totals, accounts } = await here.ann.call(routes.report, {})
    expect(totals).toMatchObject({ calls: 80, promptTokens: 8000 })
    expect(accounts.map(({ calls }) => calls)).toEqual([40, 40])
  })

  test('prices that one process enters hold in the others', async () => {
    const here = await start()
    const there = await start(here.database, 'there')
    await there.usage.begin()
    const prices = { inputPerMillion: '3', cachedPerMillion: null, outputPerMillion: '3', unitPrice: null }
    await here.ann.call(routes.addTariff, {
      body: { ...prices, providerId: 'box', model: null, effectiveFrom: '2026-01-01T00:00:00.000Z' },
    })
    await expect.poll(() => there.usage.priceOf('box', 'any')).toEqual({ input: 3, output: 3 })
  })

  test('a price that is entered while another one is saved prices calls again once', async () => {
    const there = await start(undefined, 'there')
    await there.call({ model: 'unknown' }, { inputTokens: 1_000_000, outputTokens: 0 })
    await there.usage.flush()
    const waiting: (() => Promise<unknown>)[] = []
    const slow: Database = {
      ...there.database,
      write: async (work, queue) => {
        await waiting.pop()?.()
        return await there.database.write(work, queue)
      },
    }
    const here = await start(slow)
    const body = { providerId: 'openai', cachedPerMillion: null, outputPerMillion: '1', unitPrice: null }
    const enter = (client: typeof here.ann, model: string | null, inputPerMillion: string) =>
      client.call(routes.addTariff, {
        body: { ...body, model, inputPerMillion, effectiveFrom: '2026-11-01T00:00:00.000Z' },
      })
    expect((await here.ann.call(routes.tariffs, {})).unpriced).toHaveLength(1)
    waiting.push(() => enter(there.ann, null, '2.50'))
    const { id } = await enter(here.ann, 'unknown', '4')
    const totals = async () => (await here.ann.call(routes.report, {})).totals
    expect(await totals()).toMatchObject({ cost: '4', unpricedCalls: 0 })
    waiting.push(() => enter(there.ann, 'unknown', '5'))
    await here.ann.call(routes.removeTariff, { params: { id } })
    expect(await totals()).toMatchObject({ cost: '5', unpricedCalls: 0 })
  })
})
