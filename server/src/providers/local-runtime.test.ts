import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import type { Outbound } from '../platform/outbound/types.ts'
import { createLocalRuntime, type LocalRuntime, type RuntimeProgress } from './local-runtime.ts'

let provider: Provider
let outbound: Outbound
let runtime: LocalRuntime

beforeAll(async () => {
  provider = await startProvider()
  outbound = createOutbound({ allowed: () => new Set([provider.address]), log: createLog({ level: 'silent' }) })
  runtime = createLocalRuntime(outbound)
})
afterEach(() => provider.control({ reset: true }))
afterAll(async () => {
  await outbound.close()
  await provider.close()
})

describe('the local runtime', () => {
  test('tells its version', async () => {
    expect(await runtime.version(provider.url)).toBe('0.12.6')
    expect(await runtime.version(`${provider.url}/`)).toBe('0.12.6')
  })

  test('lists its models with details, asked once per digest', async () => {
    const fresh = createLocalRuntime(outbound)
    const models = await fresh.models(provider.url)
    expect(models.find((model) => model.name === 'thinker:latest')).toMatchObject({
      contextWindow: 32_768,
      capabilities: ['completion', 'tools', 'thinking'],
      family: 'llama',
      parameterSize: '3.2B',
      quantization: 'Q4_K_M',
    })
    expect(provider.count('/api/show')).toBe(models.length)
    await fresh.models(provider.url)
    expect(provider.count('/api/show')).toBe(models.length)
  })

  test('embeds texts in their order', async () => {
    const vectors = await runtime.embed(provider.url, 'embedder', ['a', 'b'], new AbortController().signal)
    expect(vectors.map((vector) => vector.length)).toEqual([8, 8])
    expect(vectors[0]).not.toEqual(vectors[1])
  })

  test('shows what is loaded, and frees it', async () => {
    provider.control({})
    const load = { method: 'POST', body: JSON.stringify({ model: 'echo', messages: [] }) }
    await fetch(`${provider.url}/api/chat`, load)
    expect(await runtime.running(provider.url)).toMatchObject([{ name: 'echo:latest', vramBytes: 500_000_000 }])
    await runtime.unload(provider.url, 'echo')
    expect(await runtime.running(provider.url)).toEqual([])
  })

  test('pulls with progress to the end, and deletes', async () => {
    const seen: RuntimeProgress[] = []
    for await (const progress of runtime.pull(provider.url, 'tiny', new AbortController().signal)) seen.push(progress)
    expect(seen[0]?.status).toBe('pulling manifest')
    expect(seen.at(-1)?.status).toBe('success')
    expect(seen.some(({ completed, total }) => completed === 3_000_000 && total === 5_000_000)).toBe(true)
    expect((await runtime.models(provider.url)).map((model) => model.name)).toContain('tiny:latest')
    await runtime.remove(provider.url, 'tiny')
    expect((await runtime.models(provider.url)).map((model) => model.name)).not.toContain('tiny:latest')
    await expect(runtime.remove(provider.url, 'tiny')).rejects.toMatchObject({ kind: 'rejected', status: 404 })
  })

  test('a pull that is stopped is dropped at the runtime', async () => {
    provider.control({ pullSteps: 1000 })
    const stop = new AbortController()
    const all = async () => {
      for await (const { completed } of runtime.pull(provider.url, 'tiny', stop.signal)) if (completed > 0) stop.abort()
    }
    await expect(all()).rejects.toMatchObject({ kind: 'aborted' })
    await new Promise((go) => setTimeout(go, 50))
    expect(provider.requests.at(-1)).toMatchObject({ path: '/api/pull', ended: 'aborted' })
    expect((await runtime.models(provider.url)).map((model) => model.name)).not.toContain('tiny:latest')
  })

  test('a pull of an unknown name says so', async () => {
    const all = async () => {
      for await (const _ of runtime.pull(provider.url, 'absent', new AbortController().signal));
    }
    await expect(all()).rejects.toMatchObject({ message: expect.stringContaining('Model not found') })
  })

  test('something else at the address is not taken for the runtime', async () => {
    await expect(runtime.models(`${provider.url}/v1`)).rejects.toMatchObject({ kind: 'rejected' })
  })
})
