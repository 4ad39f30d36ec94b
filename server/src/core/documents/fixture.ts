/** A document and a collection, for the tests over every kind of resource. */
import { type documentsArea, documentsRoutes } from '@atrium/contract/documents'
import { uploadAndRead } from '../../testing/documents.ts'
import { idsOf, outcomeOf, type SamplesOf } from '../../testing/samples.ts'

export const samples: SamplesOf<typeof documentsArea> = {
  document: {
    make: async (owner, word) => (await uploadAndRead(owner, `The ${word} eats.`, { name: `${word}.txt` })).id,
    list: async (client) => idsOf((await client.call(documentsRoutes.list, {})).items),
    read: (client, id) => outcomeOf(client, documentsRoutes.read, { params: { documentId: id } }),
    missing: 'document_not_found',
    remove: (owner, id) => owner.call(documentsRoutes.remove, { params: { documentId: id } }),
  },
  collection: {
    make: async (owner, word) =>
      (await owner.call(documentsRoutes.createCollection, { body: { name: `The ${word}` } })).id,
    list: async (client) => idsOf((await client.call(documentsRoutes.collections, {})).items),
    read: (client, id) => outcomeOf(client, documentsRoutes.list, { query: { collectionId: id } }),
    missing: 'collection_not_found',
    remove: (owner, id) => owner.call(documentsRoutes.removeCollection, { params: { collectionId: id } }),
  },
}
