import { accessRoutes, type ResourceType } from '@atrium/contract/access'
import { documentsRoutes as routes } from '@atrium/contract/documents'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { type DocumentHarness, openDocuments } from '../../../testing/document-harness.ts'
import { uploadAndRead } from '../../../testing/documents.ts'

withDatabase('documents that are shared one by one', (open) => {
  let harness: DocumentHarness
  /** Happens while a question is being embedded: what may be read was looked up, and nothing is read yet. */
  let meanwhile: (() => Promise<unknown>) | null
  beforeEach(async () => {
    meanwhile = null
    harness = await openDocuments(open, {
      admit: async (call) => {
        await meanwhile?.()
        return call
      },
    })
  })
  afterEach(() => harness?.close())
  const share = (resourceId: string, resourceType: ResourceType = 'document') =>
    harness.ann.call(accessRoutes.grant, {
      body: { resourceType, resourceId, principalType: 'account', principalId: 'bob' },
    })
  const revoke = (id: string) => harness.ann.call(accessRoutes.revoke, { params: { id } })
  const names = async (text: string, more?: Parameters<DocumentHarness['ask']>[2]) =>
    (await harness.ask('bob', text, more)).items.map(({ source }) => source.name)
  const listed = async (query: object = {}) =>
    (await harness.bob.call(routes.list, { query })).items.map(({ filename }) => filename)

  test('are read, listed and found by whom they are shared with, and by nobody after that', async () => {
    const { id } = await uploadAndRead(harness.ann, 'The okapi is shy.', { name: 'okapi.txt' })
    await uploadAndRead(harness.ann, 'The okapi is striped.', { name: 'private.txt' })
    await uploadAndRead(harness.bob, 'My okapi is tame.', { name: 'mine.txt' })
    const params = { documentId: id }
    expect((await harness.bob.refusal(routes.read, { params })).code).toBe('document_not_found')
    const grant = await share(id)
    expect(await harness.bob.call(routes.read, { params })).toMatchObject({
      content: 'The okapi is shy.',
      shared: true,
      grantCount: null,
    })
    expect(await (await harness.bob.call(routes.source, { params })).text()).toBe('The okapi is shy.')
    expect(await listed({ in: 'shared' })).toEqual(['okapi.txt'])
    expect((await listed()).toSorted()).toEqual(['mine.txt', 'okapi.txt'])
    expect(await harness.ann.call(routes.read, { params })).toMatchObject({ shared: false, grantCount: 1 })
    expect((await names('okapi')).toSorted()).toEqual(['mine.txt', 'okapi.txt'])
    expect(await names('okapi', { scope: { documentIds: [id] } })).toEqual(['okapi.txt'])
    expect(await names('okapi', { scope: { library: false } })).toEqual([])
    const everywhere = async () =>
      (await harness.bob.call(routes.search, { body: { query: 'okapi' } })).items.map(({ filename }) => filename)
    expect((await everywhere()).toSorted()).toEqual(['mine.txt', 'okapi.txt'])
    for (const route of [routes.keep, routes.retry, routes.cancel, routes.remove, routes.restore])
      expect(await harness.bob.refusal(route, { params })).toMatchObject({ status: 403, code: 'right_missing' })
    await revoke(grant.id)
    expect((await harness.bob.refusal(routes.read, { params })).code).toBe('document_not_found')
    expect((await harness.bob.refusal(routes.source, { params })).code).toBe('document_not_found')
    expect(await names('okapi')).toEqual(['mine.txt'])
    expect(await everywhere()).toEqual(['mine.txt'])
    expect(await listed()).toEqual(['mine.txt'])
  })

  test('are not shown by a search in whose middle they are revoked or deleted', async () => {
    for (const client of [harness.ann, harness.bob])
      await harness.settings(client, { enabled: true, providerId: 'local', model: 'meaning' })
    const { id } = await uploadAndRead(harness.ann, 'Our car is green.', { name: 'shared.txt' })
    await harness.embedded(harness.ann)
    const { id: grantId } = await share(id)
    expect(await names('vehicle')).toEqual(['shared.txt'])
    meanwhile = () => revoke(grantId)
    expect(await names('car')).toEqual([])
    meanwhile = null
    await share(id)
    expect(await names('car')).toEqual(['shared.txt'])
    meanwhile = () => harness.ann.call(routes.remove, { params: { documentId: id } })
    expect(await names('car')).toEqual([])
    expect(await listed()).toEqual([])
    expect((await harness.bob.refusal(routes.read, { params: { documentId: id } })).code).toBe('document_not_found')
  })

  test('come with a collection that is shared, and not with a chat', async () => {
    const inChat = await uploadAndRead(harness.ann, 'The numbat.', { name: 'numbat.txt', sessionId: 'chat-1' })
    const { id: collectionId } = await harness.ann.call(routes.createCollection, { body: { name: 'Zoo' } })
    const inCollection = await uploadAndRead(harness.ann, 'The quokka.', { name: 'quokka.txt', collectionId })
    const read = (documentId: string) => harness.bob.call(routes.read, { params: { documentId } })
    const refused = async (documentId: string) =>
      (await harness.bob.refusal(routes.read, { params: { documentId } })).code
    const ofChat = { params: { sessionId: 'chat-1' } }
    expect((await harness.bob.refusal(routes.ofSession, ofChat)).code).toBe('chat_not_found')
    for (const { id } of [inChat, inCollection]) expect(await refused(id)).toBe('document_not_found')
    const grants = [await share('chat-1', 'chat'), await share(collectionId, 'collection')]
    expect((await read(inCollection.id)).content).toBe('The quokka.')
    expect(await refused(inChat.id)).toBe('document_not_found')
    expect((await harness.bob.refusal(routes.ofSession, ofChat)).code).toBe('right_missing')
    for (const { id } of grants) await revoke(id)
    expect(await refused(inCollection.id)).toBe('document_not_found')
    await share(inChat.id)
    expect(await read(inChat.id)).toMatchObject({ content: 'The numbat.', sessionId: null, shared: true })
  })
})
