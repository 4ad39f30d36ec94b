import type { Migration } from '../types.ts'

/** Entries of one group that were put into one partition; they move together. */
export interface SearchGroupRow {
  number: number
  name: string
  /** The partition. */
  shelf: string
  /** The partition it came to first: what the index of words was told, and need not be told again. */
  home: string
}

export interface SearchEntryRow {
  /** On SQLite the row of the index of words; on PostgreSQL batch × 4096 + place. */
  number: number
  id: string
  group_number: number
  time: number
  facets: string
}

export interface SearchLanguageRow {
  /** ISO 639-1; entries in it are in the index, or were. */
  language: string
}

/** PostgreSQL: entries that came at once. */
export interface SearchBatchRow {
  number: number
  group_number: number
  entries: number
  words: number
}

/** PostgreSQL: where a term stands in a batch. */
export interface SearchPostingRow {
  term: string
  batch: number
  entries: number
  /** Each place × 2^40 + length × 2^16 + times. */
  postings: string
}

/** PostgreSQL: the sum of all rows says how many entries and words there are. */
export interface SearchTotalRow {
  number: number
  entries: number
  words: number
}

/** Vectors of one model and one length can be compared. */
export interface SearchModelRow {
  number: number
  name: string
  size: number
}

export interface SearchVectorRow {
  /** Of the entry. */
  number: number
  group_number: number
  model: number
  /** 32-bit floats, little end first. */
  vector: Uint8Array
}

/** The signs of a vector, one bit each: small enough to look through all of them. */
export interface SearchBitRow {
  group_number: number
  number: number
  model: number
  bits: Uint8Array | string
}

export interface SearchTables {
  search_models: SearchModelRow
  search_vectors: SearchVectorRow
  search_bits: SearchBitRow
  search_groups: SearchGroupRow
  search_entries: SearchEntryRow
  search_languages: SearchLanguageRow
  search_batches: SearchBatchRow
  search_postings: SearchPostingRow
  search_totals: SearchTotalRow
}

export const searchMigrations: readonly Migration[] = [
  {
    id: 'search/0001-words',
    up: ({ text, int, key }, dialect) => [
      `create table search_groups (number ${key}, name ${text} not null, shelf ${text} not null, home ${text} not null)`,
      'create index search_groups_name on search_groups (name)',
      'create index search_groups_shelf on search_groups (shelf, home)',
      `create table search_entries (
        number ${int} primary key,
        id ${text} not null unique,
        group_number ${int} not null references search_groups (number) on delete cascade,
        time ${int} not null,
        facets ${text} not null
      )`,
      'create index search_entries_group on search_entries (group_number)',
      `create table search_languages (language ${text} primary key)`,
      ...(dialect === 'sqlite'
        ? [
            // Detail must stay full: with less of it, bm25() of a contentless table is about 0 for every row.
            `create virtual table search_words using fts5 (
              words, kin, scope, content = '', contentless_delete = 1, tokenize = 'ascii'
            )`,
          ]
        : [
            `create table search_batches (
              number ${key},
              group_number ${int} not null references search_groups (number) on delete cascade,
              entries ${int} not null,
              words ${int} not null
            )`,
            'create index search_batches_group on search_batches (group_number)',
            `create table search_postings (
              term ${int} not null,
              batch ${int} not null,
              entries integer not null,
              postings bigint[] not null,
              primary key (term, batch)
            )`,
            'create index search_postings_batch on search_postings (batch)',
            `create table search_totals (number ${key}, entries ${int} not null, words ${int} not null)`,
          ]),
    ],
  },
  {
    id: 'search/0002-vectors',
    up: ({ text, int, bytes, key }, dialect) => [
      `create table search_models (number ${key}, name ${text} not null, size ${int} not null, unique (name, size))`,
      `create table search_vectors (
        number ${int} primary key references search_entries (number) on delete cascade,
        group_number ${int} not null,
        model ${int} not null,
        vector ${bytes} not null
      )`,
      'create index search_vectors_group on search_vectors (group_number, model)',
      // By group, so that the rows of a partition lie together.
      `create table search_bits (
        group_number ${int} not null references search_groups (number) on delete cascade,
        number ${int} not null,
        model ${int} not null,
        bits ${dialect === 'sqlite' ? 'blob' : 'bit varying'} not null,
        primary key (group_number, number)
      )${dialect === 'sqlite' ? ' without rowid' : ''}`,
    ],
  },
]
