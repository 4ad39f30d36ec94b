/** Every SQL statement about tool servers, and about what accounts have of them. */
import {
  LeftOutTool,
  ToolServerAccess,
  ToolServerAuth,
  ToolServerHeaders,
  ToolServerKind,
  mostPersonalToolServers,
  mostToolServers,
} from '@atrium/contract/tool-servers'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PlaceRow } from '../../core/resources/index.ts'
import { createCache } from '../../platform/cache/cache.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Platform } from '../../platform/platform.ts'
import { storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import { Definition } from './definitions.ts'
import type { OfferedContent, RegisteredServer } from './kind.ts'
import type { AcceptedTool } from './rules.ts'
import type { ToolServerHealthRow, ToolServerRow, ToolServerTables } from './tables.ts'

const ServerDocument = z.strictObject({
  name: z.string(),
  description: z.string().nullable(),
  kind: ToolServerKind,
  baseUrl: z.string(),
  specUrl: z.string().nullable().default(null),
  isUploaded: z.boolean().default(false),
  authMode: ToolServerAuth,
  authHeader: z.string().nullable(),
  headers: ToolServerHeaders,
  timeoutMs: z.number().int(),
  maxResponseBytes: z.number().int(),
})
const documentJson = storedJson('tool_servers.document', ServerDocument)

const ToolsDocument = z.strictObject({
  /** How often definitions were taken over. */
  revision: z.number().int(),
  accepted: z.array(Definition.extend({ enabled: z.boolean(), sideEffect: z.boolean() })),
  /** What the server listed last, where that is something else. */
  seen: z.array(Definition).nullable(),
  leftOut: z.array(LeftOutTool),
  /** null: it was not asked. */
  offers: z.strictObject({ resources: z.boolean(), prompts: z.boolean() }).nullable().default(null),
})
const toolsJson = storedJson('tool_servers.tools', ToolsDocument)

export interface ServerTools {
  readonly revision: number
  readonly accepted: readonly AcceptedTool[]
  readonly seen: readonly Definition[] | null
  readonly leftOut: readonly z.infer<typeof LeftOutTool>[]
  readonly offers: OfferedContent | null
}

/** Of a server that was not asked yet. */
export const noTools: ServerTools = { revision: 0, accepted: [], seen: null, leftOut: [], offers: null }

/** Times are integer milliseconds. */
export interface StoredServer extends RegisteredServer {
  readonly tools: ServerTools
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

const Credential = z.strictObject({ secret: z.string(), origin: z.string() })
const credentialJson = storedJson('tool_server_credentials.secret', Credential)

/** Who may see a shared server: administrators, and whom it is granted to as long as it is for those. */
export const toolServerPlaces = sql<PlaceRow>`select id, 'instance' as owner_id, null as within_id,
  case when access_mode = 'granted' then 1 else 0 end as shown from tool_servers where owner_id is null`

type Also = (trx: AnyTransaction) => Promise<void>
const nothing: Also = async () => undefined

export type ToolServerStore = ReturnType<typeof createToolServerStore>

export const createToolServerStore = ({ database, vault, clock }: Pick<Platform, 'database' | 'vault' | 'clock'>) => {
  const tables = () => database.tables<ToolServerTables>()
  /** Definitions are large, and read at every answer: opened once for each version. */
  const opened = createCache<StoredServer>({ max: mostToolServers * 4 })

  const open = async (row: ToolServerRow): Promise<StoredServer> => {
    const keyring = await vault.keyring(row.owner_id)
    return {
      id: row.id,
      ownerId: row.owner_id,
      ...documentJson.open(keyring, row.id, row.document),
      accessMode: ToolServerAccess.parse(row.access_mode),
      enabled: row.enabled === 1,
      tools: toolsJson.open(keyring, row.id, row.tools) as ServerTools,
      version: row.version,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  }
  const seal = async (server: StoredServer): Promise<ToolServerRow> => {
    const keyring = await vault.keyring(server.ownerId)
    const { id, name, description, kind, baseUrl, specUrl, isUploaded } = server
    const { authMode, authHeader, headers, timeoutMs, maxResponseBytes } = server
    const where = { name, description, kind, baseUrl, specUrl, isUploaded }
    const document = Object.assign(where, { authMode, authHeader, headers, timeoutMs, maxResponseBytes })
    return {
      id,
      owner_id: server.ownerId,
      access_mode: server.accessMode,
      enabled: server.enabled ? 1 : 0,
      version: server.version,
      document: documentJson.seal(keyring, id, document),
      tools: toolsJson.seal(keyring, id, server.tools as z.infer<typeof ToolsDocument>),
      created_at: server.createdAt,
      updated_at: server.updatedAt,
    }
  }
  const recall = ({ id, version }: { id: string; version: number }) => opened.get(`${id} ${version}`)
  const openAll = async (heads: readonly { id: string; version: number }[]): Promise<StoredServer[]> => {
    const missing = heads.filter((head) => recall(head) === undefined).map(({ id }) => id)
    const read = new Map<string, StoredServer>()
    if (missing.length > 0) {
      const rows = await tables().selectFrom('tool_servers').selectAll().where('id', 'in', missing).execute()
      for (const row of rows) {
        // One that cannot be read takes the others with it no more than one that is switched off.
        const server = await open(row).catch((error: unknown) =>
          unlessUnreadable<StoredServer | null, null>(() => {
            throw error
          }, null),
        )
        if (!server) continue
        read.set(server.id, server)
        opened.set(`${server.id} ${server.version}`, server)
      }
    }
    return heads.flatMap((head) => recall(head) ?? read.get(head.id) ?? [])
  }
  const heads = () => tables().selectFrom('tool_servers').select(['id', 'version']).orderBy('created_at').orderBy('id')
  const removeServer = async (id: string, also: Also = nothing): Promise<boolean> =>
    await database.write<ToolServerTables, boolean>(async (trx) => {
      for (const table of ['tool_server_credentials', 'tool_server_health'] as const)
        await trx.deleteFrom(table).where('server_id', '=', id).execute()
      const { numDeletedRows } = await trx.deleteFrom('tool_servers').where('id', '=', id).executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await also(trx)
      return true
    }, 'audit')
  const own = (accountId: string, serverId: string) => ({ account_id: accountId, server_id: serverId })

  return {
    /** Those of the instance, in the order in which they were registered. */
    listShared: async (): Promise<StoredServer[]> =>
      await openAll(await heads().where('owner_id', 'is', null).execute()),

    /** Of those of the instance, without opening what is kept of them. */
    listSharedIds: async (): Promise<string[]> =>
      (await heads().where('owner_id', 'is', null).execute()).map(({ id }) => id),

    /** An account's own, in the order in which they were registered. */
    listOwn: async (accountId: string): Promise<StoredServer[]> =>
      await openAll(await heads().where('owner_id', '=', accountId).execute()),

    async read(id: string): Promise<StoredServer | null> {
      const [server] = await openAll(await heads().where('id', '=', id).execute())
      return server ?? null
    },

    /** False: the instance, or its owner, has too many already. */
    async add(server: StoredServer, also: Also): Promise<boolean> {
      const row = await seal(server)
      return await database.write<ToolServerTables, boolean>(async (trx) => {
        const { count } = await trx
          .selectFrom('tool_servers')
          .select((by) => by.fn.countAll<number>().as('count'))
          .where('owner_id', server.ownerId === null ? 'is' : '=', server.ownerId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= (server.ownerId === null ? mostToolServers : mostPersonalToolServers)) return false
        await trx.insertInto('tool_servers').values(row).execute()
        await also(trx)
        return true
      }, 'audit')
    },

    /** Puts `next` in the place of the version before it; false: somebody else was quicker, or it is gone. */
    async replace(before: StoredServer, next: StoredServer, also: Also = nothing): Promise<boolean> {
      const { id: _, ...values } = await seal({ ...next, version: before.version + 1, updatedAt: clock.now() })
      return await database.write<ToolServerTables, boolean>(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('tool_servers')
          .set(values)
          .where('id', '=', before.id)
          .where('version', '=', before.version)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await also(trx)
        return true
      }, 'audit')
    },

    remove: removeServer,

    /** Of an account, by server. */
    async credentials(accountId: string): Promise<ReadonlyMap<string, z.infer<typeof Credential>>> {
      const rows = await tables()
        .selectFrom('tool_server_credentials')
        .selectAll()
        .where('account_id', '=', accountId)
        .execute()
      if (rows.length === 0) return new Map()
      const keyring = await vault.keyring(accountId)
      return new Map(
        rows.flatMap((row) =>
          unlessUnreadable(
            () => [[row.server_id, credentialJson.open(keyring, `${accountId}/${row.server_id}`, row.secret)] as const],
            [],
          ),
        ),
      )
    },

    async saveCredential(accountId: string, { id, baseUrl }: RegisteredServer, value: string, also: Also) {
      const keyring = await vault.keyring(accountId)
      const credential = { secret: value, origin: new URL(baseUrl).origin }
      const saved = {
        secret: credentialJson.seal(keyring, `${accountId}/${id}`, credential),
        saved_at: clock.now(),
      }
      await database.write<ToolServerTables, void>(async (trx) => {
        await trx
          .insertInto('tool_server_credentials')
          .values({ ...own(accountId, id), ...saved })
          .onConflict((conflict) => conflict.columns(['account_id', 'server_id']).doUpdateSet(saved))
          .execute()
        await also(trx)
      }, 'audit')
    },

    async removeCredential(accountId: string, serverId: string, also: Also): Promise<void> {
      await database.write<ToolServerTables, void>(async (trx) => {
        await trx
          .deleteFrom('tool_server_credentials')
          .where('account_id', '=', accountId)
          .where('server_id', '=', serverId)
          .execute()
        await also(trx)
      }, 'audit')
    },

    /** Of an account, by server. */
    async health(accountId: string): Promise<ReadonlyMap<string, ToolServerHealthRow>> {
      const rows = await tables()
        .selectFrom('tool_server_health')
        .selectAll()
        .where('account_id', '=', accountId)
        .execute()
      return new Map(rows.map((row) => [row.server_id, row]))
    },

    /** Nothing where the server or the account is gone meanwhile. */
    async saveHealth(row: ToolServerHealthRow): Promise<void> {
      const { account_id, server_id, ...values } = row
      await database.write<ToolServerTables, void>(async (trx) => {
        const server = await trx.selectFrom('tool_servers').select('id').where('id', '=', server_id).executeTakeFirst()
        const { rows } = await sql<{ id: string }>`select id from accounts where id = ${account_id}`.execute(trx)
        if (!server || rows.length === 0) return
        await trx
          .insertInto('tool_server_health')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account_id', 'server_id']).doUpdateSet(values))
          .execute()
      })
    },

    /** For how many accounts the last contact failed as the server was away, by server. */
    async countFailing(): Promise<ReadonlyMap<string, number>> {
      const rows = await tables()
        .selectFrom('tool_server_health')
        .select((by) => ['server_id', by.fn.countAll<number | string>().as('count')])
        .where('fault', 'in', ['unreachable', 'timeout', 'protocol'])
        .groupBy('server_id')
        .execute()
      return new Map(rows.map((row) => [row.server_id, Number(row.count)]))
    },

    /** What was wrong is forgotten: of one account, or of all where the server is another one now. */
    async forgetHealth(serverId: string, accountId?: string): Promise<void> {
      let query = tables().deleteFrom('tool_server_health').where('server_id', '=', serverId)
      if (accountId !== undefined) query = query.where('account_id', '=', accountId)
      await query.execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      const own = await tables().selectFrom('tool_servers').select('id').where('owner_id', '=', accountId).execute()
      for (const { id } of own) await removeServer(id)
      for (const table of ['tool_server_credentials', 'tool_server_health'] as const)
        await tables().deleteFrom(table).where('account_id', '=', accountId).execute()
    },
  }
}
