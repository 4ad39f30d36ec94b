import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface DocumentRow {
  id: string
  account_id: string
  /** The chat it belongs to; null for the library. */
  session_id: string | null
  collection_id: string | null
  /** The collection that it was in until that went to the trash; it comes back with it. */
  left_collection_id: string | null
  /** Sealed. */
  name: Uint8Array
  /** Sealed; where it was fetched from. */
  url: Uint8Array | null
  file_type: string
  media_type: string
  size_bytes: number
  /** Of the platform's files; null until a fetched page has come. */
  file_id: string | null
  /** A keyed digest of the bytes, the account bound in. Null until a fetched page has come. */
  content_digest: string | null
  /** A keyed digest of scope and bytes: the same file is taken in once. Null once it is deleted, and for doubles. */
  digest: string | null
  state: 'queued' | 'processing' | 'completed' | 'failed'
  failure_code: string | null
  job_id: string | null
  /** Which reading of the file the chunks come from; a retry raises it, and what an older one writes is refused. */
  revision: number
  content_chars: number
  tokens: number
  chunks: number
  parts: number | null
  /** How many of them were read; null for documents from before this was told, and where there are none. */
  parts_read: number | null
  /** The page from which a next reading gives more; null where it would not. */
  unread_from: number | null
  /** Who read the print of its pictures, where that was not a model. */
  read_by: 'builtin' | null
  embedding_state: 'off' | 'pending' | 'done' | 'failed'
  embedded: number
  /** `<provider>/<model>` of the vectors, and what the chunks were cut by. */
  embedding_model: string | null
  chunk_size: number
  chunk_overlap: number
  uploaded_at: number
  updated_at: number
  /** When it went to the trash; 0: it is being deleted for good. */
  deleted_at: number | null
  /** Whose key still seals its text and chunks, where that is not the key of its account: it was handed over. */
  sealed_by: string | null
}

/** The text of a document and its segments, sealed in pieces. */
export interface DocumentTextRow {
  document_id: string
  number: number
  /** A sealed piece of the text; number -1 holds the segments as JSON. */
  content: Uint8Array
}

export interface DocumentChunkRow {
  /** `<document>:<index>`, the same after every reading; also the id in the index of words. */
  id: string
  document_id: string
  number: number
  start_char: number
  end_char: number
  /** Sealed JSON: text, head, location. */
  content: Uint8Array
}

export interface DocumentCollectionRow {
  id: string
  account_id: string
  name: Uint8Array
  /** A keyed digest of account and name, folded; of one in the trash, what leaves its name free. */
  name_index: string
  created_at: number
  updated_at: number
  /** When it went to the trash. */
  deleted_at: number | null
}

export interface DocumentSettingsRow {
  account_id: string
  /** JSON of what differs from the defaults. */
  settings: string
  updated_at: number
}

export interface DocumentTables {
  documents: DocumentRow
  document_texts: DocumentTextRow
  document_chunks: DocumentChunkRow
  document_collections: DocumentCollectionRow
  document_settings: DocumentSettingsRow
}

export const documentMigrations: readonly Migration[] = [
  {
    id: 'documents/0001-documents',
    up: ({ text, int, bytes }) => [
      `create table document_collections (
        id ${text} primary key,
        account_id ${text} not null,
        name ${bytes} not null,
        name_index ${text} not null,
        created_at ${int} not null,
        updated_at ${int} not null
      )`,
      'create unique index document_collections_by_name on document_collections (name_index)',
      'create index document_collections_by_account on document_collections (account_id, created_at, id)',
      `create table documents (
        id ${text} primary key,
        account_id ${text} not null,
        session_id ${text},
        collection_id ${text} references document_collections (id) on delete set null,
        name ${bytes} not null,
        url ${bytes},
        file_type ${text} not null,
        media_type ${text} not null,
        size_bytes ${int} not null,
        file_id ${text},
        content_digest ${text},
        digest ${text},
        state ${text} not null,
        failure_code ${text},
        job_id ${text},
        revision ${int} not null,
        content_chars ${int} not null,
        tokens ${int} not null,
        chunks ${int} not null,
        parts ${int},
        embedding_state ${text} not null,
        embedded ${int} not null,
        embedding_model ${text},
        chunk_size ${int} not null,
        chunk_overlap ${int} not null,
        uploaded_at ${int} not null,
        updated_at ${int} not null,
        deleted_at ${int}
      )`,
      'create unique index documents_by_digest on documents (digest)',
      'create index documents_by_account on documents (account_id, uploaded_at, id)',
      'create index documents_by_session on documents (session_id, uploaded_at, id)',
      'create index documents_by_collection on documents (collection_id, uploaded_at, id)',
      'create index documents_by_deletion on documents (deleted_at)',
      'create index documents_by_state on documents (state, updated_at)',
      `create table document_texts (
        document_id ${text} not null references documents (id) on delete cascade,
        number ${int} not null,
        content ${bytes} not null,
        primary key (document_id, number)
      )`,
      `create table document_chunks (
        id ${text} primary key,
        document_id ${text} not null references documents (id) on delete cascade,
        number ${int} not null,
        start_char ${int} not null,
        end_char ${int} not null,
        content ${bytes} not null
      )`,
      'create unique index document_chunks_by_document on document_chunks (document_id, number)',
      `create table document_settings (
        account_id ${text} primary key,
        settings ${text} not null,
        updated_at ${int} not null
      )`,
    ],
  },
  {
    id: 'documents/0002-trash',
    up: ({ text, int }) => [
      `alter table document_collections add column deleted_at ${int}`,
      'create index document_collections_by_deletion on document_collections (deleted_at)',
      `alter table documents add column left_collection_id ${text} references document_collections (id) on delete set null`,
      'create index documents_by_left_collection on documents (left_collection_id)',
      'create index documents_in_trash on documents (account_id, deleted_at, id) where deleted_at is not null',
    ],
  },
  {
    id: 'documents/0003-parts-read',
    up: ({ int }) => [
      `alter table documents add column parts_read ${int}`,
      `alter table documents add column unread_from ${int}`,
    ],
  },
  {
    id: 'documents/0004-read-by',
    up: ({ text }) => [`alter table documents add column read_by ${text}`],
  },
  {
    id: 'documents/0005-sealed-by',
    up: ({ text }) => [
      `alter table documents add column sealed_by ${text}`,
      'create index documents_sealed_by on documents (sealed_by) where sealed_by is not null',
    ],
  },
]

const ownerOfDocument = '(select coalesce(sealed_by, account_id) from documents where documents.id = document_id)'

export const documentSealed: readonly SealedColumn[] = [
  ...sealedColumns('documents', ['name'], {
    owner: 'account_id',
    words: { entry: "'name:' || id", where: "state = 'completed'" },
  }),
  ...sealedColumns('documents', ['url'], { owner: 'account_id' }),
  ...sealedColumns('document_collections', ['name'], { owner: 'account_id' }),
  ...sealedColumns('document_texts', ['content'], {
    key: ['document_id', 'number'],
    row: "document_id || ':' || number",
    owner: ownerOfDocument,
  }),
  ...sealedColumns('document_chunks', ['content'], {
    owner: ownerOfDocument,
    words: { entry: 'id', member: 'text' },
  }),
]
