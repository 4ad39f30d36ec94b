/** Dependencies of chat, and the context that its modules share. */
import type { Selection } from '@atrium/contract/common'
import type { ModelList } from '@atrium/contract/connections'
import type { Cost } from '@atrium/contract/generation'
import type { Preferences } from '@atrium/contract/settings'
import type { AccountEvent } from '@atrium/contract/system'
import { type Access, createLinkWatch, createVisits, type LinkWatch, type Visits } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Documents } from '../../core/documents/index.ts'
import type { Tools } from '../../core/tools/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { PresenceArea } from '../../core/presence/index.ts'
import type {
  AnswerTokens,
  Gallery,
  Generations,
  AskerOf,
  ResolveModel,
  WebSearch,
} from '../../core/generation/index.ts'
import { type Cache, createCache } from '../../platform/cache/cache.ts'
import type { TextIndex } from '../../platform/db/search/index.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { AccountEvents } from '../../platform/events/account-events.ts'
import type { Files } from '../../platform/files/files.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { Platform } from '../../platform/platform.ts'
import { createSlot, type Slot } from '../../platform/slot.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { type ChatIndexer, createChatIndexer } from './search/indexing.ts'
import { type DocumentScopes, createDocumentScopes } from './generations/document-scope.ts'
import { listReaders } from './sharing/readers.ts'
import { type ChatStore, createChatStore } from './stores/index.ts'
import type { LiveChatLink } from './stores/links.ts'
import type { CompactionFields } from './settings.ts'
import type { ChatLinkRow, SessionRow } from './tables.ts'

export interface ChatDeps extends Pick<Platform, 'clock' | 'database' | 'log' | 'vault'> {
  readonly audit: Pick<Platform['audit'], 'recordIn'>
  readonly generations: Generations
  /** How chats are summarised on this instance. */
  readonly compaction: BoundSettings<CompactionFields>
  readonly resolveModel: ResolveModel
  /** The models that an account may pick, and the one that a chat starts with where none was chosen. */
  readonly listModels: (accountId: string) => Promise<Pick<ModelList, 'items' | 'fallback'>>
  readonly files: Pick<Files, 'open' | 'read' | 'remove' | 'requireRoom' | 'save'>
  /** The way to pictures that answers name. It reaches public addresses only. */
  readonly elsewhere: Pick<Outbound, 'check' | 'request'>
  readonly preferences: (accountId: string) => Promise<Preferences>
  /** Keeps in mind that a model was used last by an account. */
  readonly modelUsed: (accountId: string, selection: Selection) => Promise<void>
  /** What tokens of a model cost by the prices that hold; null where nobody knows. */
  readonly costOf?: (selection: Selection, tokens: AnswerTokens) => Cost | null
  /** Retrieval of passages for questions. */
  readonly documents: Pick<
    Documents,
    | 'retrieve'
    | 'hasAny'
    | 'waitUntilRead'
    | 'describeDocuments'
    | 'findOriginals'
    | 'openOriginal'
    | 'removeSessions'
    | 'makeCollection'
    | 'ownsCollection'
  >
  /** Full-document mode sends so many tokens of documents at most (default 32 000). */
  readonly fullDocumentTokens?: number | undefined
  /** So long after its last question a temporary chat is deleted (default 24). */
  readonly temporaryChatHours?: number | undefined
  readonly web: WebSearch
  /** What models may do for the account that asks; absent: nothing. */
  readonly tools?: Pick<
    Tools,
    | 'denyWaiting'
    | 'describe'
    | 'hadEffect'
    | 'keepUsable'
    | 'listUsable'
    | 'maxRounds'
    | 'onDecided'
    | 'onFiles'
    | 'open'
    | 'prepareWait'
    | 'removeChat'
    | 'requireIds'
  >
  /** Where pictures of answers are kept besides. */
  readonly gallery?: Gallery
  /** Where messages and titles are found by their words. */
  readonly texts: TextIndex
  /** Who else may read a chat. */
  readonly access: Pick<
    Access,
    'announceReach' | 'authorise' | 'listReachable' | 'listReaders' | 'countGrants' | 'removeGrants'
  >
  /** What an account is called; null when there is none. */
  readonly userName: (accountId: string) => Promise<string | null>
  /** What an account wants to be called; null where it said nothing, or is gone. */
  readonly displayName: (accountId: string) => Promise<string | null>
  /** Whether the administrator lets chats be shared by links. */
  readonly linksAllowed: (ownerId: string) => Promise<boolean>
  /** Tells accounts of long answers that ended while they were away; absent: nobody is told. */
  readonly answerNotices?: Pick<Notifications, 'publisher'> & Pick<PresenceArea, 'isPresent'>
  /** For the passwords of links. */
  readonly passwords: Accounts['passwords']
  /** Where the instance is reached; null where nobody said. */
  readonly address: () => Promise<string | null>
  /** News for the open pages of an account: ids only. */
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
  /** The same within a transaction. */
  readonly prepareAnnouncement: AccountEvents['prepareAnnouncement']
}

/** News of a chat that changes in a transaction of the caller: what its owner's pages hear is written there. */
export interface ChatChange {
  write(trx: AnyTransaction): Promise<void>
  /** Call it once the transaction is committed; nobody waits for it. */
  tell(chat: SessionRow | Promise<SessionRow | null>): void
}

/** The context of every module of the area. */
export interface ChatContext extends ChatDeps {
  /** What runs by itself says which answers it asked for. */
  readonly askerOf: Slot<AskerOf>
  readonly store: ChatStore
  readonly scopes: DocumentScopes
  /** Who has links open, in this process. */
  readonly linkWatch: LinkWatch
  readonly linkVisits: Visits<ChatLinkRow, LiveChatLink>
  /** Models that refused to be offered tools, by selection: for a while they are not offered any. */
  readonly toolRefusals: Cache<true>
  readonly indexing: ChatIndexer
  /** Aborted when the server stops; work in the background holds on to it. */
  readonly closing: AbortSignal
  /** Runs work that nobody waits for; its failure is logged, and `stop` waits for it. */
  readonly background: (what: string, work: () => Promise<void>) => void
  /** Announces a change to open pages, without waiting for it. */
  readonly announceChange: (accountId: string, chatId: string) => void
  /** The same of a change that is about to be stored. */
  readonly prepareChange: (accountId: string, chatId: string) => Promise<ChatChange>
}

export interface ClosableChatContext extends ChatContext {
  /** Stops work in the background, and waits for it. */
  close(): Promise<void>
}

export const createChatContext = (deps: ChatDeps): ClosableChatContext => {
  const closing = new AbortController()
  const scopes = createDocumentScopes(deps, deps.documents)
  const pending = new Set<Promise<void>>()
  const background: ChatContext['background'] = (what, work) => {
    if (closing.signal.aborted) return
    const running = work()
      .catch((error: unknown) => {
        if (!closing.signal.aborted) deps.log.error(what, { error })
      })
      .finally(() => pending.delete(running))
    pending.add(running)
  }
  const store = createChatStore(deps.database)
  const indexing = createChatIndexer({ ...deps, store, closing: closing.signal, background })
  const changeOf = (id: string): AccountEvent => ({ type: 'chat-changed', data: { id } })
  const announceToReaders = async (chats: Parameters<typeof listReaders>[1]): Promise<void> => {
    const readers = await listReaders(deps.access, chats)
    for (const { id } of chats)
      for (const reader of readers) await deps.announce(reader, { type: 'shared-chat-changed', data: { id } })
  }
  return {
    ...deps,
    askerOf: createSlot<AskerOf>('What asks for answers by itself'),
    store,
    scopes,
    linkWatch: createLinkWatch({
      states: (ids) => store.links.states(ids, deps.clock.now()),
      isAllowed: deps.linksAllowed,
      log: deps.log,
    }),
    linkVisits: createVisits({
      prefix: 'atc_',
      purpose: 'chat.link-visit',
      refusals: { missing: 'chat_link_not_found', password: 'chat_link_password', locked: 'chat_link_locked' },
      isAllowed: deps.linksAllowed,
      passwords: deps.passwords,
      store: store.links,
      find: store.links.find,
      clock: deps.clock,
      vault: deps.vault,
    }),
    toolRefusals: createCache({ max: 1000, ttl: { ms: 3600_000, clock: deps.clock } }),
    indexing,
    closing: closing.signal,
    background,
    announceChange: (accountId, id) => {
      background('open pages could not be told', async () => {
        await deps.announce(accountId, changeOf(id))
        await announceToReaders(await store.sessions.places([id]))
      })
      indexing.schedule(accountId)
    },
    async prepareChange(accountId, id) {
      const { write, tell } = await deps.prepareAnnouncement(accountId, changeOf(id))
      return {
        write,
        tell(chat) {
          background('open pages could not be told', async () => {
            await tell()
            const known = await chat
            if (known) await announceToReaders([known])
          })
          indexing.schedule(accountId)
        },
      }
    },
    async close() {
      closing.abort()
      scopes.close()
      await Promise.all(pending)
    },
  }
}

/** A chat of the caller, with the keys that open it. Refuses with `chat_not_found`. */
export const openChat = async (
  context: ChatContext,
  chatId: string,
  accountId: string,
): Promise<{ chat: SessionRow; keys: Keyring }> => {
  const chat = await context.store.sessions.read(chatId, accountId)
  if (!chat) throw fail('chat_not_found')
  return { chat, keys: await context.vault.keyring(accountId) }
}
