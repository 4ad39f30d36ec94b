import { documentKnowledge as routes } from '@atrium/contract/document-knowledge'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { upload, uploadAndRead } from '../../testing/documents.ts'

describe.each(['sqlite', 'postgres'] as const)('documents (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    ann = await app.signUpAdmin()
  })
  afterAll(() => app?.close())

  test('are taken in at once, read in the background, and found by their words', async () => {
    const accepted = await upload(ann, 'The aardvark sleeps under the veranda.', { name: 'animals.txt' })
    expect(accepted).toMatchObject({ filename: 'animals.txt', fileType: 'txt', deduplicated: false })
    expect(accepted.jobId).toEqual(expect.any(String))
    const read = await uploadAndRead(ann, 'Another text about a wombat.', { name: 'wombat.md' })
    expect(read).toMatchObject({ processingStatus: 'completed', fileType: 'md', chunks: 1 })
    const { items } = await ann.call(routes.search, { body: { query: 'wombat' } })
    expect(items).toMatchObject([{ documentId: read.id, filename: 'wombat.md' }])
  })
})
