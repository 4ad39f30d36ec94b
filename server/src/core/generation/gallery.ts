/** How chat has media made and kept beside the chat; `features/media-gallery` does, for each account its own. */
import type { BytesAnswer } from '../../platform/http/area.ts'

export interface DrawnItem {
  readonly kind: 'image'
  readonly content: Uint8Array
  /** What was asked. */
  readonly prompt: string
  readonly model: string
  readonly pluginId: string | null
  /** The chat that it was drawn in. */
  readonly chatId: string
}

export interface MadeInChat {
  readonly kind: 'image' | 'video' | 'speech'
  readonly model: string
  readonly pluginId: string
  readonly prompt: string
  /** What was chosen for it, by field; null: nothing, so that what is usual counts. */
  readonly chosen: Readonly<Record<string, unknown>> | null
  /** What its account set as usual for the model, by field, in words; what the model does not list is left out. */
  readonly usual: Readonly<Record<string, string>>
  /** Pictures to work from. */
  readonly sources: readonly Uint8Array[]
  /** A PNG as large as the first of them, transparent where that is drawn anew. */
  readonly mask: Uint8Array | null
  readonly chatId: string
}

export interface MakingWatch {
  /** Stops what is being made. */
  readonly signal: AbortSignal
  /** Told once its record stands, before its provider is asked. */
  readonly begun: (jobId: string) => Promise<void>
  /** A picture as far as it is. */
  readonly drawn: (bytes: Uint8Array) => void
}

export interface MadeJob {
  readonly jobId: string
  /** So many pictures were asked for and withheld. */
  readonly missing: number
}

export interface Gallery {
  /** Refuses with `quota_full`, `storage_full`, `too_large` and `media_type_not_allowed`; then nothing is kept there. */
  addItem(accountId: string, item: DrawnItem): Promise<unknown>
  /** Has it made; a film goes on alone once it is accepted. Refuses in the words of what went wrong. */
  make(accountId: string, wish: MadeInChat, watch: MakingWatch): Promise<MadeJob>
  /** The pictures that a job made. */
  picturesOf(accountId: string, jobId: string): AsyncIterable<Uint8Array>
  /** The film or the sound that a job of this account made, not to be kept by who gets it; null: it is not there. */
  openMade(accountId: string, jobId: string): Promise<BytesAnswer | null>
}
