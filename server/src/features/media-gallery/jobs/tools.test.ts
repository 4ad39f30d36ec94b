import { expect, test } from 'vitest'
import { migrations } from '../../../app/areas.ts'
import { createSearchIndexes } from '../../../platform/db/search/index.ts'
import { createFiles } from '../../../platform/files/files.ts'
import { createLog } from '../../../platform/log/log.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import type { ImageAsk } from '../../../providers/operations/index.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { callTool } from '../../../testing/call-tool.ts'
import { realClock } from '../../../testing/clock.ts'
import { type Open, withDatabase } from '../../../testing/databases.ts'
import { samplePng } from '../../../testing/sample-pictures.ts'
import { createMediaGallery } from '../index.ts'
import { createMediaJobs } from './index.ts'

const begin = async (open: Open) => {
  const database = await open(migrations)
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 5), clock: realClock })
  const asked: ImageAsk[] = []
  const provider = { fails: false, waits: false }
  const config = { sizes: ['512x512', '768x512'], max_prompt_length: 100 }
  const model = { providerId: 'box', providerName: 'Box', model: 'drawer', config }
  const media = createMediaGallery({
    database,
    vault,
    files: createFiles({ database, vault, clock: realClock }),
    clock: realClock,
    log: createLog({ level: 'silent', write: () => undefined }),
    indexes: createSearchIndexes({ database, vault }),
    announce: async () => undefined,
    galleryQuotaBytes: 0,
    accountQuotaBytes: async () => 0,
  })
  const call = async (ask: ImageAsk, signal: AbortSignal) => {
    asked.push(ask)
    if (provider.waits)
      await new Promise((_, stop) => signal.addEventListener('abort', () => stop(signal.reason as Error)))
    if (provider.fails) throw new ProviderFailure('rejected', 'The provider did not like it.')
    const pictures = [{ bytes: samplePng(8, 8), mediaType: 'image/png', revisedPrompt: null }]
    return { pictures, missing: null, inputTokens: null, outputTokens: null }
  }
  const jobs = createMediaJobs(media.context, {
    processId: 'here',
    unitPriceOf: () => null,
    secondPriceOf: () => null,
    usualImage: async () => undefined,
    collects: false,
    connections: {
      capabilityModels: async (accountId) => (accountId === 'ada' ? [model] : []),
      capability: async (accountId) =>
        accountId === 'ada'
          ? { usable: { ...model, mostSources: 0, takesAvif: false, call: call as never } }
          : { unavailable: 'There is none.' },
      video: async () => ({ unavailable: 'There is none.' }),
    },
  })
  const gallery = (accountId: string) => media.resources.media.count(accountId)
  return { tools: jobs.tools, asked, provider, gallery }
}

withDatabase('pictures that a model has made', (open) => {
  test('are in the gallery and in the result, once for a call', async () => {
    const { tools, asked, gallery } = await begin(open)
    const make = (callId: string) =>
      callTool(tools, 'make_image', 'ada', { prompt: 'A boat', shape: 'landscape' }, { callId })
    const made = await make('call-1')
    expect(made.media).toMatchObject([{ mediaType: 'image/png' }])
    expect(made.links).toMatchObject([{ kind: 'media' }])
    expect(asked).toMatchObject([{ prompt: 'A boat', size: '768x512' }])
    expect((await make('call-1')).links).toEqual(made.links)
    expect([asked.length, await gallery('ada')]).toEqual([1, 1])
    await make('call-2')
    expect([asked.length, await gallery('ada')]).toEqual([2, 2])
  })

  test('are offered only where a model can make them', async () => {
    const { tools, asked } = await begin(open)
    const [tool] = tools
    expect([await tool?.isAvailable?.('ada', 'user'), await tool?.isAvailable?.('bob', 'user')]).toEqual([true, false])
    await expect(callTool(tools, 'make_image', 'bob', { prompt: 'A boat' })).rejects.toMatchObject({
      code: 'model_unavailable',
    })
    expect(asked).toEqual([])
  })

  test('are refused in words, and a call that failed is not paid for again', async () => {
    const { tools, asked, provider } = await begin(open)
    expect(await callTool(tools, 'make_image', 'ada', { prompt: 'x'.repeat(101) })).toMatchObject({
      isError: true,
      text: expect.stringContaining('at most 100 characters'),
    })
    provider.fails = true
    const make = () => callTool(tools, 'make_image', 'ada', { prompt: 'A boat' })
    await expect(make()).rejects.toMatchObject({ code: 'provider_rejected' })
    await expect(make()).rejects.toMatchObject({ code: 'provider_rejected' })
    expect(asked).toHaveLength(1)
  })

  test('are stopped with the call', async () => {
    const { tools, asked, provider, gallery } = await begin(open)
    provider.waits = true
    const stop = new AbortController()
    const outcome = callTool(tools, 'make_image', 'ada', { prompt: 'A boat' }, { signal: stop.signal }).then(
      () => 'made',
      () => 'stopped',
    )
    await expect.poll(() => asked.length).toBe(1)
    stop.abort()
    expect(await outcome).toBe('stopped')
    expect(await gallery('ada')).toBe(0)
  })
})
