import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PublicApiHarness, providerOfWire, startPublicApi } from '../../../testing/public-api.ts'

/** What the model server seals its thoughts with, and where it hears of them again. */
const sealedIn = {
  responses: { path: '/v1/responses', sealed: 'gAAAAABoISQ24OyVRYbkYfukdJoqdzWT' },
  anthropic: { path: '/v1/messages', sealed: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk=' },
} as const

describe('thoughts in the app as it runs', () => {
  let harness: PublicApiHarness
  beforeAll(async () => {
    harness = await startPublicApi()
  })
  afterAll(() => harness.close())

  test.each(['responses', 'anthropic'] as const)('go back over %s with the next question', async (wire) => {
    const { path, sealed } = sealedIn[wire]
    const selection = (model: string) => ({ providerType: 'plugin' as const, providerId: providerOfWire[wire], model })
    const { id } = await harness.admin.call(chatRoutes.create, { body: { selection: selection('thinker') } })
    const say = (message: string, model = 'thinker') =>
      harness.admin.call(chatRoutes.generate, {
        params: { sessionId: id },
        body: { message, options: { think: true }, modelOverride: selection(model) },
      })
    const asked = (words: string) =>
      JSON.stringify(
        harness.provider.requests.findLast((seen) => seen.path === path && JSON.stringify(seen.body).includes(words))
          ?.body,
      )
    const first = await say('Question one')
    expect(first.reasoning).toContain('First I look at the question')
    expect(asked('Question one')).not.toContain(sealed)
    const second = await say('Question two')
    expect(second.content).toContain('You said: Question two')
    expect(asked('Question two')).toContain(sealed)
    await say('Question three', 'echo')
    expect(asked('Question three')).not.toContain(sealed)
    expect(JSON.stringify(await harness.admin.call(chatRoutes.read, { params: { sessionId: id } }))).not.toContain(
      sealed,
    )
  })
})
