/** How chat keeps what models make for it beside the chat; `features/media-gallery` does. */

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

/** The gallery of each account. */
export interface Gallery {
  /** Refuses with `quota_full`, `storage_full`, `too_large` and `media_type_not_allowed`; then nothing is kept there. */
  addItem(accountId: string, item: DrawnItem): Promise<unknown>
}
