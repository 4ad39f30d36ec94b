/** Documents for tests: uploaded as a browser uploads them, and waited for. */
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import type { Answer } from '@atrium/contract/route'
import { migrations } from '../app/areas.ts'
import type { Access } from '../core/access/index.ts'
import { createResourceRegistry } from '../core/resources/index.ts'
import type { Accounts } from '../core/accounts/index.ts'
import { createSlot } from '../platform/slot.ts'
import { createTestNotifications } from './notifications.ts'
import { createTestAccess, createTestChats, principalsOf } from './access.ts'
import { createTestAccounts } from './accounts.ts'
import { createDocuments, type Documents, type DocumentsDeps } from '../core/documents/index.ts'
import { createDurableJobs } from '../features/durable-jobs/index.ts'
import { readPrint } from '../platform/reader/index.ts'
import { createSearchIndexes, type SearchIndexes } from '../platform/db/search/index.ts'
import type { Database } from '../platform/db/types.ts'
import { createEventLog } from '../platform/events/event-log.ts'
import { createFiles, type Files } from '../platform/files/files.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import type { Jobs } from '../platform/jobs/types.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { openVault } from '../platform/vault/vault.ts'
import type { Client } from './client.ts'
import { realClock } from './clock.ts'
import type { Open } from './databases.ts'
import { testPlaceMigrations } from './places.ts'
import { serveAreas } from './serve.ts'

export interface Sent {
  readonly name?: string
  readonly type?: string
  readonly sessionId?: string
  readonly collectionId?: string
}

/** The body of an upload: a form, with its border in its type. */
export const formOf = async (
  content: string | Uint8Array,
  { name = 'notes.txt', type = '', ...fields }: Sent = {},
): Promise<Blob> => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('document', new File([content as Uint8Array<ArrayBuffer>], name, { type }))
  return await new Response(form).blob()
}

export const upload = async (
  client: Client,
  content: string | Uint8Array,
  sent?: Sent,
): Promise<Answer<typeof documentsRoutes.upload>> =>
  client.call(documentsRoutes.upload, { file: await formOf(content, sent) })

/** Waits until a document is read, or cannot be. */
export const readToEnd = async (client: Client, documentId: string): Promise<Document> => {
  for (const end = Date.now() + 120_000; ; ) {
    const {
      content: _content,
      segments: _segments,
      ...document
    } = await client.call(documentsRoutes.read, {
      params: { documentId },
    })
    if (document.processingStatus === 'completed' || document.processingStatus === 'failed') return document
    if (Date.now() > end) throw new Error(`The document is still ${document.processingStatus}.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export const uploadAndRead = async (client: Client, content: string | Uint8Array, sent?: Sent): Promise<Document> =>
  readToEnd(client, (await upload(client, content, sent)).id)

export interface DocumentsHarness {
  readonly database: Database
  readonly documents: Documents
  readonly indexes: SearchIndexes
  readonly files: Files
  readonly jobs: Jobs
  readonly accounts: Accounts
  readonly access: Access
  /** What open pages were told, as `<account> <type>`. */
  readonly told: string[]
  /** Says that an account has a chat. */
  readonly addChat: (accountId: string, id: string) => Promise<void>
  readonly lines: readonly string[]
  /** Makes an account and gives its client; the token is the account's id. */
  account(username: string): Promise<Client>
  close(): Promise<void>
}

/** Documents with the real parts around them, but for chats and models, on a database of the test's own. */
export const openDocuments = async (
  open: Open,
  { allowed = [], ...other }: Partial<DocumentsDeps> & { readonly allowed?: readonly string[] } = {},
): Promise<DocumentsHarness> => {
  const clock = realClock
  const lines: string[] = []
  const log = createLog({ level: 'warn', write: (line) => lines.push(line) })
  const database = await open([...migrations, ...testPlaceMigrations])
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 5), clock })
  const processId = clock.id()
  const events = createEventLog({ database, vault, clock, log, processId })
  const files = createFiles({ database, vault, clock })
  const jobs = createJobs({ database, vault, clock, events, log, processId, concurrency: 4, tuning: { backoffMs: 5 } })
  const indexes = createSearchIndexes({ database, vault })
  const told: string[] = []
  const announce: DocumentsDeps['announce'] = async (accountId, event) => {
    told.push(`${accountId} ${event.type}`)
    await events.append({ id: `account:${accountId}`, accountId }, event)
  }
  const accounts = createTestAccounts({
    database,
    vault,
    clock,
    log,
    version: '1',
    announce,
    signupEnabled: async () => true,
  })
  const resources = createResourceRegistry()
  const access = createTestAccess({ resources, database, vault, clock, principals: principalsOf(accounts) })
  const elsewhere = createOutbound({ allowed: () => new Set(allowed), log })
  const chats = createTestChats(database)
  resources.add({ chat: chats.resource })
  const documents = createDocuments({
    database,
    vault,
    clock,
    log,
    files,
    jobs,
    indexes,
    access,
    notifications: createTestNotifications({ database, vault, clock }),
    watch: createSlot('Who waits for documents'),
    announce,
    elsewhere,
    ownsSession: async (accountId, sessionId) => chats.owns(accountId, sessionId),
    temporarySessions: async () => [],
    capability: async () => ({ unavailable: 'There are no models here.' }),
    capabilityModels: async () => [],
    describePicture: async () => ({ unavailable: 'There are no models here.', chosen: false }),
    readPrint: async (_, bytes, signal) => readPrint(bytes, { signal }),
    mayTranscribe: async () => true,
    speechModel: async () => null,
    userName: async (accountId) => (await accounts.user(accountId))?.username ?? null,
    ...other,
  })
  resources.add(documents.resources)
  const areas = [
    documents.area,
    access.area,
    createDurableJobs({ jobs, clock, processes: { list: () => [] }, namesOf: async () => new Map() }),
  ]
  const served = await serveAreas({
    areas,
    clock,
    authorise: access.authorise,
    authenticate: async ({ bearer }) =>
      bearer ? { accountId: bearer, sessionId: 's', role: 'user', via: 'bearer', token: null } : null,
  })
  await documents.recover()
  jobs.start(areas.map((area) => area.jobs ?? {}))
  return {
    database,
    documents,
    indexes,
    files,
    jobs,
    accounts,
    access,
    told,
    addChat: chats.add,
    lines,
    async account(username) {
      const { id } = await accounts.createAccount({ username, password: 'a long enough password' })
      return served.guest.as(id)
    },
    async close() {
      await served.stop()
      await jobs.stop()
      accounts.close()
      await elsewhere.close()
      await events.stop()
    },
  }
}
