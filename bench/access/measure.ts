/** The same small answer with and without a decision on rights before it. */
import { randomBytes } from 'node:crypto'
import type { Route, RouteTable } from '@atrium/contract/route'
import { z } from 'zod'
import type { AccessTables } from '../../server/src/core/access/tables.ts'
import type { AccountTables } from '../../server/src/core/accounts/index.ts'
import type { GroupTables } from '../../server/src/core/groups/index.ts'
import { documentPlaces } from '../../server/src/core/documents/stores/index.ts'
import type { DocumentTables } from '../../server/src/core/documents/tables.ts'
import { createResourceRegistry, type Shareable } from '../../server/src/core/resources/index.ts'
import type { Database } from '../../server/src/platform/db/index.ts'
import { type Caller, bindRoutes } from '../../server/src/platform/http/area.ts'
import { createHttp } from '../../server/src/platform/http/index.ts'
import { createLog } from '../../server/src/platform/log/log.ts'
import { systemClock as clock } from '../../server/src/platform/system-clock.ts'
import { openVault } from '../../server/src/platform/vault/vault.ts'
import { createTestAccess, principalsOf } from '../../server/src/testing/access.ts'
import { createTestAccounts } from '../../server/src/testing/accounts.ts'

export interface Figures {
  readonly p50: number
  readonly p95: number
  /** To the request that names nothing, at p50. */
  readonly added: number
  /** The function alone, without HTTP, at p50. */
  readonly inside: number
}

const groupCount = 20
const rounds = 2000
const warmUp = 500

const params = z.strictObject({ id: z.string() })
const common = { method: 'get', access: 'user', summary: '-', params, returns: z.strictObject({}) } as const
const routes = {
  plain: { ...common, path: '/api/plain/{id}', names: 'instance' },
  named: { ...common, path: '/api/named/{id}', names: { resource: 'document', id: 'id', right: 'read' } },
} as const satisfies RouteTable & Record<string, Route>

/** Who asks, and for what: documents have numbers, and every third is of one kind. */
const callers = {
  'names nothing': { who: 'ben', path: '/api/plain/', first: 0 },
  owner: { who: 'ann', path: '/api/named/', first: 0 },
  'direct grant': { who: 'ben', path: '/api/named/', first: 0 },
  'grant of a group': { who: 'ben', path: '/api/named/', first: 1 },
} as const

export const measure = async (database: Database, grants: number): Promise<Record<string, Figures>> => {
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const accounts = createTestAccounts({ database, vault, clock })
  const resources = createResourceRegistry()
  const access = createTestAccess({ resources, database, vault, clock, principals: principalsOf(accounts) })
  const document: Shareable = {
    missing: 'document_not_found',
    places: documentPlaces,
    within: 'collection',
    describe: async () => new Map(),
    changed: async () => undefined,
    list: async () => ({ items: [], nextCursor: null }),
  }
  resources.add({ document })
  const password = 'correct horse battery'
  const ids = {
    ann: (await accounts.createAccount({ username: 'ann', password })).id,
    ben: (await accounts.createAccount({ username: 'ben', password })).id,
  }
  await fill(database, ids, grants)

  const area = bindRoutes({
    name: 'access-control',
    routes,
    handlers: { plain: async () => ({}), named: async () => ({}) },
  })
  const callerOf = (accountId: string): Caller => ({
    accountId,
    sessionId: 's',
    role: 'user',
    via: 'bearer',
    token: null,
  })
  const wide = Object.fromEntries(['read', 'write'].map((name) => [name, { max: 1e9, windowMs: 1000 }]))
  const http = await createHttp({
    areas: [area],
    authenticate: async ({ bearer }) => (bearer ? callerOf(bearer) : null),
    authorise: access.authorise,
    clock,
    log: createLog({ level: 'silent' }),
    limits: wide,
    watchSession: () => () => undefined,
    revocationCount: () => 0,
  })
  const url = await http.listen('127.0.0.1', 0)
  const times = new Map<string, { over: number[]; inside: number[] }>()
  for (const name of Object.keys(callers)) times.set(name, { over: [], inside: [] })
  try {
    for (let round = -warmUp; round < rounds; round++) {
      for (const [name, { who, path, first }] of Object.entries(callers)) {
        const id = `d${((round + warmUp) * 3 + first) % (grants - 3)}`
        const accountId = ids[who]
        const began = performance.now()
        const answer = await fetch(`${url}${path}${id}`, { headers: { authorization: `Bearer ${accountId}` } })
        await answer.text()
        const over = performance.now() - began
        if (!answer.ok) throw new Error(`${name} was answered ${answer.status}.`)
        const started = performance.now()
        if (path !== '/api/plain/') await access.authorise(callerOf(accountId), routes.named.names, id)
        const inside = performance.now() - started
        if (round < 0) continue
        times.get(name)?.over.push(over)
        times.get(name)?.inside.push(inside)
      }
    }
  } finally {
    await http.stop(100)
    access.close()
    accounts.close()
  }
  const base = at(times.get('names nothing')?.over ?? [], 0.5)
  return Object.fromEntries(
    [...times].map(([name, { over, inside }]) => {
      const p50 = at(over, 0.5)
      return [name, { p50, p95: at(over, 0.95), added: p50 - base, inside: at(inside, 0.5) }]
    }),
  )
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/** Documents of ann, each with one grant: to ben, to a group of ben's, to somebody else. */
const fill = async (database: Database, { ann, ben }: { ann: string; ben: string }, grants: number): Promise<void> => {
  const bytes = Buffer.from('x')
  await database.write<AccountTables & GroupTables, void>(async (trx) => {
    for (let n = 0; n < groupCount; n++) {
      const group = {
        id: `g${n}`,
        name: bytes,
        name_index: `g${n}`,
        description: null,

        created_at: n,
      }
      await trx.insertInto('account_groups').values(group).execute()
      await trx
        .insertInto('account_group_members')
        .values({ group_id: `g${n}`, account_id: ben })
        .execute()
    }
  })
  for (let from = 0; from < grants; from += 500) {
    const numbers = Array.from({ length: Math.min(500, grants - from) }, (_, at) => from + at)
    await database.write<DocumentTables & AccessTables, void>(async (trx) => {
      for (const n of numbers) {
        await trx
          .insertInto('documents')
          .values({
            id: `d${n}`,
            account_id: ann,
            session_id: null,
            collection_id: null,
            name: bytes,
            url: null,
            file_type: 'txt',
            media_type: 'text/plain',
            size_bytes: 1,
            file_id: null,
            content_digest: null,
            digest: null,
            state: 'completed',
            failure_code: null,
            job_id: null,
            revision: 1,
            content_chars: 1,
            tokens: 1,
            chunks: 1,
            parts: null,
            embedding_state: 'off',
            embedded: 0,
            embedding_model: null,
            chunk_size: 1,
            chunk_overlap: 0,
            uploaded_at: n,
            updated_at: n,
            deleted_at: null,
          })
          .execute()
        const principals = [
          { principal_type: 'account' as const, principal_id: ben },
          { principal_type: 'group' as const, principal_id: `g${n % groupCount}` },
          { principal_type: 'account' as const, principal_id: `nobody${n}` },
        ]
        await trx
          .insertInto('access_grants')
          .values({
            id: `a${n}`,
            resource_type: 'document',
            resource_id: `d${n}`,
            access_right: 'read',
            expires_at: null,
            created_at: n,
            ...(principals[n % 3] ?? { principal_type: 'account', principal_id: ben }),
          })
          .execute()
      }
    })
  }
}
