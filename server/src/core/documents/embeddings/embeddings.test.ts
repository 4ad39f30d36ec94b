import { documentsRoutes as routes } from '@atrium/contract/documents'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProvider } from '../../../../../e2e/provider/provider.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { startTestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/chats.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { type DocumentHarness, openDocuments } from '../../../testing/document-harness.ts'
import { readToEnd, uploadAndRead } from '../../../testing/documents.ts'

const on = { enabled: true, providerId: 'local', model: 'meaning' }

withDatabase('vectors of documents', (open, dialect) => {
  let harness: DocumentHarness
  let overBudget: boolean
  beforeEach(async () => {
    overBudget = false
    harness = await openDocuments(open, {
      admit: async (call) => {
        if (overBudget) throw new ProviderFailure('over_budget', 'The budget is used up.')
        return call
      },
    })
  })
  afterEach(() => harness?.close())

  const status = () => harness.ann.call(routes.embeddingsStatus, {})
  const asked = () =>
    harness.provider.requests
      .filter(({ path }) => path === '/api/embed')
      .map(({ body }) => (body as { input: string[] }).input)
  const stateOf = async (documentId: string) =>
    (await harness.ann.call(routes.read, { params: { documentId } })).embedding.state
  const jobs = async () =>
    (await harness.ann.call(durableJobsRoutes.list, {})).items.filter(({ kind }) => kind === 'documents.embed')
  const ended = () => until(async () => (await jobs()).every(({ finishedAt }) => finishedAt !== null))

  test('settings are kept, changed in part and put back, and the overlap stays smaller than the chunk', async () => {
    const read = () => harness.ann.call(routes.embeddingSettings, {})
    const defaults = await read()
    expect(defaults).toMatchObject({ enabled: false, chunkSize: 1000, chunkOverlap: 200, similarityThreshold: 0.3 })
    await harness.settings(harness.ann, { similarityThreshold: 0.5, maxExcerpts: 9 })
    await harness.settings(harness.ann, { rerank: true })
    expect(await read()).toEqual({ ...defaults, similarityThreshold: 0.5, maxExcerpts: 9, rerank: true })
    expect(await harness.bob.call(routes.embeddingSettings, {})).toEqual(defaults)
    for (const [body, path] of [
      [{ chunkOverlap: 1000 }, 'body.chunkOverlap'],
      [{ chunkSize: 200 }, 'body.chunkSize'],
    ] as const) {
      const { code, problem } = await harness.ann.refusal(routes.updateEmbeddingSettings, { body })
      expect(code).toBe('validation_failed')
      expect(problem.errors).toMatchObject([{ path }])
    }
    await harness.settings(harness.ann, { chunkSize: 300, chunkOverlap: 100 })
    expect(await harness.ann.call(routes.resetEmbeddingSettings, {})).toEqual(defaults)
    expect(await read()).toEqual(defaults)
  })

  test('the models that make vectors are listed', async () => {
    const listed = async () => {
      const { items } = await harness.ann.call(routes.embeddingModels, {})
      return items.map(({ providerId, model }) => `${providerId} ${model}`)
    }
    // A list is given without those of a runtime that takes longer than a second.
    await expect.poll(listed).toEqual(['local meaning:latest', 'local meaning-too:latest'])
  })

  test('documents from before get vectors when they are switched on, many in one request', async () => {
    for (let at = 0; at < 10; at++) await uploadAndRead(harness.ann, `Text number ${at}.`, { name: `${at}.txt` })
    expect(await status()).toMatchObject({ available: false, totalChunks: 10, chunksWithEmbeddings: 0, jobId: null })
    await harness.settings(harness.ann, on)
    await harness.embedded(harness.ann)
    expect(await status()).toMatchObject({
      available: true,
      detail: null,
      model: 'meaning',
      providerId: 'local',
      totalChunks: 10,
      chunksWithEmbeddings: 10,
      documentsPending: 0,
      documentsFailed: 0,
      jobId: null,
    })
    expect(asked()).toHaveLength(1)
    expect(asked()[0]).toHaveLength(10)
    const [job] = await jobs()
    expect(job).toMatchObject({ state: 'succeeded', progress: { current: 10, total: 10 } })
    expect(harness.told).toContain('ann document-changed')
  })

  test('a document that comes in later is embedded, too, and a big one in several requests', async () => {
    await harness.settings(harness.ann, { ...on, chunkSize: 200, chunkOverlap: 0 })
    const words = Array.from({ length: 2000 }, (_, at) => `Word${at} stands here.`).join(' ')
    const { id, chunks } = await uploadAndRead(harness.ann, words)
    await harness.embedded(harness.ann)
    expect(chunks).toBeGreaterThan(130)
    expect(asked().flat()).toHaveLength(chunks)
    expect(asked().length).toBeGreaterThan(2)
    expect(Math.max(...asked().map((texts) => texts.length))).toBeLessThanOrEqual(64)
    expect((await harness.ann.call(routes.read, { params: { documentId: id } })).embedding).toEqual({
      state: 'done',
      chunks,
    })
  })

  test('a busy model is waited for', async () => {
    await harness.settings(harness.ann, on)
    harness.provider.control({ fault: 'status-429', times: 2 })
    const { id } = await uploadAndRead(harness.ann, 'The car needs fuel.')
    await harness.embedded(harness.ann)
    expect(await stateOf(id)).toBe('done')
    expect(asked()).toHaveLength(3)
  })

  test('while the model is away documents wait and words find them, and it goes on later', async () => {
    await harness.settings(harness.ann, on)
    harness.provider.control({ fault: 'status-503' })
    const { id } = await uploadAndRead(harness.ann, 'The car needs fuel.', { name: 'car.txt' })
    await until(async () => (await jobs())[0]?.state === 'failed')
    expect(await status()).toMatchObject({ documentsPending: 1, chunksWithEmbeddings: 0, jobId: null })
    expect(await stateOf(id)).toBe('pending')
    harness.provider.control({ fault: null })
    const { items, retrieval } = await harness.ask('ann', 'car')
    expect(items).toHaveLength(1)
    expect(retrieval.notes).toEqual([{ code: 'embeddings_pending', count: 1 }])
    const begun = (await jobs()).length
    await harness.upkeep(60_000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await jobs()).toHaveLength(begun)
    await harness.upkeep(15 * 60_000)
    await until(async () => (await jobs()).length > begun)
    await harness.embedded(harness.ann)
    expect(await stateOf(id)).toBe('done')
  })

  test('a document that the model refuses is given up, keeps its words, and gets another try on demand', async () => {
    const [first, second] = [
      await uploadAndRead(harness.ann, 'The car.'),
      await uploadAndRead(harness.ann, 'The doctor.'),
    ]
    harness.provider.control({ fault: 'status-400', times: 2 })
    await harness.settings(harness.ann, on)
    await harness.embedded(harness.ann)
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['failed', 'done'])
    expect(await status()).toMatchObject({ documentsFailed: 1, chunksWithEmbeddings: 1 })
    const { items, retrieval } = await harness.ask('ann', 'car')
    expect(items).toHaveLength(1)
    expect(retrieval.notes).toEqual([{ code: 'embeddings_failed', count: 1 }])
    expect(await harness.ann.call(routes.regenerateEmbeddings, {})).toMatchObject({ documentsTotal: 2, chunksTotal: 2 })
    await harness.embedded(harness.ann)
    expect(await status()).toMatchObject({ documentsFailed: 0, chunksWithEmbeddings: 2 })
  })

  test('a budget that is used up ends it with that reason, and nothing is asked', async () => {
    overBudget = true
    await harness.settings(harness.ann, on)
    const { id } = await uploadAndRead(harness.ann, 'The car needs fuel.')
    await until(async () => (await jobs())[0]?.state === 'failed')
    expect((await jobs())[0]?.failure).toEqual({ code: 'over_budget', detail: 'The budget is used up.' })
    expect(await stateOf(id)).toBe('pending')
    expect(asked()).toEqual([])
  })

  test('another model makes all vectors anew, and those of the first one go', async () => {
    await harness.settings(harness.ann, on)
    const { id } = await uploadAndRead(harness.ann, 'Our automobile is green.', { name: 'car.txt' })
    await harness.embedded(harness.ann)
    expect(await harness.indexes.vectors.count('local/meaning', [id])).toEqual(new Map([[id, 1]]))
    await harness.settings(harness.ann, { model: 'meaning-too' })
    await harness.embedded(harness.ann)
    expect(await harness.indexes.vectors.count('local/meaning', [id])).toEqual(new Map())
    expect(await harness.indexes.vectors.count('local/meaning-too', [id])).toEqual(new Map([[id, 1]]))
    expect((await harness.ask('ann', 'vehicle')).items).toHaveLength(1)
  })

  test('switched off and on again, vectors that are there are not asked for again', async () => {
    await harness.settings(harness.ann, on)
    const { id } = await uploadAndRead(harness.ann, 'Our automobile is green.')
    await harness.embedded(harness.ann)
    await harness.settings(harness.ann, { enabled: false })
    expect(await stateOf(id)).toBe('off')
    expect((await harness.ask('ann', 'vehicle')).retrieval).toMatchObject({ mode: 'keyword', nothingMatched: true })
    await harness.settings(harness.ann, on)
    await harness.embedded(harness.ann)
    expect(await stateOf(id)).toBe('done')
    expect(
      asked()
        .flat()
        .filter((text) => text.includes('green')),
    ).toHaveLength(1)
  })

  test('another size of chunks cuts every document anew from its text', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `Sentence ${at} is about the zebra of the zoo.`).join(' ')
    const { id, chunks } = await uploadAndRead(harness.ann, text, { name: 'zebra.txt' })
    await harness.settings(harness.ann, { ...on, chunkSize: 300, chunkOverlap: 50 })
    await until(async () => (await jobs()).some(({ state }) => state === 'succeeded'))
    await harness.embedded(harness.ann)
    const after = await readToEnd(harness.ann, id)
    expect(after.chunks).toBeGreaterThan(2 * chunks)
    expect(after.embedding).toEqual({ state: 'done', chunks: after.chunks })
    const { items } = await harness.ann.call(routes.search, { body: { query: 'zebra', limit: 1 } })
    expect(items[0]?.content).toContain('zebra')
    const { content } = await harness.ann.call(routes.read, { params: { documentId: id } })
    expect(content).toBe(text)
  })

  test('only one runs at a time, it can be cancelled, and a document that goes meanwhile does no harm', async () => {
    harness.provider.control({ fault: 'stall-headers' })
    const { id } = await uploadAndRead(harness.ann, 'The car needs fuel.')
    await harness.settings(harness.ann, on)
    await until(() => asked().length === 1)
    expect((await harness.ann.refusal(routes.regenerateEmbeddings, {})).code).toBe('regeneration_running')
    const { jobId } = await status()
    await harness.ann.call(durableJobsRoutes.cancel, { params: { id: jobId ?? '' } })
    await ended()
    expect((await jobs())[0]?.state).toBe('cancelled')
    expect(await stateOf(id)).toBe('pending')
    const before = asked().length
    await harness.ann.call(routes.regenerateEmbeddings, {})
    await until(() => asked().length > before)
    await harness.ann.call(routes.remove, { params: { documentId: id } })
    harness.provider.control({ fault: null })
    await ended()
    expect(await status()).toMatchObject({ totalChunks: 0, documentsPending: 0 })
    expect((await harness.ask('ann', 'car')).items).toEqual([])
  })

  test('a model that is not there is told, and nothing is begun', async () => {
    await harness.settings(harness.ann, { ...on, model: 'nowhere' })
    expect(await status()).toMatchObject({ available: false, detail: expect.stringContaining('no model nowhere') })
    await ended()
    expect(await harness.ann.refusal(routes.regenerateEmbeddings, {})).toMatchObject({ code: 'model_unavailable' })
    expect(asked()).toEqual([])
  })

  test('after a kill -9 it goes on where it was', async () => {
    const provider = await startProvider()
    provider.control({ models: ['meaning'] })
    const app = await startTestApp({
      dialect,
      ownProcess: true,
      env: { OLLAMA_BASE_URL: provider.url },
    })
    try {
      const ann = await app.signUpAdmin()
      const now = () => ann.call(routes.embeddingsStatus, {})
      const sent = () =>
        provider.requests
          .filter(({ path }) => path === '/api/embed')
          .map(({ body }) => (body as { input: string[] }).input)
      await ann.call(routes.updateEmbeddingSettings, { body: { ...on, chunkSize: 200, chunkOverlap: 0 } })
      const text = Array.from({ length: 3000 }, (_, at) => `Word${at} stands here.`).join(' ')
      const { chunks } = await uploadAndRead(ann, text)
      await until(() => sent().length > 1)
      provider.control({ fault: 'stall-headers' })
      await until(async () => provider.requests.at(-1)?.ended === 'running')
      await app.kill()
      const before = sent().slice(0, -1).flat()
      provider.control({ fault: null })
      const requests = sent().length
      await app.restart()
      await until(async () => (await now()).chunksWithEmbeddings === chunks)
      const after = sent().slice(requests).flat()
      expect(before.length).toBeGreaterThan(0)
      expect(before.length + after.length).toBe(chunks)
    } finally {
      await app.close()
      await provider.close()
    }
  })
})
