/** Support access and open streams: what an administrator opens goes on as it does for its owner, and ends when it ends. */
import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { usualDialects } from '../testing/databases.ts'

const model = 'long-100:trial'

describe.each(usualDialects)('support access (%s)', (dialect) => {
  let provider: Provider
  let app: TestApp
  let admin: Client
  let ann: Client
  beforeAll(async () => {
    provider = await startProvider()
    provider.control({ models: [model] })
    app = await startTestApp({ dialect, env: { OLLAMA_BASE_URL: provider.url } })
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  const letGo = () => provider.control({ holdAfter: null })
  /** A chat of Ann's in which an answer is being written, which stands still until it is let go. */
  const talking = async () => {
    provider.control({ holdAfter: 20 })
    const selection = { providerType: 'local', providerId: null, model } as const
    const { id: sessionId } = await ann.call(chatRoutes.create, { body: { title: 'Private', selection } })
    await ann.call(chatRoutes.startGeneration, { params: { sessionId }, body: { message: 'Write.' } })
    return sessionId
  }
  const begin = async () => {
    const { id: accountId } = await ann.call(accountsRoutes.me, {})
    const body = { accountId, reason: 'She asked for help with this chat.', hours: 1, password: testPassword }
    return await admin.call(accessRoutes.startBreakGlass, { body })
  }

  test('an answer is followed to its end, as long as the access lasts', async () => {
    const sessionId = await talking()
    expect(await admin.refusal(chatRoutes.read, { params: { sessionId } })).toMatchObject({ code: 'chat_not_found' })
    const { id } = await begin()
    const seen: string[] = []
    for await (const { event } of admin.follow(chatRoutes.events, { params: { sessionId } })) {
      seen.push(event.type)
      letGo()
    }
    expect(seen.at(-1)).toBe('done')
    await admin.call(accessRoutes.endBreakGlass, { params: { id } })
  })

  test('ending it cuts what is open', async () => {
    const sessionId = await talking()
    const { id } = await begin()
    const seen: string[] = []
    const begun = Promise.withResolvers<void>()
    const following = (async () => {
      for await (const { event } of admin.follow(chatRoutes.events, { params: { sessionId } })) {
        seen.push(event.type)
        begun.resolve()
      }
    })().catch(() => undefined)
    await begun.promise
    await admin.call(accessRoutes.endBreakGlass, { params: { id } })
    // However it is told: a last word, or a stream that is over.
    await following
    expect(seen).toContain('start')
    expect(seen).not.toContain('done')
    expect(await admin.refusal(chatRoutes.read, { params: { sessionId } })).toMatchObject({ code: 'chat_not_found' })
  })
})
