import { documentsRoutes as routes } from '@atrium/contract/documents'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callTool } from '../../testing/call-tool.ts'
import { withDatabase } from '../../testing/databases.ts'
import { type DocumentHarness, openDocuments } from '../../testing/document-harness.ts'
import { uploadAndRead } from '../../testing/documents.ts'

withDatabase('documents as tools of models', (open) => {
  let harness: DocumentHarness
  beforeEach(async () => {
    harness = await openDocuments(open)
  })
  afterEach(() => harness?.close())
  const call = (accountId: string, name: string, args: Record<string, unknown> = {}, chatId: string | null = null) =>
    callTool(harness.documents.tools, name, accountId, args, { chatId })

  test('are searched for passages to cite, each account among what it may read', async () => {
    expect((await call('ann', 'search_documents', { query: 'pump' })).text).toContain('no documents')
    const { id } = await uploadAndRead(harness.ann, '# Pumps\n\nThe pump has a warranty.', { name: 'manual.md' })
    const { sources, text } = await call('ann', 'search_documents', { query: 'pump warranty' })
    expect(sources).toMatchObject([{ kind: 'document', documentId: id, passage: expect.stringContaining('warranty') }])
    expect(text).toContain(`manual.md (id ${id})`)
    expect((await call('ann', 'search_documents', { query: 'xylophone' })).text).toContain('Try other words')
    const others = await call('bob', 'search_documents', { query: 'pump warranty' })
    expect(JSON.stringify(others)).not.toContain(id)
  })

  test('are found in the chat that asks, and in no other', async () => {
    const { id } = await uploadAndRead(harness.ann, 'The meeting is on Tuesday.', { sessionId: 'chat-1' })
    const found = async (chatId: string) =>
      (await call('ann', 'search_documents', { query: 'meeting' }, chatId)).sources
    expect(await found('chat-1')).toMatchObject([{ documentId: id }])
    expect(await found('chat-2')).toBeUndefined()
    expect((await call('bob', 'search_documents', { query: 'meeting' }, 'chat-1')).sources).toBeUndefined()
  })

  test('are listed with their ids, and read window by window', async () => {
    const words = 'word '.repeat(5000)
    const { id } = await uploadAndRead(harness.ann, words, { name: 'long\u202e.txt' })
    const list = await call('ann', 'list_documents')
    expect(list.text).toContain(`id ${id}`)
    expect(list.text).not.toContain('\u202e')
    expect((await call('ann', 'list_documents', { name: 'none' })).text).toContain('No document')
    const first = await call('ann', 'read_document', { id })
    const next = Number(/with offset (\d+)/.exec(first.text)?.[1])
    const { content } = await harness.ann.call(routes.read, { params: { documentId: id } })
    const second = await call('ann', 'read_document', { id, offset: next })
    expect(second.text.endsWith(content.slice(next))).toBe(true)
    expect(second.sources).toMatchObject([{ documentId: id, startChar: next, endChar: content.length }])
    expect(await call('ann', 'read_document', { id, offset: 1e6 })).toMatchObject({ isError: true })
  })

  test('of others are neither listed nor read, unless they are shared, and as long as they are', async () => {
    const collection = await harness.ann.call(routes.createCollection, { body: { name: 'Team' } })
    const { id } = await uploadAndRead(harness.ann, 'Shared words.', { collectionId: collection.id })
    const refused = { code: 'document_not_found' }
    await expect(call('bob', 'read_document', { id })).rejects.toMatchObject(refused)
    expect((await call('bob', 'list_documents')).text).toBe('There are no documents.')
    await harness.share(collection.id, 'bob')
    expect((await call('bob', 'read_document', { id })).text).toContain('Shared words.')
    expect((await call('bob', 'search_documents', { query: 'shared' })).sources).toMatchObject([{ documentId: id }])
    await harness.ann.call(routes.remove, { params: { documentId: id } })
    await expect(call('bob', 'read_document', { id })).rejects.toMatchObject(refused)
    await expect(call('ann', 'read_document', { id })).rejects.toMatchObject(refused)
  })
})
