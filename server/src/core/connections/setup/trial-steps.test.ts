import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import { type ConnectionsHarness, openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'

withDatabase('a test of a connection', (open) => {
  let provider: Provider
  let harness: ConnectionsHarness
  const params = { id: 'acme' }

  beforeEach(async () => {
    provider = await startProvider()
    harness = await openConnections(open, { privateAddresses: [provider.address], bundled: [] })
    const body: Definition = {
      id: 'acme',
      name: 'Acme',
      type: 'completion',
      model_map: ['echo'],
      endpoint: `${provider.url}/v1/chat/completions`,
      auth: { header: '', key_env: '' },
    }
    await harness.ann.call(connectionsRoutes.installPlugin, { body })
  })
  afterEach(async () => {
    await harness.close()
    await provider.close()
  })

  test('tells each step when it is done, and which are under way', async () => {
    const heard: string[] = []
    for await (const { seq, event } of harness.ann.follow(connectionsRoutes.test, { params, body: {} })) {
      heard.push(event.type === 'step' ? `${event.data.step} ${event.data.state}` : JSON.stringify(event.data))
      expect(seq).toBe(heard.length)
      if (event.type === 'ended') expect(event.data.steps).toHaveLength(5)
    }
    expect(heard.slice(0, -1)).toEqual([
      '{"step":"resolve"}',
      'resolve ok',
      '{"step":"reach"}',
      '{"step":"models"}',
      'reach ok',
      'models ok',
      '{"step":"authorise"}',
      '{"step":"chat"}',
      'authorise ok',
      'chat ok',
    ])
  })

  test('tells what is done while the rest still waits', async () => {
    provider.control({ firstTokenMs: 3000 })
    const at: Record<string, number> = {}
    for await (const { event } of harness.ann.follow(connectionsRoutes.test, { params, body: {} })) {
      if (event.type === 'step') at[event.data.step] = performance.now()
    }
    expect((at['chat'] ?? 0) - (at['models'] ?? 0)).toBeGreaterThan(500)
  })

  test.each(['models', 'chat'])('stops when whoever asked for it leaves, at %s', async (step) => {
    provider.control(step === 'chat' ? { fault: 'stall-headers' } : { listFault: 'stall-headers' })
    const leave = new AbortController()
    const events = harness.ann.follow(connectionsRoutes.test, { params, body: {} }, { signal: leave.signal })
    const done: string[] = []
    for await (const { event } of events) {
      if (event.type === 'step') done.push(event.data.step)
      if (event.type !== 'started' || event.data.step !== step) continue
      await expect.poll(() => provider.requests.at(-1)?.path).toBe(paths[step])
      leave.abort()
    }
    expect(done).not.toContain(step)
    await expect.poll(() => provider.requests.at(-1)?.ended).toBe('aborted')
    expect(provider.requests.at(-1)?.path).toBe(paths[step])
    if (step === 'chat') await expect.poll(() => harness.metered).toMatchObject([{ status: 'cancelled' }])
    else expect(harness.metered).toEqual([])
  })

  test('of a connection that is not there is refused before it begins', async () => {
    const call = { params: { id: 'nobody' }, body: {} }
    expect(await harness.ann.refusal(connectionsRoutes.test, call)).toMatchObject({
      status: 404,
      code: 'plugin_not_found',
    })
  })
})

const paths: Record<string, string> = { models: '/v1/models', chat: '/v1/chat/completions' }
