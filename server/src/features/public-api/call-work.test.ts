import { createHook } from 'node:async_hooks'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchDatabaseWork } from '../../testing/database-work.ts'
import { type PublicApiHarness, startPublicApi } from '../../testing/public-api.ts'

let harness: PublicApiHarness
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  harness = await startPublicApi()
})
afterAll(async () => {
  agent.destroy()
  await harness?.close()
})

/** By Node's own client, which has no timers. */
const ask = (token: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const asking = request(`${harness.app.url}/v1/chat/completions`, { method: 'POST', headers, agent })
    asking.on('error', reject)
    asking.on('response', (response) => void text(response).then(resolve, reject))
    asking.end(JSON.stringify({ model: 'chat/echo', messages: [{ role: 'user', content: 'Hello' }] }))
  })

/** Node and the HTTP client arm timers for each connection that falls idle; those are not counted. */
const isOurs = (stack = ''): boolean => {
  const armed = stack.split('\n').find((line) => line.includes('/') && !line.includes('node:') && !line.includes(here))
  return armed?.includes('/server/src/') === true
}
const here = import.meta.filename

const calls = 200

test('a call arms one timer of its own, and asks nothing of the database', async () => {
  const body = { name: 'counted', scopes: ['inference' as const], ratePerMinute: 10_000 }
  const { token } = await harness.admin.call(apiTokensRoutes.createToken, { body })
  for (let n = 0; n < 10; n += 1) expect(await ask(token)).toContain('You said: Hello')
  let timers = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'Timeout' && isOurs(new Error().stack)) timers += 1
    },
  })
  const database = watchDatabaseWork()
  hook.enable()
  try {
    for (let n = 0; n < calls; n += 1) await ask(token)
  } finally {
    hook.disable()
    database.stop()
  }
  // The deadline for the first piece. What is shared by all calls (usage that is written, models that are read again)
  // comes once in so many milliseconds, however many calls there are.
  expect(timers / calls).toBeGreaterThanOrEqual(1)
  expect(timers / calls).toBeLessThan(1.5)
  expect(database.messages.length / calls).toBeLessThan(0.5)
})
