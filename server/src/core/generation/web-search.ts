/** How chat asks for the web; `features/web-search` answers, `app/app.ts` passes it on. */
import type { Retrieval, Source } from '@atrium/contract/generation'

export interface WebQuestion {
  readonly text: string
  readonly history: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  /** Asks the chat's own model something small; null where there is no language model. Throws when it fails. */
  readonly ask: ((system: string, text: string, signal: AbortSignal) => Promise<string>) | null
  /** Told when pages are opened. */
  readonly onReading: () => void
}

export interface WebResults {
  /** Best first; `source.number` is not set. */
  readonly items: readonly { readonly source: Source; readonly text: string }[]
  readonly web: NonNullable<Retrieval['web']>
  readonly notes: Retrieval['notes']
}

export interface WebSearch {
  /** Whether an account may search the web now. */
  isAllowed(accountId: string): Promise<boolean>
  /** Never throws because an engine or a page fails: what came in time is given, with a note. */
  search(accountId: string, question: WebQuestion, signal: AbortSignal): Promise<WebResults>
}
