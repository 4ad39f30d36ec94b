/** The stop of the server, as those see it who follow an answer. */
import { chatRoutes } from '@atrium/contract/chat'
import { expect, test } from 'vitest'
import { startProvider } from '../../../e2e/provider/provider.ts'
import { startTestApp } from '../testing/app.ts'

const model = 'long-400-drip-30:stopped'

test('who follows an answer while the server stops is told its end, once', async () => {
  const provider = await startProvider()
  provider.control({ models: [model] })
  const app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url } })
  try {
    const ann = await app.signUpAdmin()
    const selection = { providerType: 'local', providerId: null, model } as const
    const { id: sessionId } = await ann.call(chatRoutes.create, { body: { selection } })
    await ann.call(chatRoutes.startGeneration, { params: { sessionId }, body: { message: 'Write.' } })
    const begun = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    const followers = begun.map(async ({ resolve }) => {
      const seen: string[] = []
      for await (const { event } of ann.follow(chatRoutes.events, { params: { sessionId } })) {
        seen.push(event.type === 'error' ? event.data.code : event.type)
        resolve()
      }
      return seen
    })
    await Promise.all(begun.map(({ promise }) => promise))
    await app.stop()
    for (const seen of await Promise.all(followers)) {
      expect(seen.at(-1)).toBe('interrupted')
      expect(seen.filter((type) => ['done', 'interrupted', 'cancelled', 'unavailable'].includes(type))).toEqual([
        'interrupted',
      ])
    }
  } finally {
    await app.close()
    await provider.close()
  }
})
