/** Chats on a real database behind real HTTP, with the model server on the other side and the accounts `ann`, `bob` and `cleo`. */
import { randomBytes } from 'node:crypto'
import { type ChatEvent, chatRoutes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import type { AccountEvent } from '@atrium/contract/system'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { faultKinds } from '../../../e2e/provider/state.ts'
import { type Access, accessMigrations } from '../core/access/index.ts'
import { notificationMigrations } from '../core/notifications/index.ts'
import { createResourceRegistry } from '../core/resources/index.ts'
import type { AccessDeps } from '../core/access/context.ts'
import { type AccountTables, accountMigrations } from '../core/accounts/index.ts'
import { createPasswordHasher } from '../core/accounts/password/hashing.ts'
import { createPermissionEvents } from '../core/accounts/sessions/permission-events.ts'
import { documentMigrations } from '../core/documents/index.ts'
import { connectionMigrations, createConnections } from '../core/connections/index.ts'
import { type Generations, createGenerations, generationMigrations } from '../core/generation/index.ts'
import { createSettings, settingsMigrations, instanceSettings } from '../core/settings/index.ts'
import { type ChatDeps, type Chats, chatMigrations, createChats, chatSettings } from '../features/chat/index.ts'
import { auditMigrations, createAudit } from '../platform/audit/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Migration } from '../platform/db/index.ts'
import { createEventLog } from '../platform/events/event-log.ts'
import { eventMigrations } from '../platform/events/tables.ts'
import type { EventLog } from '../platform/events/types.ts'
import { createFiles } from '../platform/files/files.ts'
import { fileMigrations } from '../platform/files/tables.ts'
import { createSearchIndexes, searchMigrations } from '../platform/db/search/index.ts'
import { createHttp } from '../platform/http/index.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import type { Vault } from '../platform/vault/types.ts'
import { openVault } from '../platform/vault/vault.ts'
import { vaultMigrations } from '../platform/vault/tables.ts'
import { createLocalRuntime } from '../providers/local-runtime.ts'
import { createRunner } from '../providers/runner.ts'
import { createTestAccess, principalsById } from './access.ts'
import { authenticateById } from './authenticate.ts'
import { type Client, type ClientFrame, createClient } from './client.ts'
import { realClock } from './clock.ts'
import type { Open } from './databases.ts'
import { createTestGroups, type TestGroups } from './groups.ts'
import { savedSettings } from './settings.ts'

export interface ChatHarness {
  readonly ann: Client
  readonly bob: Client
  readonly cleo: Client
  /** The members of each group, by its id. */
  readonly setGroup: TestGroups['set']
  readonly provider: Provider
  readonly database: Database
  readonly vault: Vault
  readonly events: EventLog
  readonly generations: Generations
  readonly chats: Chats
  readonly processId: string
  /** What the log said at level warn and above, without the requests that were answered with 5xx. */
  readonly lines: string[]
  /** Every announcement, as `account type id`. */
  readonly told: string[]
  /** Makes the model server forget what it was told, and what it has seen. */
  calm(): void
  /** Another process on the same database, as far as one can be had without one. */
  another(): Promise<ChatHarness>
  close(): Promise<void>
}

export interface ChatHarnessOptions {
  readonly clock?: Clock
  /** What the chats get instead of the usual, made from the real database and its vault. */
  readonly over?: (database: Database, vault: Vault) => Partial<ChatDeps>
}

/** A model of the local runtime. */
export const local = (model: string): Selection => ({ providerType: 'local', providerId: null, model })

export const newChat = (client: Client, model = 'echo') =>
  client.call(chatRoutes.create, { body: { selection: local(model) } })

/** Asks and waits for the answer. */
export const say = (client: Client, sessionId: string, message: string) =>
  client.call(chatRoutes.generate, { params: { sessionId }, body: { message } })

/** All frames of a stream. */
export const collect = async <E>(frames: AsyncIterable<ClientFrame<E>>): Promise<ClientFrame<E>[]> => {
  const all: ClientFrame<E>[] = []
  for await (const frame of frames) all.push(frame)
  return all
}

/** The text of a stream of events, put together. */
export const textOf = (frames: readonly ClientFrame<ChatEvent>[]): string =>
  frames.map(({ event }) => (event.type === 'text' ? event.data.delta : '')).join('')

/** Waits until something is so. */
export const until = async (holds: () => boolean | Promise<boolean>, timeoutMs = 120_000): Promise<void> => {
  const end = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not come to be')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const chatHarnessMigrations: readonly Migration[] = [
  ...vaultMigrations,
  ...eventMigrations,
  ...fileMigrations,
  ...accountMigrations,
  ...auditMigrations,
  ...accessMigrations,
  ...notificationMigrations,
  ...settingsMigrations,
  ...connectionMigrations,
  ...generationMigrations,
  ...searchMigrations,
  ...documentMigrations,
]

export const openChats = async (open: Open, options: ChatHarnessOptions = {}): Promise<ChatHarness> => {
  const database = await open([...chatHarnessMigrations, ...chatMigrations])
  for (const id of ['ann', 'bob', 'cleo']) await insertAccount(database, id)
  const provider = await startProvider()
  return openOn({ database, provider, instanceKey: randomBytes(32), options }, true)
}

interface Shared {
  readonly database: Database
  readonly provider: Provider
  readonly instanceKey: Buffer
  readonly options: ChatHarnessOptions
}

const openOn = async (shared: Shared, first: boolean): Promise<ChatHarness> => {
  const { database, provider, instanceKey, options } = shared
  const groups = createTestGroups(database)
  const clock = options.clock ?? realClock
  const lines: string[] = []
  const told: string[] = []
  const log = createLog({
    level: 'warn',
    write: (line) => void (/"message":"Answered"/.test(line) || lines.push(line)),
  })
  const processId = clock.id()
  await database.holdPresence(processId)
  const vault = await openVault({ database, instanceKey, clock })
  const events = createEventLog({ database, vault, clock, log, processId })
  const announce = async (accountId: string, event: AccountEvent): Promise<void> => {
    told.push([accountId, event.type, 'id' in event.data ? event.data.id : ''].join(' ').trim())
  }
  const environment = { OUTBOUND_ALLOW: provider.address, OLLAMA_BASE_URL: provider.url }
  const saved = savedSettings({ database, vault, clock }, environment)
  const settings = createSettings({
    database,
    vault,
    clock,
    announce,
    announceAll: (event) => announce('*', event),
    saved,
    ...saved.bind(instanceSettings),
  })
  const openGate = () => createOutbound({ allowed: settings.allowedAddresses, log })
  const outbound = openGate()
  const runtime = createLocalRuntime(outbound)
  const connections = createConnections({
    audit: createAudit({ database, vault, clock }),
    database,
    vault,
    clock,
    log,
    outbound,
    runtime,
    announce,
    openGate,
    runner: createRunner({ outbound, clock }),
    allowAddress: settings.allowAddress,
    localRuntimeSettings: async () => (await settings.instance()).localRuntime.value,
    preferences: settings.preferencesOf,
    announceAll: (event) => announce('*', event),
    usualPorts: [],
  })
  // A busy machine may take longer to record an end than anybody would wait.
  const generations = createGenerations({ database, events, clock, log, processId, stopMs: 120_000 })
  const rights = createPermissionEvents({ database })
  const resources = createResourceRegistry()
  const access = openAccess({ database, vault, clock, interrupt: rights.publish, resources }, groups)
  const chats = createChats({
    access,
    userName: async (accountId) => accountId,
    displayName: async (accountId) => accountId,
    linksAllowed: async () => (await settings.instance()).chatLinks.value,
    passwords: createPasswordHasher({ memory: 1024, passes: 1, parallelism: 1 }),
    address: async () => 'https://atrium.example',
    audit: createAudit({ database, vault, clock }),
    database,
    vault,
    clock,
    log,
    generations,
    files: createFiles({ database, vault, clock }),
    elsewhere: outbound,
    resolveModel: connections.resolve,
    listModels: connections.listModels,
    preferences: settings.preferencesOf,
    modelUsed: settings.rememberModel,
    compaction: saved.bind(chatSettings).compaction,
    announce: announce,
    prepareAnnouncement: async (accountId, event) => ({
      write: async () => undefined,
      tell: () => announce(accountId, event),
    }),
    documents: noDocuments,
    web: noWeb,
    texts: createSearchIndexes({ database, vault }).texts,
    ...options.over?.(database, vault),
  })
  resources.add(chats.resources)
  await generations.recover()
  await chats.recover()
  const http = await createHttp({
    areas: [chats.area, connections.area, settings.area, access.area],
    authorise: access.authorise,
    log,
    clock,
    authenticate: authenticateById(),
    watchSession: () => () => {},
    watchRights: rights.watch,
    limits: { generate: wide, write: wide, read: wide, stop: wide, upload: wide },
    checkEvents: true,
  })
  const url = await http.listen('127.0.0.1', 0)
  const calm = () => provider.control({ reset: true, models: testModels })
  calm()
  return {
    provider,
    calm,
    database,
    vault,
    events,
    generations,
    chats,
    processId,
    lines,
    told,
    ann: createClient(url, 'ann'),
    bob: createClient(url, 'bob'),
    cleo: createClient(url, 'cleo'),
    async setGroup(groupId, accountIds) {
      const before = await groups.groups.memberIds(groupId)
      await groups.set(groupId, accountIds)
      await access.announceMembers(groupId, [...before, ...accountIds])
    },
    another: () => openOn(shared, false),
    async close() {
      await chats.stop()
      await generations.stop()
      await http.stop(100)
      await events.stop()
      rights.close()
      settings.close()
      await outbound.close()
      if (first) await provider.close()
    },
  }
}

/** Everybody is called by their id. */
const openAccess = (
  deps: { database: Database; vault: Vault; clock: Clock } & Pick<AccessDeps, 'interrupt' | 'resources'>,
  groups: TestGroups,
): Access => createTestAccess({ ...deps, principals: principalsById(groups.groups) })

/** Names that the local runtime lists here; each says how it answers or fails. */
const testModels = [
  'echo',
  'markdown',
  'thinker',
  'tagger',
  'drip-5',
  'drip-20',
  'long-2000',
  'long-2000-drip-20',
  'long-40-drip-5',
  ...faultKinds,
]

/** Tests that concern documents or the web bring their own. */
const noDocuments: ChatDeps['documents'] = {
  retrieve: () => Promise.reject(new Error('there are no documents here')),
  hasAny: async () => false,
  waitUntilRead: async () => undefined,
  describeDocuments: async () => [],
  findOriginals: async () => new Set(),
  openOriginal: async () => null,
  removeSessions: async () => undefined,
  makeCollection: async () => 'collection',
  ownsCollection: async () => true,
}
const noWeb: ChatDeps['web'] = {
  isAllowed: async () => false,
  search: () => Promise.reject(new Error('there is no web here')),
}

const wide = { max: 1_000_000, windowMs: 60_000 }

/** An account that only has to be there. */
export const insertAccount = async (database: Database, id: string): Promise<void> => {
  const bytes = Buffer.from('x')
  await database
    .tables<Pick<AccountTables, 'accounts'>>()
    .insertInto('accounts')
    .values({
      id,
      username_index: id,
      username: bytes,
      display_name: null,
      email_index: null,
      email: null,
      role: id === 'ann' ? 'admin' : 'user',
      status: 'active',
      credential: bytes,
      created_at: 0,
      updated_at: 0,
    })
    .execute()
}
