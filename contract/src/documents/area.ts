/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const documentsDescription = describeArea({
  name: 'documents',
  tag: 'document-knowledge',
  errors: {
    document_not_found: [404, 'There is no such document.'],
    collection_not_found: [404, 'There is no such collection.'],
    collection_exists: [409, 'There is a collection of this name already.'],
    collection_limit: [409, 'There can be 200 collections at most.'],
    regeneration_running: [409, 'The documents are being embedded anew already.'],
    document_empty: [400, 'This file is empty.'],
    document_unsupported: [415, 'Files of this kind cannot be read.'],
    range_not_satisfiable: [416, 'This part of the file does not exist.'],
  },
  events: {
    'document-changed': z.strictObject({ id: z.string() }),
    'document-removed': z.strictObject({ id: z.string() }),
    'collections-changed': z.strictObject({}),
  },
  jobs: ['documents.embed', 'documents.ingest', 'documents.upkeep'],
  scopes: ['read', 'write'],
  resources: {
    document: { shared: true, found: true, trashed: true, counted: 'documents' },
    collection: { shared: true, trashed: true, counted: 'collections' },
  },
})
