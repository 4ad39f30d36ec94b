/** The indexes of words and of vectors. They know ids, groups and partitions of others, and nothing readable of a text. */
import { createSecretKey } from 'node:crypto'
import type { Vault } from '../../vault/types.ts'
import type { Database } from '../types.ts'
import { createTexts } from './texts.ts'
import type { SearchIndexes } from './types.ts'
import { createVectors } from './vectors.ts'

export { searchMigrations } from './tables.ts'
export type {
  HashedEntries,
  Matching,
  MatchQuery,
  SearchIndexes,
  TextEntry,
  TextHit,
  TextIndex,
  TextQuery,
  VectorEntry,
  VectorHit,
  VectorIndex,
  VectorQuery,
} from './types.ts'

/** Opens the indexes of a database that has `searchMigrations`. The key of the hashes comes from the vault. */
export const createSearchIndexes = ({ database, vault }: { database: Database; vault: Vault }): SearchIndexes => {
  const key = createSecretKey(Buffer.from(vault.blindIndex('search', 'words'), 'hex'))
  return { texts: createTexts(database, key), vectors: createVectors(database) }
}
