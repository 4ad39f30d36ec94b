/** Nothing that anybody wrote, sent or received is in the tables of usage, however a call ends. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { usageRoutes as routes } from '@atrium/contract/usage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { createLog } from '../../platform/log/log.ts'
import type { Turn } from '../../providers/types.ts'
import { type ConnectionsHarness, openConnections } from '../../testing/connections.ts'
import { withDatabase } from '../../testing/databases.ts'
import { recordingInMemory } from '../../testing/usage-policy.ts'
import { createUsage, type Usage, usageMigrations } from './index.ts'

const key = 'sk-planted-key-4242'
const planted = ['planted-question', 'planted-system', 'planted-path', 'sk-planted', 'sk-leaked', 'planted-token']

withDatabase('secrets of calls', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness
  let usage: Usage

  beforeEach(async () => {
    provider = await startProvider()
    provider.control({ apiKey: key, models: ['echo', 'status-500', 'status-401', 'reset', 'error-mid', 'drip-20'] })
    harness = await openConnections(open, {
      migrations: usageMigrations,
      admit: (call) => usage.admit(call),
      areas: ({ database, clock }) => {
        usage = createUsage({
          recording: recordingInMemory(database),
          database,
          clock,
          processId: 'here',
          log: createLog({ level: 'silent' }),
          findPrincipal: async (_type, id) => ({ name: id, accountId: id }),
        })
        return [usage.area]
      },
    })
  })
  afterEach(async () => {
    await usage.stop()
    await harness.close()
    await provider.close()
  })

  const turn = (model: string): Turn => ({
    model,
    system: 'planted-system',
    messages: [{ role: 'user', text: `planted-question ${key}`, images: [] }],
    tools: [],
    options: {},
  })

  test('none of them is in any row, whether calls succeed, fail or are stopped', async () => {
    const url = `${provider.url}/v1/chat/completions?tenant=planted-path`
    await harness.ann.call(connectionsRoutes.quick, { body: { name: 'Box', url, apiKey: key, allowPrivate: true } })
    const budget = { name: 'b', principalType: 'token', principalId: 'tok', unit: 'tokens', amount: '100000' } as const
    await harness.ann.call(routes.addBudget, { body: { ...budget, period: 'daily', mode: 'block' } })
    const heard: string[] = []
    const ask = async (model: string, stopAfter = Number.POSITIVE_INFINITY): Promise<void> => {
      const selection = { providerType: 'plugin', providerId: 'box', model } as const
      const found = await harness.connections.resolve('ann', selection)
      if (!('model' in found)) throw new Error(found.unavailable)
      let pieces = 0
      try {
        for await (const parts of found.model.ask(turn(model), AbortSignal.timeout(120_000), { tokenId: 'tok' })) {
          heard.push(JSON.stringify(parts))
          if (++pieces >= stopAfter) break
        }
      } catch {
        // How it fails is the runner's matter; here only what is remembered of it counts.
      }
    }
    await ask('echo')
    for (const model of ['status-500', 'status-401', 'reset', 'error-mid']) await ask(model)
    await ask('drip-20', 1)
    // The provider did receive and say what must not be kept.
    expect(JSON.stringify(provider.requests)).toContain('planted-question')
    expect(heard.join()).toContain('planted-question')
    await expect.poll(() => harness.metered).toHaveLength(6)
    for (const call of harness.metered) usage.meter(call)
    await usage.flush()

    const tables = harness.database.tables<Record<string, Record<string, unknown>>>()
    const rows: string[] = []
    for (const name of Object.keys(columns)) {
      const found = await tables.selectFrom(name).selectAll().execute()
      rows.push(...found.map((row) => `${name} ${JSON.stringify(row)}`))
    }
    const all = rows.join('\n')
    for (const secret of [...planted, key, provider.address]) expect(all).not.toContain(secret)
    const events = await tables.selectFrom('usage_events').selectAll().orderBy('id').execute()
    expect(events.map(({ model, status }) => [model, status])).toEqual([
      ['echo', 'success'],
      ['status-500', 'error'],
      ['status-401', 'error'],
      ['reset', 'error'],
      ['error-mid', 'error'],
      ['drip-20', 'cancelled'],
    ])
    for (const [name, expected] of Object.entries(columns)) {
      const [row] = await tables.selectFrom(name).selectAll().limit(1).execute()
      if (row) expect(Object.keys(row).sort(), name).toEqual([...expected].sort())
    }
    // A token's id is known to its budget's counter alone.
    expect(rows.filter((row) => row.includes('tok"') && !row.startsWith('usage_budget'))).toEqual([])
  })
})

const event = `id plugin_id plugin_name capability model status prompt_tokens completion_tokens cached_tokens
  reasoning_tokens unit_kind input_units output_units duration_ms first_token_ms created_at user_id error_class film_seconds`
const columns: Record<string, readonly string[]> = {
  usage_events: event.split(/\s+/),
  usage_sums: `account_id span start plugin_id model capability status plugin_name unit_kind calls metered_calls
    prompt_tokens completion_tokens cached_tokens reasoning_tokens input_units output_units duration_ms first_token_ms
    first_token_calls priced_calls cost`.split(/\s+/),
  usage_failures: 'account_id span start plugin_id model capability error_class calls'.split(' '),
  usage_latencies: 'account_id day plugin_id model capability measure bucket calls'.split(' '),
  usage_budget_counters: 'budget_id subject period_start spent reserved'.split(' '),
  usage_budget_reservations: 'id budget_id subject period_start amount process_id expires_at'.split(' '),
  usage_budgets: 'id name principal_type principal_id unit amount period mode set_by created_at updated_at'.split(' '),
  usage_state: ['name', 'value'],
}
