/** What a reader of one format is given and gives; see read.ts, which calls them. */
import type { Extract, Picture, ReadResult } from './types.ts'

/** What the sender says about the bytes; both may be empty or wrong. */
export interface About {
  readonly name: string
  readonly mediaType: string
}

/** Reads a file inside a file (an attachment, a member of an archive) within what is left of the outer one's budget. */
export type ReadInner = (bytes: Uint8Array, name: string, mediaType: string) => Promise<ReadResult>

/** What a reader gives that finds more than text. */
export interface Reading {
  readonly extract: Extract
  readonly pictures?: readonly Picture[]
  readonly sound?: boolean
  readonly parts?: number | null
}
