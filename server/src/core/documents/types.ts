/** Dependencies of the documents area, and what it provides to other areas. */
import type { documentsRoutes } from '@atrium/contract/documents'
import type { Selection } from '@atrium/contract/common'
import type { documentsArea } from '@atrium/contract/documents'
import type { Retrieval, Source } from '@atrium/contract/generation'
import type { AccountEvent } from '@atrium/contract/system'
import type { Tool } from '../../platform/areas/tool.ts'
import type { BoundRoutes, BytesAnswer } from '../../platform/http/area.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { EventWatch } from '../../platform/areas/event-watch.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Print, PrintFailure } from '../../platform/reader/index.ts'
import type { Slot } from '../../platform/slot.ts'
import type { Vault } from '../../platform/vault/types.ts'
import type { Access } from '../access/index.ts'
import type { ResolvedCapability, CapabilityModel } from '../connections/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { ResourcesOf } from '../resources/index.ts'
import type { ChatFile } from '../generation/index.ts'
import type { RetryPolicy } from './embeddings/retry.ts'
import type { DocumentRecorder } from './metrics.ts'

/** A document is found in a collection: it was read there, or moved there. */
export interface CollectedDocument {
  readonly collectionId: string
  readonly documentId: string
}

export interface DocumentsDeps extends Pick<Platform, 'clock' | 'database' | 'files' | 'indexes' | 'jobs' | 'log'> {
  /** Told of documents and searches, for metrics. */
  readonly recorder?: DocumentRecorder | null
  readonly vault: Vault
  readonly access: Pick<Access, 'listReachable' | 'listReaders' | 'countGrants' | 'removeGrants'>
  readonly notifications: Pick<Notifications, 'publisher'>
  /** Whoever waits for documents. */
  readonly watch: Slot<EventWatch<CollectedDocument>>
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
  /** The way to web pages. It reaches public addresses only. */
  readonly elsewhere: Pick<Outbound, 'check' | 'request'>
  /** Whether an account has a chat of this id. */
  readonly ownsSession: (accountId: string, sessionId: string) => Promise<boolean>
  /** The chats of an account whose documents are in no list, search or export. */
  readonly temporarySessions: (accountId: string) => Promise<readonly string[]>
  readonly capability: {
    (
      accountId: string,
      capability: 'embedding',
      of: Pick<CapabilityModel, 'providerId' | 'model'>,
    ): Promise<ResolvedCapability<'embedding'>>
    (
      accountId: string,
      capability: 'stt',
      of: Pick<CapabilityModel, 'providerId' | 'model'>,
    ): Promise<ResolvedCapability<'stt'>>
  }
  readonly capabilityModels: (accountId: string, capability: 'embedding' | 'stt') => Promise<CapabilityModel[]>
  /**
   * Has the vision model of an account look at a picture, with these words, or says why there is none. `chosen`: one was
   * chosen, and nothing else is to stand in for it.
   */
  readonly describePicture: (
    accountId: string,
    picture: { readonly mediaType: string; readonly bytes: Uint8Array },
    words: string,
    signal: AbortSignal,
  ) => Promise<{ readonly text: string } | { readonly unavailable: string; readonly chosen: boolean }>
  /** The printed words of a picture, by the built-in reader; the language of the account is tried first. */
  readonly readPrint: (
    accountId: string,
    bytes: Uint8Array,
    signal: AbortSignal,
  ) => Promise<Print | { readonly failure: PrintFailure }>
  /** Whether an account may use voice input here. */
  readonly mayTranscribe: (accountId: string) => Promise<boolean>
  /** The model that an account chose to turn speech into text; null: the first that is there. */
  readonly speechModel: (accountId: string) => Promise<Pick<CapabilityModel, 'providerId' | 'model'> | null>
  readonly userName: (accountId: string) => Promise<string | null>
  /** How long a model that makes vectors is waited for, where not as usual. */
  readonly retryPolicy?: RetryPolicy | undefined
}

/** What a question looks in. */
export interface SearchScope {
  readonly sessionId: string | null
  /** The own documents that are in no chat and no collection. */
  readonly library: boolean
  /** Own and shared; those that the account may not read any more are left out in silence. */
  readonly collectionIds: readonly string[]
  readonly documentIds?: readonly string[] | undefined
}

export interface RetrievalQuestion {
  readonly text: string
  /** What was said before it, oldest first; for follow-up questions. */
  readonly history: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  readonly scope: SearchScope
  /** Send whole documents when all of them fit into so many tokens. */
  readonly full: { readonly maxTokens: number } | null
  /**
   * The documents of the chat itself go whole while all of them fit into so many tokens, and where none of their
   * passages matches, their beginning does; absent: they are looked in like all others.
   */
  readonly attached?: { readonly maxTokens: number } | undefined
  /** Asks the chat's own model something small; null where there is no language model. Throws when it fails. */
  readonly ask: ((system: string, text: string, signal: AbortSignal) => Promise<string>) | null
  /** Passages at most; by default what the account's settings say. */
  readonly limit?: number | undefined
}

export interface RetrievalResult {
  /** Best first; in full mode one for each document, in order of upload. `source.number` is not set. */
  readonly items: readonly { readonly source: Source; readonly text: string }[]
  readonly retrieval: Retrieval
}

export interface Documents {
  /** Documents of everybody that are not found yet (or failed to be read), or by their words alone. */
  countUnfound(): Promise<{ readonly waiting: number; readonly failed: number; readonly withoutVectors: number }>
  readonly area: BoundRoutes<typeof documentsRoutes>
  readonly tools: readonly Tool[]
  readonly resources: ResourcesOf<typeof documentsArea>
  /** Passages for a question. Never throws because a model fails: it falls back to words and says so in `notes`. */
  retrieve(accountId: string, question: RetrievalQuestion, signal: AbortSignal): Promise<RetrievalResult>
  /** Whether a question of this scope has anything to look in. */
  hasAny(accountId: string, scope: SearchScope): Promise<boolean>
  /** Waits, but not for ever, until no document of a chat is being read any more. */
  waitUntilRead(accountId: string, sessionId: string, signal: AbortSignal): Promise<void>
  /** Those of the documents that an own chat has, for the message that they come with, in the order of the ids. */
  describeDocuments(
    accountId: string,
    sessionId: string,
    ids: readonly string[],
  ): Promise<{ id: string; name: string; sizeBytes: number }[]>
  /** Those of the documents that an own chat has now, with a file. */
  findOriginals(accountId: string, sessionId: string, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The file of one of these, as a browser may show or save it; null: there is none. */
  openOriginal(accountId: string, sessionId: string, id: string): Promise<BytesAnswer | null>
  /** The files of a chat's own documents, the oldest first. */
  listOriginals(accountId: string, sessionId: string): Promise<readonly ChatFile[]>
  /** Makes a collection of an account, by this name or one like it; null: it has as many as it may. */
  makeCollection(accountId: string, name: string): Promise<string | null>
  /** Whether an account has a collection of this id that is not in the trash. */
  ownsCollection(accountId: string, id: string): Promise<boolean>
  /** Whether an account reads a collection now, its own or a shared one. */
  readsCollection(accountId: string, id: string): Promise<boolean>
  /** A document that is found in a collection which the account reads now; null: there is none such. */
  readCollected(accountId: string, of: CollectedDocument): Promise<{ readonly name: string } | null>
  /** Deletes the documents of chats that are gone for good. */
  removeSessions(sessionIds: readonly string[]): Promise<void>
  /** Queues what an earlier process left half done. */
  recover(): Promise<void>
}

export type { Selection }
