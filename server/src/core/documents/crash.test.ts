import { setTimeout as sleep } from 'node:timers/promises'
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes as routes } from '@atrium/contract/documents'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { local } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { readToEnd, upload } from '../../testing/documents.ts'
import { usualDialects } from '../../testing/databases.ts'

describe.each(usualDialects)('a process that dies while it reads (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  beforeAll(async () => {
    app = await startTestApp({ dialect, ownProcess: true })
    ann = await app.signUpAdmin()
  })
  afterAll(() => app?.close())

  const text = Array.from({ length: 7_000 }, (_, n) => `Sentence ${n} tells of the sea and of ships, number ${n}.`)
    .map((sentence, n) => (n % 10 === 9 ? `${sentence}\n\n` : `${sentence} `))
    .join('')
  const hits = async (query: string, more: object = {}) =>
    (await ann.call(routes.search, { body: { query, limit: 50, ...more } })).items

  test('reads on where it is started again, once for all, with nothing half done in sight', async () => {
    const whole = await readToEnd(ann, (await upload(ann, text, { name: 'whole.txt' })).id)
    expect(whole).toMatchObject({ processingStatus: 'completed' })
    const { content } = await ann.call(routes.read, { params: { documentId: whole.id } })
    for (const stage of ['', 'reading', 'indexing']) {
      const { id: sessionId } = await ann.call(chatRoutes.create, { body: { selection: local('none') } })
      const { id, jobId } = await upload(ann, text, { name: 'again.txt', sessionId })
      const reached = async () => {
        const { progress, finishedAt } = await ann.call(durableJobsRoutes.read, { params: { id: jobId ?? '' } })
        return stage === '' || finishedAt !== null || (progress?.message?.startsWith(stage) ?? false)
      }
      for (;;) {
        // Looked for first: it may be read to its end between the two.
        const seen = await hits('ships', { sessionId, library: false })
        if (await reached()) break
        expect(seen).toEqual([])
        await sleep(10)
      }
      await app.kill()
      await app.restart()
      for (;;) {
        const seen = await hits('ships', { sessionId, library: false })
        const { processingStatus: state } = await ann.call(routes.read, { params: { documentId: id } })
        if (state === 'completed') break
        expect(seen).toEqual([])
        await sleep(50)
      }
      const read = await ann.call(routes.read, { params: { documentId: id } })
      const { processingStatus, chunks, contentChars, tokens } = whole
      expect(read).toMatchObject({ processingStatus, chunks, contentChars, tokens })
      expect(read.content).toBe(content)
      // Each passage is in the index once.
      const found = await hits('6987', { sessionId, library: false })
      expect(found).toHaveLength(1)
      expect(found[0]?.content).toContain('Sentence 6987 tells')
    }
  })

  test('loses no file that it answered for', async () => {
    const accepted = await Promise.all(
      Array.from({ length: 10 }, (_, n) => upload(ann, `A small file, number ${n}, about a heron.`)),
    )
    await app.kill()
    await app.restart()
    for (const { id } of accepted) expect(await readToEnd(ann, id)).toMatchObject({ processingStatus: 'completed' })
    expect(await hits('heron')).toHaveLength(10)
  })
})
