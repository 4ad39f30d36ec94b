import type { Message } from '@atrium/contract/chat'
import type { Source } from '@atrium/contract/generation'
import type { ModelList } from '@atrium/contract/connections'
import { createContext, use } from 'react'
import type { OpenChat } from '../open/store.ts'

/** As much of a source as it takes to open its document. */
type OpenedSource = Pick<Source, 'documentId' | 'name' | 'startChar' | 'endChar' | 'location'>

/** What the rows of a chat share. */
export interface Thread {
  readonly chat: OpenChat
  readonly models: ModelList | undefined
  /** Whose chat it is, where it is somebody else’s: then nothing in it can be changed. */
  readonly ownerName: string | null
  /** The message that is being edited. */
  readonly editing: string | null
  edit(messageId: string | null): void
  showSources(message: Message): void
  /** Shows a document beside the chat, at the passage of this source; `claim` is what it is cited for. */
  openSource(source: OpenedSource, claim?: string): void
  showDocuments(): void
  /** Shows an artifact beside the chat. `unasked`: only where there is room, and nobody has closed one here. */
  openArtifact(artifactId: string, unasked?: boolean): void
  /** The same of what is being written now. */
  openDraft(unasked?: boolean): void
  /** Shows a fenced block of a message as it grows: the one with this number, from 0. */
  openBlock(messageId: string, at: number): void
  /** Asks which model shall answer this again. */
  pickModelFor(message: Message): void
  /** Does something with the server and says on screen when it fails. */
  attempt(work: () => Promise<unknown>): void
  focusComposer(): void
}

export const ThreadContext = createContext<Thread | null>(null)

/** The chat around a row. */
export function useThread(): Thread {
  const thread = use(ThreadContext)
  if (!thread) throw new Error('a message outside of a chat')
  return thread
}
