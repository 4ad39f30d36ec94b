/** What reading a file gives, whatever its format: text, and where each stretch of it stands in the original. */

import type { FileType } from '@atrium/contract/documents'

export type { FileType }

/** A stretch of the text. Offsets count UTF-16 units; stretches do not overlap and stand in order. */
export interface Segment {
  readonly kind: 'page' | 'slide' | 'sheet' | 'section' | 'lines' | 'message' | 'file'
  /** For people: `Page 3`, a sheet's name, a heading. */
  readonly label: string
  /** The physical page, the slide in the order of the presentation, the sheet; from 1. null for the rest. */
  readonly number: number | null
  readonly start: number
  readonly end: number
  /** Of a table: the names of its columns in one line, said again with every piece of it. */
  readonly head?: string
}

export interface Extract {
  /** NFC, line ends `\n`, no control characters but tab and line end. */
  readonly text: string
  readonly segments: readonly Segment[]
  /** The title that the file gives itself. */
  readonly title: string | null
}

/** A picture that only a model can read: an image, or a page of a scan. */
export interface Picture {
  /** The page of a PDF; null for an image file. */
  readonly page: number | null
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export interface ReadRequest {
  readonly bytes: Uint8Array
  /** As the sender calls it; never trusted as a path. */
  readonly name: string
  /** As the sender says; may be empty or wrong. */
  readonly mediaType: string
  /** Pictures are given from this page on; before it they were given already. */
  readonly picturesFrom?: number
}

/** Pages that are pictures and whose pictures are not given. */
export interface UnreadPages {
  /** Those that come next: see `picturesFrom`. */
  readonly waiting: readonly number[]
  /** Those whose pictures are of a kind that cannot be handed on. */
  readonly lost: readonly number[]
}

/** Why a file cannot be read, in a closed list. */
export type ReadFailure =
  | 'empty'
  | 'unsupported'
  | 'mismatch'
  | 'encrypted'
  | 'damaged'
  | 'too_complex'
  | 'timeout'
  | 'no_text'

export type ReadResult =
  | { readonly failure: ReadFailure }
  | {
      readonly fileType: FileType
      readonly mediaType: string
      readonly extract: Extract
      /** To be read by a model, beside the text; at most 20 of 4 KB to 8 MB. */
      readonly pictures: readonly Picture[]
      /** Whether the file is sound, to be transcribed by a model. */
      readonly sound: boolean
      /** Pages, slides or sheets, where it has any. */
      readonly parts: number | null
      readonly unread: UnreadPages
    }
