/** Atrium with the model server behind it, one connection per wire, and clients of both families in front of it. */
import { modelManagement } from '@atrium/contract/model-management'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { faultKinds } from '../../../e2e/provider/state.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts'
import type { Client } from './client.ts'

export interface PublicApiHouse {
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
export const providerOfWire = { ollama: 'local', 'chat-completions': 'chat' } as const
export type TestedWire = keyof typeof providerOfWire

const testModels = ['echo', 'markdown', 'thinker', 'tagger', 'caller', 'long-50', 'long-500-drip-20', 'drip-20', 'absent']

export const startPublicApi = async (options: TestAppOptions = {}): Promise<PublicApiHouse> => {
  const provider = await startProvider()
  const env = { OLLAMA_BASE_URL: provider.url, OUTBOUND_ALLOW: provider.address, ...options.env }
  const app = await startTestApp({ ...options, env })
  const admin = await app.signUpAdmin()
  const names = [...testModels, ...faultKinds]
  provider.control({ models: names })
  const url = `${provider.url}/v1/chat/completions`
  await admin.call(modelManagement.quick, { body: { name: 'chat', url, allowPrivate: true } })
  const common = { maxRetries: 0 }
  return {
    app,
    provider,
    admin,
    calm: () => provider.control({ reset: true, models: names }),
    openai: (token = admin.token) => new OpenAI({ ...common, apiKey: token ?? '', baseURL: `${app.url}/v1` }),
    anthropic: (token = admin.token) =>
      new Anthropic({ ...common, apiKey: null, authToken: token ?? '', baseURL: app.url }),
    async close() {
      await app.close()
      await provider.close()
    },
  }
}
