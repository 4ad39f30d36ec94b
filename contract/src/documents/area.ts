/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { Words } from '../notifications/words.ts'

export const documentsDescription = describeArea({
  name: 'documents',
  tag: 'document-knowledge',
  errors: {
    document_not_found: [404, 'Document not found.'],
    collection_not_found: [404, 'Collection not found.'],
    collection_exists: [409, 'A collection with this name already exists.'],
    collection_limit: [409, 'You can have at most 200 collections.'],
    regeneration_running: [409, 'Embeddings are already being regenerated.'],
    document_empty: [400, 'This file is empty.'],
    document_unsupported: [415, 'This file type isn’t supported.'],
  },
  events: {
    'document-changed': z.strictObject({ id: z.string() }),
    'document-removed': z.strictObject({ id: z.string() }),
    'collections-changed': z.strictObject({}),
  },
  jobs: ['documents.embed', 'documents.ingest', 'documents.upkeep'],
  jobFailures: [
    'document_cancelled',
    'document_damaged',
    'document_encrypted',
    'document_internal',
    'document_mismatch',
    'document_needs_speech',
    'document_needs_vision',
    'document_no_text',
    'document_speech_failed',
    'document_speech_not_allowed',
    'document_timeout',
    'document_too_complex',
    'document_vision_failed',
    'embedding_failed',
    'over_budget',
    'provider_rejected',
  ],
  scopes: ['read', 'write'],
  notifications: {
    /** An own document could not be read. */
    'document-failed': z.strictObject({ documentId: z.string(), name: Words }),
  },
  resources: {
    document: { shared: true, found: true, trashed: true, stored: true, transferable: true, counted: 'documents' },
    collection: { shared: true, trashed: true, transferable: true, counted: 'collections' },
  },
})
