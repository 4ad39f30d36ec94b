/** Finding by words and by meaning, on both databases. Words reach the disk as keyed hashes only. */
import type { RawBuilder } from 'kysely'
import type { AnyTransaction } from '../types.ts'

/** One text that can be found. */
export interface TextEntry {
  readonly id: string
  /** What it is a piece of: a document, a chat. */
  readonly group: string
  /** Who may find it, as one word that a query names: `documents:<account>`, `session:<id>`, `collection:<id>`, `chats:<account>`. */
  readonly partition: string
  /** Integer milliseconds. */
  readonly time: number
  /** Short words that a query can ask for: `from:user`, `has:code`. */
  readonly facets: readonly string[]
  readonly text: string
  /** For titles: beginnings of words are found, too. */
  readonly prefixes?: boolean
}

/** Entries whose words are hashed; opaque to everybody else. */
export interface HashedEntries {
  readonly __hashed: true
}

export interface TextQuery {
  readonly text: string
  /** Only what is in one of these. An empty list finds nothing. */
  readonly partitions: readonly string[]
  readonly groups?: readonly string[] | undefined
  /** All of them. */
  readonly facets?: readonly string[] | undefined
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly limit: number
  /** Every word must be there (search as one types), not just one of them. */
  readonly everyWord?: boolean | undefined
  /** The last word may be the beginning of one, where an entry has its prefixes. */
  readonly typing?: boolean | undefined
}

/** Every word must be there. A text without words matches nothing. */
export type MatchQuery = Pick<TextQuery, 'text' | 'partitions' | 'typing'>

export interface TextHit {
  readonly id: string
  readonly group: string
  /** BM25, k1 1.2, b 0.75; higher is better. */
  readonly score: number
  /** It fully holds a whole word of the query; otherwise only kin of one (the same stem). */
  readonly whole: boolean
}

export interface Matching {
  /** The names of all of them, perhaps more than once; null: there may be many. */
  readonly few: readonly string[] | null
  /** SQL of all of them. */
  readonly all: RawBuilder<string>
  /**
   * SQL of those that are among some groups, and perhaps of some that were put later. The newest of many matches are found
   * so without going through the others.
   */
  among(names: readonly string[]): RawBuilder<string>
}

export interface TextIndex {
  /** Cuts texts into words and hashes them, away from the main thread when there is much. */
  hash(entries: readonly TextEntry[]): Promise<HashedEntries>
  /** Puts entries, in place of those of the same ids; within `trx` when given. */
  put(entries: HashedEntries, trx?: AnyTransaction): Promise<void>
  /** Best first. */
  find(query: TextQuery): Promise<readonly TextHit[]>
  /** The groups that have every word, for a query that orders and cuts what it has of them: nothing is ranked. */
  matching(query: MatchQuery): Promise<Matching>
  /** Puts all of some groups into another partition. */
  move(groups: readonly string[], partition: string, trx?: AnyTransaction): Promise<void>
  remove(ids: readonly string[], trx?: AnyTransaction): Promise<void>
  /** Removes all of some groups, with their vectors. */
  removeGroups(groups: readonly string[], trx?: AnyTransaction): Promise<void>
  /** Removes everything in some partitions, with its vectors. */
  removePartitions(partitions: readonly string[], trx?: AnyTransaction): Promise<void>
}

export interface VectorEntry {
  /** Of a text entry that is there already; its partition counts for the vector, too. */
  readonly id: string
  readonly vector: Float32Array
}

export interface VectorQuery {
  /** Vectors of another model are not compared. */
  readonly model: string
  readonly vector: Float32Array
  readonly partitions: readonly string[]
  readonly groups?: readonly string[] | undefined
  readonly limit: number
}

export interface VectorHit {
  readonly id: string
  readonly group: string
  /** Cosine, -1 to 1. */
  readonly similarity: number
}

export interface VectorIndex {
  /** Keeps vectors of one model and one length, in place of earlier ones of the same ids. */
  put(model: string, entries: readonly VectorEntry[], trx?: AnyTransaction): Promise<void>
  /** The nearest, whatever their distance, best first. Partitions are compared inside the query. */
  nearest(query: VectorQuery): Promise<readonly VectorHit[]>
  /** Which of the ids have a vector of the model. */
  having(model: string, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** How many vectors of the model the groups have. */
  count(model: string, groups: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Removes the vectors of some groups, those of one model excepted. */
  removeOthers(model: string | null, groups: readonly string[], trx?: AnyTransaction): Promise<void>
}

export interface SearchIndexes {
  readonly texts: TextIndex
  readonly vectors: VectorIndex
}
