/** Documents: uploaded or fetched, read, searched, and grouped in collections. */
import { area } from '../area.ts'
import { documentsDescription } from './area.ts'
import { Segment } from './shapes.ts'
import { z } from 'zod'
import { BuiltInState } from '../built-in.ts'
import { Id, Nothing, PageQuery, page } from '../common.ts'
import { Collection, Document, DocumentHit, DocumentText, EmbeddingSettings, EmbeddingSettingsPatch } from './shapes.ts'
import { Retrieval } from '../generation.ts'
import { bytes, routes } from '../route.ts'

export * from './shapes.ts'

const ById = z.strictObject({ documentId: Id })
const ByCollection = z.strictObject({ collectionId: Id })
const CollectionName = z.string().trim().min(1).max(100)
/** The size of a file that may be uploaded. */
export const maxDocumentBytes = 10 * 1024 * 1024

/** The document, and the work that reads it. `deduplicated`: the same bytes were there already. */
const Accepted = Document.extend({ deduplicated: z.boolean() })

export const documentsRoutes = routes({
  upload: {
    method: 'post',
    path: '/api/documents/upload',
    access: 'user',
    limit: 'documents',
    status: 202,
    summary: 'Take in a document; it is read afterwards, see `jobId`. A form with the field `document` (or `file`)',
    upload: {
      maxBytes: maxDocumentBytes + 64 * 1024,
      form: z.strictObject({ sessionId: Id.optional(), collectionId: Id.optional() }),
    },
    returns: Accepted,
    errors: [
      'chat_not_found',
      'collection_not_found',
      'document_unsupported',
      'document_empty',
      'quota_full',
      'storage_full',
    ],
  },
  fetchUrl: {
    method: 'post',
    path: '/api/documents/fetch-url',
    access: 'user',
    limit: 'documents',
    status: 202,
    summary: 'Take in a web page or a text by its address; it is fetched and read afterwards',
    body: z.strictObject({
      url: z.url({ protocol: /^https?$/ }).max(2000),
      sessionId: Id.optional(),
      collectionId: Id.optional(),
    }),
    returns: Accepted,
    errors: [
      'url_not_allowed',
      'chat_not_found',
      'collection_not_found',
      'provider_unreachable',
      'document_unsupported',
    ],
  },
  list: {
    method: 'get',
    path: '/api/documents',
    access: 'user',
    summary: 'The own documents and those that are shared with the caller, newest first, without their text',
    query: PageQuery.extend({
      collectionId: Id.optional(),
      /** `library`: neither of a chat nor of a collection. */
      in: z.enum(['all', 'library', 'chats', 'shared']).default('all'),
      status: Document.shape.processingStatus.optional(),
      /** Words that the file name must hold. */
      q: z.string().trim().max(200).optional(),
    }),
    returns: page(Document),
    errors: ['bad_cursor', 'collection_not_found'],
  },
  ofSession: {
    method: 'get',
    path: '/api/documents/session/{sessionId}',
    access: 'user',
    names: { resource: 'chat', id: 'sessionId', right: 'owner' },
    summary: 'The documents of an own chat, oldest first',
    params: z.strictObject({ sessionId: Id }),
    query: PageQuery,
    returns: page(Document),
    errors: ['chat_not_found', 'right_missing', 'bad_cursor'],
  },
  search: {
    method: 'post',
    path: '/api/documents/search',
    access: 'user',
    limit: 'read',
    summary: 'Passages for a question, best first, and how they were found',
    body: z.strictObject({
      query: z.string().trim().min(1).max(2000),
      sessionId: Id.optional(),
      collectionIds: z.array(Id).max(50).optional(),
      /** With only some of the documents in reach. */
      documentIds: z.array(Id).max(200).optional(),
      /** Look in the own library, too. */
      library: z.boolean().default(true),
      limit: z.number().int().min(1).max(50).default(5),
    }),
    returns: z.strictObject({ items: z.array(DocumentHit), nextCursor: z.null(), retrieval: Retrieval }),
    errors: ['chat_not_found', 'collection_not_found'],
  },
  embeddingsStatus: {
    method: 'get',
    path: '/api/documents/embeddings/status',
    access: 'user',
    summary: 'How many of the own chunks have vectors of the chosen model',
    returns: z.strictObject({
      /** Whether hybrid mode is on and its model can be asked. */
      available: z.boolean(),
      /** Why it cannot, for people. */
      detail: z.string().nullable(),
      model: z.string().nullable(),
      providerId: z.string().nullable(),
      chunksWithEmbeddings: z.number().int(),
      totalChunks: z.number().int(),
      documentsPending: z.number().int(),
      documentsFailed: z.number().int(),
      jobId: Id.nullable(),
    }),
  },
  regenerateEmbeddings: {
    method: 'post',
    path: '/api/documents/embeddings/regenerate',
    access: 'user',
    limit: 'connect',
    status: 202,
    summary: 'Cut and embed the own documents anew where settings changed; 409 while that runs',
    returns: z.strictObject({ jobId: Id, documentsTotal: z.number().int(), chunksTotal: z.number().int() }),
    errors: ['regeneration_running', 'model_unavailable'],
  },
  embeddingModels: {
    method: 'get',
    path: '/api/embeddings/models',
    access: 'user',
    summary: 'Models that make vectors: of the local runtime and of active connections',
    returns: page(z.strictObject({ providerId: z.string(), providerName: z.string(), model: z.string() })),
  },
  embeddingSettings: {
    method: 'get',
    path: '/api/preferences/embedding-settings',
    access: 'user',
    summary: 'How the own documents are cut and searched',
    returns: EmbeddingSettings,
  },
  updateEmbeddingSettings: {
    method: 'put',
    path: '/api/preferences/embedding-settings',
    access: 'user',
    summary: 'Change some of it; the overlap must be smaller than the chunk',
    body: EmbeddingSettingsPatch,
    returns: EmbeddingSettings,
  },
  resetEmbeddingSettings: {
    method: 'post',
    path: '/api/preferences/embedding-settings/reset',
    access: 'user',
    summary: 'Put the defaults back',
    returns: EmbeddingSettings,
  },
  collections: {
    method: 'get',
    path: '/api/documents/collections',
    access: 'user',
    summary: 'The own collections and those that are shared with the caller, by name',
    query: PageQuery,
    returns: page(Collection),
    errors: ['bad_cursor'],
  },
  createCollection: {
    method: 'post',
    path: '/api/documents/collections',
    access: 'user',
    summary: 'Make a collection',
    body: z.strictObject({ name: CollectionName }),
    returns: Collection,
    errors: ['collection_exists', 'collection_limit'],
  },
  renameCollection: {
    method: 'put',
    path: '/api/documents/collections/{collectionId}',
    access: 'user',
    names: { resource: 'collection', id: 'collectionId', right: 'owner' },
    summary: 'Rename an own collection',
    params: ByCollection,
    body: z.strictObject({ name: CollectionName }),
    returns: Collection,
    errors: ['collection_not_found', 'right_missing', 'collection_exists'],
  },
  removeCollection: {
    method: 'delete',
    path: '/api/documents/collections/{collectionId}',
    access: 'user',
    names: { resource: 'collection', id: 'collectionId', right: 'owner' },
    summary: 'Remove an own collection; its documents go back to the library and are shared no more',
    params: ByCollection,
    returns: Nothing,
    errors: ['collection_not_found', 'right_missing'],
  },
  read: {
    method: 'get',
    path: '/api/documents/{documentId}',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'read' },
    summary: 'One document that one owns or may read, with its text and where each stretch of it stands',
    params: ById,
    returns: DocumentText,
    errors: ['document_not_found'],
  },
  source: {
    method: 'get',
    path: '/api/documents/{documentId}/source',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'read' },
    noStore: true,
    summary: 'The original bytes; one `Range` at a time',
    params: ById,
    returns: bytes,
    errors: ['document_not_found', 'range_not_satisfiable'],
  },
  move: {
    method: 'put',
    path: '/api/documents/{documentId}/collection',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'owner' },
    summary: 'Put an own document into an own collection, or back into the library',
    params: ById,
    body: z.strictObject({ collectionId: Id.nullable() }),
    returns: Document,
    errors: ['document_not_found', 'right_missing', 'collection_not_found'],
  },
  keep: {
    method: 'post',
    path: '/api/documents/{documentId}/keep',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'owner' },
    summary: 'Take an own document out of its chat into the library',
    params: ById,
    returns: Document,
    errors: ['document_not_found', 'right_missing'],
  },
  copy: {
    method: 'post',
    path: '/api/documents/{documentId}/copy',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'read' },
    limit: 'documents',
    status: 202,
    summary: 'Copy a document that one owns or may read into an own chat; the copy is read anew, see `jobId`',
    params: ById,
    body: z.strictObject({ sessionId: Id }),
    returns: Accepted,
    errors: ['document_not_found', 'chat_not_found', 'document_unsupported', 'storage_full'],
  },
  retry: {
    method: 'post',
    path: '/api/documents/{documentId}/retry',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'owner' },
    limit: 'documents',
    status: 202,
    summary: 'Read an own document again; a fetched page is fetched again',
    params: ById,
    returns: Document,
    errors: ['document_not_found', 'right_missing'],
  },
  readOn: {
    method: 'post',
    path: '/api/documents/{documentId}/read-on',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'owner' },
    limit: 'documents',
    status: 202,
    summary: 'Read the next pages of an own scan, up to 20, and add them to its text; nothing where none are left',
    params: ById,
    returns: Document,
    errors: ['document_not_found', 'right_missing'],
  },
  readPrint: {
    method: 'post',
    path: '/api/documents/{documentId}/read-print',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'owner' },
    limit: 'documents',
    status: 202,
    summary: 'Read an own image or scan again with the built-in reader, whichever vision model is chosen',
    params: ById,
    returns: Document,
    errors: ['document_not_found', 'right_missing'],
  },
  tryReader: {
    method: 'post',
    path: '/api/documents/built-in-reader',
    access: 'admin',
    limit: 'documents',
    noStore: true,
    summary: 'Read an image with the built-in reader, raw; nothing of it is kept',
    upload: { maxBytes: maxDocumentBytes },
    returns: z.strictObject({
      /** Empty: no printed words were found. */
      text: z.string(),
      language: z.enum(['en', 'ar']).nullable(),
      /** How sure the reader is, 0 to 1. */
      confidence: z.number(),
    }),
    errors: ['document_unsupported', 'document_empty'],
  },
  readerState: {
    method: 'get',
    path: '/api/documents/built-in-reader',
    access: 'admin',
    summary: 'Whether the built-in reader is at work, and how much memory it may take',
    returns: BuiltInState,
  },
  cancel: {
    method: 'post',
    path: '/api/documents/{documentId}/cancel',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'owner' },
    limit: 'stop',
    summary:
      'Stop reading an own document. In its first reading that removes it; one that is read anew stays, as failed until it is retried',
    params: ById,
    returns: z.strictObject({ outcome: z.enum(['cancelled', 'already-ended']) }),
    errors: ['document_not_found', 'right_missing'],
  },
  remove: {
    method: 'delete',
    path: '/api/documents/{documentId}',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'owner' },
    summary: 'Delete an own document; no search finds it any more. It can be restored for 30 days',
    params: ById,
    returns: Nothing,
    errors: ['document_not_found', 'right_missing'],
  },
  restore: {
    method: 'post',
    path: '/api/documents/{documentId}/restore',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'owner' },
    summary: 'Bring a deleted document back',
    params: ById,
    returns: Document,
    errors: ['document_not_found', 'right_missing'],
  },
})

export const documentsArea = area(documentsDescription, {
  routes: documentsRoutes,
  shapes: { Collection, Document, DocumentHit, DocumentText, EmbeddingSettings, EmbeddingSettingsPatch, Segment },
})
