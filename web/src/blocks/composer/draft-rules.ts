/** Which of two drafts wins. */
import type { Attachment, Draft } from '@atrium/contract/chat'

/** What this browser keeps of a draft. */
export interface LocalDraft {
  readonly content: string
  readonly attachments: readonly Attachment[]
  /** Whether the server has exactly this. */
  readonly saved: boolean
}

/**
 * The draft to start with. What was typed here and never reached the server wins; otherwise the server's is the
 * newer one, because another device may have changed it.
 */
export function chooseDraft(local: LocalDraft | null, server: Draft | null): Draft {
  if (local && (!local.saved || !server)) return { content: local.content, attachments: [...local.attachments] }
  return server ?? { content: '', attachments: [] }
}

/** Reads what was kept; null when there is nothing usable. */
export function parseLocal(text: string | null): LocalDraft | null {
  if (!text) return null
  try {
    const kept = JSON.parse(text) as Partial<LocalDraft>
    if (typeof kept.content !== 'string' || !Array.isArray(kept.attachments)) return null
    return { content: kept.content, attachments: kept.attachments, saved: kept.saved === true }
  } catch {
    // Half-written by a browser that was killed: as good as nothing.
    return null
  }
}

/** Whether pasted text is long enough to become an attachment. */
export const isLongPaste = (text: string, threshold: number): boolean => text.length > threshold

/** `pasted-text-3.txt` when two are there already. */
export function pastedName(taken: readonly string[], ending: string): string {
  for (let number = 1; ; number++) {
    const name = `pasted-text-${number}.${ending}`
    if (!taken.includes(name)) return name
  }
}
