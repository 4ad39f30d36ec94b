import { accessRoutes } from '@atrium/contract/access'
import { documentsRoutes as routes } from '@atrium/contract/documents'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../testing/databases.ts'
import { type DocumentHarness, openDocuments } from '../../testing/document-harness.ts'
import { uploadAndRead } from '../../testing/documents.ts'
import type { SearchQuery } from '../resources/index.ts'
import { parseQuery } from '../search/query.ts'

const nothing = parseQuery('').wanted

withDatabase('documents in the search over everything', (open) => {
  let harness: DocumentHarness
  beforeEach(async () => {
    harness = await openDocuments(open)
  })
  afterEach(() => harness?.close())
  const find = (accountId: string, wanted: Partial<SearchQuery>) =>
    harness.documents.resources.document.search(accountId, { ...nothing, ...wanted }, 10)
  const titles = async (accountId: string, wanted: Partial<SearchQuery>) =>
    (await find(accountId, wanted)).map(({ title }) => title).toSorted()

  test('a document is found by what stands in it, with the words around it and where they stand', async () => {
    const { id, uploadedAt } = await uploadAndRead(harness.ann, '# Pumps\n\nThe pump has a warranty.', {
      name: 'manual.md',
    })
    const [found, ...others] = await find('ann', { words: 'pump warranty' })
    expect(others).toEqual([])
    expect(found).toMatchObject({
      kind: 'document',
      id,
      title: 'manual.md',
      chatId: null,
      time: uploadedAt,
      location: { kind: 'section', label: 'Pumps' },
    })
    const marked = found?.matches.map(([start, end]) => found.snippet.slice(start, end))
    expect(marked).toEqual(expect.arrayContaining(['pump', 'warranty']))
    const { content } = await harness.ann.call(routes.read, { params: { documentId: id } })
    expect(content.slice(found?.startChar ?? 0, found?.endChar ?? 0)).toContain('The pump has a warranty.')
    expect(await find('ann', { words: 'pump xylophone' })).toEqual([])
    expect(await find('bob', { words: 'pump' })).toEqual([])
  })

  test('a document is found by the beginnings of its name, once, also when its text has the word', async () => {
    await uploadAndRead(harness.ann, 'Numbers of the quarter, and the budget.', { name: 'Budget-report_2026.txt' })
    for (const words of ['bud', 'Budget', 'report', '202', 'budget rep']) {
      expect(await titles('ann', { words }), words).toEqual(['Budget-report_2026.txt'])
    }
    const [found] = await find('ann', { words: 'repor' })
    expect(found).toMatchObject({ startChar: null, location: null, matches: [] })
    expect(found?.snippet).toContain('Numbers of the quarter')
  })

  test('names are not quoted as passages', async () => {
    await uploadAndRead(harness.ann, 'Numbers of the quarter.', { name: 'budget.txt' })
    expect((await harness.ask('ann', 'budget')).items).toEqual([])
  })

  test('it looks in chats, collections and the library, and in a named collection alone when that is asked for', async () => {
    const { id } = await harness.ann.call(routes.createCollection, { body: { name: 'Zoo Keepers' } })
    await uploadAndRead(harness.ann, 'wombat', { name: 'chat.txt', sessionId: 'chat-1' })
    await uploadAndRead(harness.ann, 'wombat', { name: 'collection.txt', collectionId: id })
    await uploadAndRead(harness.ann, 'wombat', { name: 'library.txt' })
    expect(await titles('ann', { words: 'wombat' })).toEqual(['chat.txt', 'collection.txt', 'library.txt'])
    expect(await titles('ann', { words: 'wombat', within: 'zoo keepers' })).toEqual(['collection.txt'])
    expect(await titles('ann', { within: 'zoo' })).toEqual(['collection.txt'])
    expect(await titles('ann', { words: 'wombat', within: 'circus' })).toEqual([])
    const [chat] = (await find('ann', { words: 'wombat' })).filter(({ title }) => title === 'chat.txt')
    expect(chat?.chatId).toBe('chat-1')
    expect(await titles('bob', { words: 'wombat' })).toEqual([])
    const grant = await harness.share(id, 'bob')
    expect(await titles('bob', { words: 'wombat' })).toEqual(['collection.txt'])
    expect(await titles('bob', { within: 'zoo' })).toEqual(['collection.txt'])
    await harness.ann.call(accessRoutes.revoke, { params: { id: grant.id } })
    expect(await titles('bob', { words: 'wombat' })).toEqual([])
    expect(await titles('bob', { within: 'zoo' })).toEqual([])
  })

  test('operators narrow it: kinds, days, and what a document cannot have', async () => {
    const { uploadedAt } = await uploadAndRead(harness.ann, 'wombat', { name: 'a.txt' })
    const time = Date.parse(uploadedAt)
    const found = (wanted: Partial<SearchQuery>) => titles('ann', { words: 'wombat', ...wanted })
    expect(await found({ kinds: new Set(['document']), has: new Set(['document']) })).toEqual(['a.txt'])
    expect(await found({ kinds: new Set(['chat']) })).toEqual([])
    expect(await found({ from: 'me' })).toEqual([])
    expect(await found({ has: new Set(['code']) })).toEqual([])
    expect(await found({ after: time })).toEqual(['a.txt'])
    expect(await found({ after: time + 1 })).toEqual([])
    expect(await found({ before: time })).toEqual([])
    expect(await found({ before: time + 1 })).toEqual(['a.txt'])
    expect(await titles('ann', { kinds: new Set(['document']) })).toEqual(['a.txt'])
    expect(await titles('ann', { before: time })).toEqual([])
    expect(await titles('ann', { after: time + 1 })).toEqual([])
    expect(await titles('ann', {})).toEqual([])
  })

  test('a deleted document is not found, until it is back', async () => {
    const { id } = await uploadAndRead(harness.ann, 'wombat', { name: 'a.txt' })
    await harness.ann.call(routes.remove, { params: { documentId: id } })
    expect(await titles('ann', { words: 'wombat' })).toEqual([])
    expect(await titles('ann', { kinds: new Set(['document']) })).toEqual([])
    await harness.ann.call(routes.restore, { params: { documentId: id } })
    expect(await titles('ann', { words: 'wombat' })).toEqual(['a.txt'])
  })
})
