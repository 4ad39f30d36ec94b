/** Rows of what is not sent yet: queued prompts and drafts. */
export interface QueueRow {
  id: string
  chat_id: string
  account_id: string
  content: Uint8Array
  /** Sealed: the documents that come with it. */
  documents: Uint8Array | null
  web_search: number
  /** 1: a token put it there that may not have tools used. */
  without_tools: number
  /** Sealed: what is made instead of an answer. */
  making: Uint8Array | null
  /** Sealed: which tools were chosen for it alone. */
  tools: Uint8Array | null
  /** Sealed: what of it is quoted from other messages. */
  quotes: Uint8Array | null
  position: number
  created_at: number
}

/** `id` is a chat's id, or `new:<account id>`. */
export interface DraftRow {
  id: string
  account_id: string
  content: Uint8Array
  /** Sealed: what is quoted before the text. */
  quotes: Uint8Array | null
}
