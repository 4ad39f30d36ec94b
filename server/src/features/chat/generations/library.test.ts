import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { documentsRoutes as documents } from '@atrium/contract/documents'
import { searchRoutes } from '@atrium/contract/search'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../../testing/app.ts'
import { local, say, until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { uploadAndRead } from '../../../testing/documents.ts'
import { usualDialects } from '../../../testing/databases.ts'

const excerpts: Selection = { providerType: 'builtin', providerId: 'builtin', model: 'excerpts' }

describe.each(usualDialects)('a chat with documents, in the whole app (%s)', (dialect) => {
  let app: TestApp
  let provider: Provider
  let ann: Client
  let bob: Client
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({ dialect, env: { OLLAMA_BASE_URL: provider.url } })
    ann = await app.signUpAdmin()
    bob = await app.signUpUser()
  })
  afterAll(async () => {
    await app.close()
    await provider.close()
  })
  beforeEach(() => provider.control({ reset: true, models: ['echo'] }))

  const newChat = (client: Client, selection: Selection = excerpts) =>
    client.call(chatRoutes.create, { body: { selection } })

  test('quotes the library without any model, and the document is gone from the next answer when it is deleted', async () => {
    const { id } = await newChat(ann)
    const before = await say(ann, id, 'How tall is the lighthouse?')
    expect(before.content).toContain('There is no file here yet')
    const { id: documentId } = await uploadAndRead(ann, 'The lighthouse of Roan is 43 metres tall.', {
      name: 'coast.txt',
    })
    const answer = await say(ann, id, 'How tall is the lighthouse?')
    expect(answer.content).toContain('> The lighthouse of Roan is 43 metres tall.')
    expect(answer.sources).toMatchObject([{ number: 1, cited: true, documentId, name: 'coast.txt' }])
    expect(answer.retrieval).toMatchObject({ mode: 'keyword', documents: 1, excerpts: 1 })
    expect((await say(bob, (await newChat(bob)).id, 'How tall is the lighthouse?')).sources).toEqual([])
    const miss = await say(ann, id, 'Zebras?')
    expect(miss).toMatchObject({ sources: [], retrieval: { nothingMatched: true, asked: false } })
    await ann.call(documents.remove, { params: { documentId } })
    expect((await say(ann, id, 'How tall is the lighthouse?')).sources).toEqual([])
  })

  test('keeps documents of a chat to that chat, and they go with it', async () => {
    const [one, other] = [await newChat(ann), await newChat(ann)]
    const read = await uploadAndRead(ann, 'The ferry leaves at nine.', { name: 'ferry.txt', sessionId: one.id })
    expect((await say(ann, one.id, 'When does the ferry leave?')).sources).toHaveLength(1)
    expect((await say(ann, other.id, 'When does the ferry leave?')).sources).toEqual([])
    await ann.call(chatRoutes.remove, { params: { sessionId: one.id } })
    await ann.call(chatRoutes.removeTrash, { params: { itemId: one.id } })
    expect((await ann.refusal(documents.read, { params: { documentId: read.id } })).code).toBe('document_not_found')
  })

  test('gives passages to a language model, and whole documents where the chat is set so', async () => {
    const { id } = await newChat(ann, local('echo'))
    await uploadAndRead(ann, 'The museum opens at ten.\n\nIt closes at six.', { name: 'museum.txt', sessionId: id })
    provider.control({ answers: [{ match: 'museum', answer: 'At ten [1].' }] })
    const answer = await say(ann, id, 'When does the museum open?')
    expect(answer.sources).toMatchObject([{ number: 1, cited: true }])
    const settings = { fullDocumentContext: true, useLibrary: false }
    await ann.call(chatRoutes.update, { params: { sessionId: id }, body: { settings } })
    const whole = await say(ann, id, 'When does the museum close?')
    expect(whole).toMatchObject({ retrieval: { mode: 'full' }, sources: [{ foundBy: 'whole' }] })
  })

  test('is found in the one search, next to its documents', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, 'Where do puffins nest?')
    await uploadAndRead(ann, 'Puffins nest on the cliffs.', { name: 'birds.txt' })
    await until(async () => {
      const { items } = await ann.call(searchRoutes.everything, { query: { q: 'puffins nest' } })
      const kinds = new Set(items.map(({ kind }) => kind))
      return kinds.has('message') && kinds.has('document')
    })
  })

  test('says in which of one’s own chats a document is cited, and to nobody who may not read it', async () => {
    const { id: documentId } = await uploadAndRead(ann, 'The bell of Roan weighs 900 kilograms.', { name: 'bell.txt' })
    const citing = (client: Client, cursor?: string) =>
      client.call(chatRoutes.citing, { params: { documentId }, query: { limit: 1, cursor } })
    const [first, last] = [await newChat(ann), await newChat(ann)]
    const one = await say(ann, first.id, 'How heavy is the bell?')
    const two = await say(ann, last.id, 'How heavy is the bell?')
    const { items, nextCursor } = await citing(ann)
    expect(items).toMatchObject([{ chatId: last.id, answers: 1, messageId: two.id }])
    const more = await citing(ann, nextCursor ?? '')
    expect(more).toMatchObject({ items: [{ chatId: first.id, messageId: one.id }], nextCursor: null })

    expect((await bob.refusal(chatRoutes.citing, { params: { documentId }, query: {} })).code).toBe(
      'document_not_found',
    )
    const { id: principalId } = await bob.call(accountsRoutes.me, {})
    const body = { resourceType: 'document', resourceId: documentId, principalType: 'account', principalId } as const
    const grant = await ann.call(accessRoutes.grant, { body })
    expect(await citing(bob)).toEqual({ items: [], nextCursor: null })
    await ann.call(accessRoutes.revoke, { params: { id: grant.id } })
    expect((await bob.refusal(chatRoutes.citing, { params: { documentId }, query: {} })).code).toBe(
      'document_not_found',
    )
  })
})
