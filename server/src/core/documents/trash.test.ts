import { documentsRoutes as routes } from '@atrium/contract/documents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../testing/client.ts'
import { withDatabase } from '../../testing/databases.ts'
import { type DocumentsHarness, openDocuments, uploadAndRead } from '../../testing/documents.ts'

withDatabase('collections in the trash', (open) => {
  let harness: DocumentsHarness
  beforeAll(async () => {
    harness = await openDocuments(open)
  })
  afterAll(() => harness.close())

  const of = (documentId: string) => ({ params: { documentId } })
  const collect = async (client: Client, name: string) =>
    (await client.call(routes.createCollection, { body: { name } })).id
  const trash = () => harness.documents.resources.collection.trash
  const placeOf = async (client: Client, id: string) => (await client.call(routes.read, of(id))).collectionId

  test('come back with the documents that were in them, but not with those that were put elsewhere since', async () => {
    const ann = await harness.account('ann')
    const [collectionId, otherId] = [await collect(ann, 'Reports'), await collect(ann, 'Others')]
    const stays = await uploadAndRead(ann, 'The numbat is shy.', { collectionId })
    const moves = await uploadAndRead(ann, 'The numbat is small.', { collectionId })
    const deleted = await uploadAndRead(ann, 'The numbat is quick.', { collectionId })
    await ann.call(routes.remove, of(deleted.id))
    await ann.call(routes.removeCollection, { params: { collectionId } })
    expect(await placeOf(ann, stays.id)).toBe(null)
    await ann.call(routes.move, { ...of(moves.id), body: { collectionId: otherId } })
    expect(await trash().restore(ann.token ?? '', collectionId)).toBe(true)
    expect(await placeOf(ann, stays.id)).toBe(collectionId)
    expect(await placeOf(ann, moves.id)).toBe(otherId)
    expect(await ann.call(routes.restore, of(deleted.id))).toMatchObject({ collectionId })
    const body = { query: 'numbat', library: false, collectionIds: [collectionId] }
    const { items } = await ann.call(routes.search, { body })
    expect(items.map(({ documentId }) => documentId).toSorted()).toEqual([stays.id, deleted.id].toSorted())
  })

  test('leave their name free, and do not come back while another one has it', async () => {
    const ben = await harness.account('ben')
    const [owner, first] = [ben.token ?? '', await collect(ben, 'Plans')]
    await ben.call(routes.removeCollection, { params: { collectionId: first } })
    const second = await collect(ben, 'plans')
    await expect(trash().restore(owner, first)).rejects.toMatchObject({ code: 'conflict' })
    await ben.call(routes.renameCollection, { params: { collectionId: second }, body: { name: 'Other plans' } })
    expect(await trash().restore(owner, first)).toBe(true)
    expect((await ben.refusal(routes.createCollection, { body: { name: 'PLANS' } })).code).toBe('collection_exists')
  })

  test('leave their documents in the library when they are deleted for good', async () => {
    const cyd = await harness.account('cyd')
    const collectionId = await collect(cyd, 'Reports')
    const { id } = await uploadAndRead(cyd, 'The quoll is spotted.', { collectionId })
    await cyd.call(routes.removeCollection, { params: { collectionId } })
    expect(await trash().remove(cyd.token ?? '', collectionId)).toBe(true)
    expect(await trash().restore(cyd.token ?? '', collectionId)).toBe(false)
    expect(await placeOf(cyd, id)).toBe(null)
    expect((await cyd.call(routes.search, { body: { query: 'quoll' } })).items).toHaveLength(1)
  })
})
