/** Rows of attachments, and of where they are used. */

export interface AttachmentRow {
  id: string
  account_id: string
  name: Uint8Array
  kind: 'text' | 'image'
  media_type: string
  size_bytes: number
  tokens: number
  width: number | null
  height: number | null
  /** Sealed; the printed words of a picture, once the built-in reader was asked for them. */
  print: Uint8Array | null
  /** What they cost in a context; 0: there are none, or not in what can be read. null: nobody asked. */
  print_tokens: number | null
  created_at: number
}

/** Where an attachment is used: `holder_id` is a message, a queued prompt or a draft. */
export interface AttachmentUseRow {
  holder_id: string
  place: number
  attachment_id: string
  chat_id: string | null
}
