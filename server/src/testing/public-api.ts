/** Atrium with the model server behind it, one connection per wire, and clients of both families in front of it. */
import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { vi } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { faultKinds } from '../../../e2e/provider/state.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts'
import type { Client } from './client.ts'

export interface PublicApiHarness {
  readonly app: TestApp
  readonly provider: Provider
  readonly admin: Client
  /** The model server forgets what it was told to do. */
  calm(): void
  openai(token?: string): OpenAI
  anthropic(token?: string): Anthropic
  close(): Promise<void>
}

/** The provider that stands for each wire. */
export const providerOfWire = {
  ollama: 'local',
  'chat-completions': 'chat',
  responses: 'answers',
  anthropic: 'anthropic',
  gemini: 'gemini',
  bedrock: 'bedrock',
} as const
export type TestedWire = keyof typeof providerOfWire

const testModels = [
  'echo',
  'markdown',
  'thinker',
  'tagger',
  'caller',
  'long-50',
  'long-2000-drip-20',
  'drip-20',
  'absent',
]

export const startPublicApi = async (options: TestAppOptions = {}): Promise<PublicApiHarness> => {
  const provider = await startProvider()
  const env = { OLLAMA_BASE_URL: provider.url, OUTBOUND_ALLOW: provider.address, ...options.env }
  const app = await startTestApp({ ...options, env })
  const admin = await app.signUpAdmin()
  const names = [...testModels, ...faultKinds]
  provider.control({ models: names, strict: true })
  const at = (path: string) => provider.url + path
  await connect(admin, names, { id: 'chat', endpoint: at('/v1/chat/completions') })
  await connect(admin, names, { id: 'answers', endpoint: at('/v1/responses'), api_mode: 'responses' })
  await connect(admin, names, { id: 'anthropic', endpoint: at('/v1/messages') })
  await connect(admin, names, { id: 'gemini', endpoint: at('/v1beta/models/{model}:generateContent') })
  await connect(admin, names, { id: 'bedrock', endpoint: at('/model/{model}/converse') })
  // Whoever asks before the first look at the runtime is over gets a list without its models.
  const isKnown = async () =>
    (await admin.call(connectionsRoutes.models, {})).providers.every(({ state }) => state !== 'not-checked')
  await vi.waitUntil(isKnown, { timeout: 120_000 })
  const common = { maxRetries: 0 }
  return {
    app,
    provider,
    admin,
    calm: () => provider.control({ reset: true, models: names, strict: true }),
    openai: (token = admin.token) => new OpenAI({ ...common, apiKey: token ?? '', baseURL: `${app.url}/v1` }),
    anthropic: (token = admin.token) =>
      new Anthropic({ ...common, apiKey: null, authToken: token ?? '', baseURL: app.url }),
    async close() {
      await app.close()
      await provider.close()
    },
  }
}

/** Installs a definition (in the place of Atrium's own, where one of this id has a wire of its own), and uses it. */
const connect = async (
  admin: Client,
  model_map: string[],
  about: Pick<Definition, 'id' | 'endpoint'> & Partial<Definition>,
): Promise<void> => {
  const auth = { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' }
  const body = { name: about.id, type: 'completion' as const, auth, model_map, ...about }
  await admin.call(connectionsRoutes.installPlugin, { body })
  const params = { id: about.id }
  await admin.call(connectionsRoutes.saveKey, { params, body: { apiKey: 'key' } })
  await admin.call(connectionsRoutes.activate, { params })
}
