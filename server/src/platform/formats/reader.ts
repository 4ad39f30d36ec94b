/** What a reader of one format is given and gives; see read.ts, which calls them. */
import type { Budget } from './archive.ts'
import type { Extract, Picture, ReadResult, UnreadPages } from './types.ts'

/** What the sender says about the bytes; both may be empty or wrong. */
export interface FileDescription {
  readonly name: string
  readonly mediaType: string
}

/**
 * Reads a file inside a file (an attachment, a member of an archive) within what is left of the outer one's budget. What
 * is wrong with the inner file is an answer; only `too_complex` is thrown, for it is the whole that is.
 */
export type ReadInner = (bytes: Uint8Array, name: string, mediaType: string) => Promise<ReadResult>

export interface ReadContext {
  readonly budget: Budget
  readonly readInner: ReadInner
  readonly picturesFrom: number
}

/** What a reader gives that finds more than text. */
export interface ReaderOutput {
  readonly extract: Extract
  readonly pictures?: readonly Picture[]
  readonly sound?: boolean
  readonly parts?: number | null
  readonly unread?: UnreadPages
}

/** Throws ReadFault; what else it throws means that the file is damaged. */
export type Reader = (
  bytes: Uint8Array,
  about: FileDescription,
  context: ReadContext,
) => ReaderOutput | Promise<ReaderOutput>
