/** Accounts and access behind real HTTP, with things of every kind that exist in memory alone, and a route to each. */
import { randomBytes } from 'node:crypto'
import { accessRoutes } from '@atrium/contract/access'
import type { ResourceType } from '@atrium/contract/resources'
import type { Route, RouteTable } from '@atrium/contract/route'
import { z } from 'zod'
import { accessMigrations } from '../core/access/index.ts'
import { notificationMigrations } from '../core/notifications/index.ts'
import { createResourceRegistry, type PlaceRow, type Shareable } from '../core/resources/index.ts'
import { createAudit } from '../platform/audit/index.ts'
import type { AuditTables } from '../platform/audit/tables.ts'
import type { AccessTables } from '../core/access/tables.ts'
import { bindRoutes } from '../platform/http/area.ts'
import { fail } from '../platform/http/refusal.ts'
import { openVault } from '../platform/vault/vault.ts'
import { createTestAccess, principalsOf } from './access.ts'
import { createTestAccounts, testAccountMigrations } from './accounts.ts'
import { testClock } from './clock.ts'
import type { Open } from './databases.ts'
import { createTestPlaces, testPlaceMigrations } from './places.ts'
import { serveAreas } from './serve.ts'

export type AccessHarness = Awaited<ReturnType<typeof openAccessHarness>>

const params = z.strictObject({ id: z.string() })
const tick = z.strictObject({ type: z.literal('tick'), data: z.strictObject({}) })
/** A route to a thing, which tells how the caller comes to it. */
const route = <T extends ResourceType, M extends 'get' | 'put' | 'delete', R extends 'read' | 'write' | 'owner'>(
  method: M,
  resource: T,
  right: R,
) =>
  ({
    method,
    path: `/api/test/${resource}/{id}`,
    access: 'user',
    names: { resource, id: 'id', right },
    summary: 'x',
    params,
    returns: z.strictObject({ right: z.string(), ownerId: z.string() }),
  }) as const satisfies Route

/** Routes that name things of each kind. */
export const testThings = {
  chat: route('get', 'chat', 'read'),
  folder: route('get', 'folder', 'read'),
  document: route('get', 'document', 'read'),
  collection: route('get', 'collection', 'read'),
  change: route('put', 'document', 'write'),
  remove: route('delete', 'document', 'owner'),
  follow: {
    method: 'get',
    path: '/api/test/chat/{id}/events',
    access: 'user',
    names: { resource: 'chat', id: 'id', right: 'read' },
    summary: 'x',
    params,
    returns: z.never(),
    stream: tick,
  },
} as const satisfies RouteTable

/** As long a chain as there can be. */
const liesIn = { document: 'chat', chat: 'folder', folder: null, collection: null } as const
/** The kinds that there are here: some lie in each other, one by itself. */
export const testKinds = ['chat', 'folder', 'document', 'collection'] as const

/** The token of a client is the account's id; `admin:` before it makes it an administrator, `token:` a program of one. */
export const openAccessHarness = async (open: Open) => {
  const clock = testClock()
  const database = await open([
    ...testAccountMigrations,
    ...accessMigrations,
    ...notificationMigrations,
    ...testPlaceMigrations,
  ])
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const told: string[] = []
  const mailed: string[] = []
  const audit = createAudit({ database, vault, clock })
  const accounts = createTestAccounts({ database, vault, clock })
  const resources = createResourceRegistry()
  const access = createTestAccess({
    resources,
    database,
    vault,
    clock,
    audit,
    interrupt: accounts.interrupt,
    principals: principalsOf(accounts),
    announce: async (accountId, { type }) => void told.push(`${accountId} ${type}`),
    requireProof: async (_, { password }) => {
      if (password !== 'right') throw fail('wrong_password')
    },
    mailSupportAccess: async (accountId, { administrator }) => void mailed.push(`${accountId} ${administrator}`),
    async readAccount(accountId) {
      const user = await accounts.user(accountId)
      return user && { username: user.username, role: user.role, status: user.status, features: { 'web-search': true } }
    },
  })
  accounts.groups.onRemoved(access.removeGroup)
  accounts.groups.onMembersChanged(access.announceMembers)
  const places = createTestPlaces(database)
  const things = new Map<string, { readonly ownerId: string; readonly name: string }>()
  for (const type of testKinds) {
    const resource: Shareable = {
      missing: `${type}_not_found`,
      places: places.of(type),
      within: liesIn[type],
      describe: async (ids) =>
        new Map(
          ids.flatMap((id) => {
            const thing = things.get(`${type} ${id}`)
            return thing ? [[id, { accountId: thing.ownerId, name: thing.name }] as const] : []
          }),
        ),
      changed: async (id, accountIds) => void told.push(`${accountIds.join()} ${type} ${id}`),
      list: async (accountId) => ({
        items: [...things]
          .filter(([key, { ownerId }]) => key.startsWith(`${type} `) && ownerId === accountId)
          .map(([key, { name }]) => ({ id: key.slice(type.length + 1), name, updatedAt: 0 })),
        nextCursor: null,
      }),
    }
    resources.add({ [type]: resource })
  }
  const answer = async (_: unknown, { resource }: { resource: { right: string; ownerId: string } }) => ({
    right: resource.right,
    ownerId: resource.ownerId,
  })
  const area = bindRoutes({
    name: 'access-control',
    routes: testThings,
    handlers: {
      chat: answer,
      folder: answer,
      document: answer,
      collection: answer,
      change: answer,
      remove: answer,
      follow: async (_, { signal }) => ticks(signal),
    },
  })
  const served = await serveAreas({
    areas: [access.area, area],
    clock,
    audit,
    authorise: access.authorise,
    watchRights: accounts.watchRights,
    async authenticate({ bearer }) {
      if (!bearer) return null
      const accountId = bearer.replace(/^\w+:/, '')
      const token = { id: 't', scopes: ['access-control:read', 'access-control:write', 'admin'], models: null }
      return {
        accountId,
        sessionId: 's',
        via: 'bearer',
        role: bearer.includes(':') ? 'admin' : 'user',
        token: bearer.startsWith('token:') ? { ...token, ratePerMinute: 600 } : null,
      }
    },
  })
  const account = async (username: string, role: 'admin' | 'user' = 'user') =>
    (await accounts.createAccount({ username, password: 'correct horse battery', role })).id
  const [ann, ben, root] = [await account('ann'), await account('ben'), await account('root', 'admin')]
  const as = (token: string) => served.guest.as(token)
  return {
    access,
    accounts,
    database,
    clock,
    told,
    mailed,
    ann,
    ben,
    root,
    as,
    account,
    /** A thing of ann's, unless it is said otherwise. */
    async put(type: ResourceType, id: string, more: Partial<PlaceRow> = {}): Promise<void> {
      const place = { owner_id: ann, within_id: null, shown: 1 as const, ...more }
      things.set(`${type} ${id}`, { ownerId: place.owner_id, name: `${type} ${id}` })
      await places.put(type, id, place)
    },
    share: (resourceType: ResourceType, resourceId: string, principalId: string, more: object = {}) =>
      as(ann).call(accessRoutes.grant, {
        body: { resourceType, resourceId, principalType: 'account', principalId, ...more },
      }),
    /** The audit from the beginning: action, kind and id of the target. */
    recorded: async () =>
      (
        await database
          .tables<AuditTables & AccessTables>()
          .selectFrom('audit_events')
          .select(['action', 'target_type', 'target_id'])
          .orderBy('seq')
          .execute()
      ).map(({ action, target_type: type, target_id: id }) => `${action} ${type} ${id}`),
    async close() {
      await served.stop()
      access.close()
      accounts.close()
    },
  }
}

async function* ticks(signal: AbortSignal): AsyncGenerator<{ seq: number; event: z.infer<typeof tick> }> {
  yield { seq: 1, event: { type: 'tick', data: {} } }
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
