/** What the search index keeps in another form on the other database. */
import type { Database } from '../types.ts'

type Dialect = Database['dialect']

/** Tables that cannot be copied from one kind of database to the other; none where both are the same. */
export const dialectTables = (from: Dialect, to: Dialect): ReadonlySet<string> =>
  new Set(from === to ? [] : [...sharedTables, ...(from === 'sqlite' ? sqliteTables : postgresTables)])

/** Entries have other numbers, and what refers to them. */
const sharedTables = ['search_groups', 'search_entries', 'search_models', 'search_vectors', 'search_bits']
const sqliteTables = ['search_words_config', 'search_words_data', 'search_words_docsize', 'search_words_idx']
const postgresTables = ['search_batches', 'search_postings', 'search_totals']
