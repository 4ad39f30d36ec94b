/** What is attached to a draft, one chip each. */
import type { Attachment } from '@atrium/contract/chat'
import type { Document } from '@atrium/contract/documents'

export interface DraftFile {
  readonly key: string
  readonly name: string
  readonly sizeBytes: number
  /** A part of the message, or a document of the chat. */
  readonly home: 'attachment' | 'document'
  readonly state: 'waiting' | 'uploading' | 'ready' | 'failed'
  /** 0 to 1. */
  readonly progress: number
  readonly attachment: Attachment | null
  /** As it was when the server took it. */
  readonly document: (Document & { readonly deduplicated?: boolean }) | null
  /** The question went off while this was still being read. */
  readonly sent: boolean
  readonly error: unknown
  /** For text that was pasted: itself, so that it can be put into the box after all. */
  readonly pasted: string | null
  /** Shows an image before the server has it. */
  readonly preview: string | null
}

/** A chip of nothing yet. */
export const blankChip: DraftFile = {
  key: '',
  name: '',
  sizeBytes: 0,
  home: 'attachment',
  state: 'waiting',
  progress: 0,
  attachment: null,
  document: null,
  sent: false,
  error: null,
  pasted: null,
  preview: null,
}

export const chipOf = (attachment: Attachment): DraftFile => {
  const { id: key, name, sizeBytes } = attachment
  return { ...blankChip, key, name, sizeBytes, state: 'ready', progress: 1, attachment }
}

export const chipOfDocument = (document: Document): DraftFile => {
  const { id: key, filename: name, size: sizeBytes } = document
  return { ...blankChip, key, name, sizeBytes, home: 'document', state: 'ready', progress: 1, document }
}
