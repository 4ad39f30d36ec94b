import { chatRoutes } from '@atrium/contract/chat'
import { connectionsRoutes } from '@atrium/contract/connections'
import { mediaMakingRoutes } from '@atrium/contract/media-gallery'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/chats.ts'

let app: TestApp
let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
  app = await startTestApp({ env: { OUTBOUND_ALLOW: provider.address }, ownProcess: true })
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

test('what was being made in a chat when the process was killed stands as interrupted, and is asked for once', async () => {
  const ann = await app.signUpAdmin()
  const at = (path: string) => `${provider.url}${path}`
  const image = { endpoint: at('/v1/images/generations'), model_map: ['stall-headers'] }
  const body = {
    id: 'box',
    name: 'Box',
    type: 'completion' as const,
    endpoint: at('/v1/chat/completions'),
    auth: { header: '', key_env: '' },
    model_map: ['echo'],
    capabilities: { image },
  }
  await ann.call(connectionsRoutes.installPlugin, { body })
  await ann.call(connectionsRoutes.activate, { params: { id: 'box' } })
  const params = { sessionId: (await ann.call(chatRoutes.create, { body: {} })).id }
  const make = { kind: 'image' as const, model: 'stall-headers', pluginId: 'box' }
  await ann.call(chatRoutes.startMaking, { params, body: { message: 'A boat', make } })
  const asked = () => provider.requests.filter(({ path }) => path === '/v1/images/generations').length
  await until(() => asked() === 1)
  await app.kill()
  await app.restart()
  const answer = async () => (await ann.call(chatRoutes.read, { params })).messages.items.at(-1)
  await until(async () => (await answer())?.status === 'interrupted', 30_000)
  const jobId = (await answer())?.making?.jobId
  const { items } = await ann.call(mediaMakingRoutes.jobs, { query: {} })
  expect(items).toMatchObject([{ id: jobId, status: 'failed', error: 'interrupted' }])
  expect(asked()).toBe(1)
}, 60_000)
