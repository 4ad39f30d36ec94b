/**
 * Questions that were sent without a network. They go out once it is back; until then they are kept in this browser, as
 * drafts are, so that a page that is closed meanwhile has them in its box when it is opened again.
 */
import type { Attachment } from '@atrium/contract/chat'

export interface UnsentQuestion {
  /** The id that the question will have. */
  readonly id: string
  readonly content: string
  readonly attachments: readonly Attachment[]
}

/** Those that this very page is about to send. */
const underWay = new Set<string>()

export function keepUnsent(chatId: string, unsent: UnsentQuestion): void {
  underWay.add(unsent.id)
  try {
    localStorage.setItem(place(chatId), JSON.stringify(unsent))
  } catch {
    // The browser's space is used up: it is kept until the page is closed.
  }
}

/** It was sent, or is back in the box. */
export function dropUnsent(chatId: string, id: string): void {
  if (underWay.delete(id)) localStorage.removeItem(place(chatId))
}

/** What a page that was closed could not send any more; null where there is nothing, or the chat has it. */
export function takeUnsent(chatId: string, known: readonly { readonly id: string }[]): UnsentQuestion | null {
  const kept = localStorage.getItem(place(chatId))
  if (kept === null) return null
  const unsent = JSON.parse(kept) as UnsentQuestion
  if (underWay.has(unsent.id)) return null
  localStorage.removeItem(place(chatId))
  return known.some(({ id }) => id === unsent.id) ? null : unsent
}

/** Resolves once the browser has a network again, or `signal` is aborted. */
export function onNetworkBack(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine || signal.aborted) return resolve()
    addEventListener('online', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const place = (chatId: string) => `atrium.unsent:${chatId}`
