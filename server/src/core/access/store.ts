/** Every SQL statement about grants. */
import type { ResourceType } from '@atrium/contract/access'
import { type ExpressionBuilder, sql } from 'kysely'
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import { type AnyTransaction, type Database, inTables } from '../../platform/db/types.ts'
import type { AccessTables, GrantRow } from './tables.ts'
import { grantApplies } from './permission-query.ts'
import type { PlaceRow, Shareable } from '../resources/index.ts'
import type { OwnerChange, ResourcePlace, Principals, ResourceRef } from './context.ts'

export type AccessStore = ReturnType<typeof createAccessStore>

export const createAccessStore = (database: Database, memberships: Principals['groups']['memberships']) => {
  const tables = () => database.tables<AccessTables>()

  return {
    /** The grants on a thing, newest first, without those that ended. Refuses with `bad_cursor`. */
    async page(
      resource: ResourceRef,
      now: number,
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: GrantRow[]; nextCursor: string | null }> {
      let query = tables()
        .selectFrom('access_grants')
        .selectAll()
        .where('resource_type', '=', resource.type)
        .where('resource_id', '=', resource.id)
        .where(holds(now))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
      if (cursor !== undefined) {
        const { time, id } = decodeCursor(cursor)
        query = query.where((by) =>
          by.or([by('created_at', '<', time), by.and([by('created_at', '=', time), by('id', '<', id)])]),
        )
      }
      return cutPage(await query.execute(), limit, (row) => ({ time: row.created_at, id: row.id }))
    },

    /** The grants on what an account has and others can see, newest first. Refuses with `bad_cursor`. */
    async pageOfOwner(
      kinds: ReadonlyMap<ResourceType, Pick<Shareable, 'places'>>,
      accountId: string,
      now: number,
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: GrantRow[]; nextCursor: string | null }> {
      const own = [...kinds].map(
        ([type, { places }]) => sql`select ${sql.lit(type)} as kind, p.id as id from (${places}) as p
          where p.owner_id = ${accountId} and p.shown = 1`,
      )
      if (own.length === 0) return { items: [], nextCursor: null }
      const at = cursor === undefined ? null : decodeCursor(cursor)
      const after = at ? sql`and (g.created_at < ${at.time} or (g.created_at = ${at.time} and g.id < ${at.id}))` : sql``
      const { rows } = await sql<GrantRow>`select g.* from access_grants as g
        join (${sql.join(own, sql` union all `)}) as o on o.kind = g.resource_type and o.id = g.resource_id
        where (g.expires_at is null or g.expires_at > ${now}) ${after}
        order by g.created_at desc, g.id desc limit ${limit + 1}`.execute(tables())
      return cutPage(rows, limit, (row) => ({ time: row.created_at, id: row.id }))
    },

    /** All grants on a thing that hold. */
    listCurrent: (resource: ResourceRef, now: number): Promise<GrantRow[]> =>
      tables()
        .selectFrom('access_grants')
        .selectAll()
        .where('resource_type', '=', resource.type)
        .where('resource_id', '=', resource.id)
        .where(holds(now))
        .execute(),

    /** The places of these resources of one kind; absent ids do not exist. */
    async placesOf(
      resource: Pick<Shareable, 'places'> | undefined,
      ids: readonly string[],
    ): Promise<Map<string, ResourcePlace>> {
      if (!resource || ids.length === 0) return new Map()
      const { rows } = await sql<PlaceRow>`select id, owner_id, shown from (${resource.places}) as p
        where id in (${sql.join(ids)})`.execute(tables())
      return new Map(rows.map(({ id, owner_id, shown }) => [id, { ownerId: owner_id, shown }]))
    },

    /** Adds a grant, or changes right and end of the one that is there. null: there are `most` of them. */
    put: (
      grant: GrantRow,
      most: number,
      record: (trx: AnyTransaction, row: GrantRow) => Promise<void>,
    ): Promise<GrantRow | null> =>
      database.write<AccessTables, GrantRow | null>(async (trx) => {
        const there = await trx
          .selectFrom('access_grants')
          .select(['id', 'principal_type', 'principal_id', 'expires_at'])
          .where('resource_type', '=', grant.resource_type)
          .where('resource_id', '=', grant.resource_id)
          .execute()
        const same = there.find(
          (row) => row.principal_type === grant.principal_type && row.principal_id === grant.principal_id,
        )
        const valid = there.filter(({ expires_at: end }) => end === null || end > grant.created_at)
        if (!same && valid.length >= most) return null
        const row = same
          ? await trx
              .updateTable('access_grants')
              .set({ access_right: grant.access_right, expires_at: grant.expires_at })
              .where('id', '=', same.id)
              .returningAll()
              .executeTakeFirstOrThrow()
          : await trx.insertInto('access_grants').values(grant).returningAll().executeTakeFirstOrThrow()
        await record(trx, row)
        return row
      }, 'audit'),

    async find(id: string): Promise<GrantRow | null> {
      return (await tables().selectFrom('access_grants').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },

    findIn: async (trx: AnyTransaction, id: string): Promise<boolean> =>
      (await inTables<AccessTables>(trx)
        .selectFrom('access_grants')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst()) !== undefined,

    /** false: it is gone already. */
    remove: (id: string, record: (trx: AnyTransaction) => Promise<void>): Promise<boolean> =>
      database.write<AccessTables, boolean>(async (trx) => {
        const gone = await trx.deleteFrom('access_grants').where('id', '=', id).returning('id').execute()
        if (gone.length > 0) await record(trx)
        return gone.length > 0
      }, 'audit'),

    /** The grants that hold now for an account or one of its groups. */
    listReaching: (accountId: string, type: ResourceType | undefined, now: number): Promise<GrantRow[]> =>
      tables()
        .selectFrom('access_grants as g')
        .selectAll('g')
        .where(grantApplies(memberships, (name) => sql.val({ accountId, now }[name])))
        .$if(type !== undefined, (query) => query.where('g.resource_type', '=', type as ResourceType))
        .execute(),

    /** Takes what a grant gives to a group away from one member of it. */
    optOut: (grantId: string, accountId: string, record: (trx: AnyTransaction) => Promise<void>): Promise<void> =>
      database.write<AccessTables, void>(async (trx) => {
        await trx
          .insertInto('access_grants_left')
          .values({ grant_id: grantId, account_id: accountId })
          .onConflict((on) => on.doNothing())
          .execute()
        await record(trx)
      }, 'audit'),

    /** The members of its group who left what a grant is for. */
    async listOptOuts(grantId: string): Promise<Set<string>> {
      const rows = await tables()
        .selectFrom('access_grants_left')
        .select('account_id')
        .where('grant_id', '=', grantId)
        .execute()
      return new Set(rows.map(({ account_id }) => account_id))
    },

    async countByResource(type: ResourceType, ids: readonly string[], now: number): Promise<Map<string, number>> {
      if (ids.length === 0) return new Map()
      const rows = await tables()
        .selectFrom('access_grants')
        .select((by) => ['resource_id', by.fn.countAll<number>().as('count')])
        .where('resource_type', '=', type)
        .where('resource_id', 'in', ids)
        .where(holds(now))
        .groupBy('resource_id')
        .execute()
      return new Map(rows.map(({ resource_id, count }) => [resource_id, Number(count)]))
    },

    async removeResources(type: ResourceType, ids: readonly string[], trx?: AnyTransaction): Promise<void> {
      if (ids.length === 0) return
      await (trx ? inTables<AccessTables>(trx) : tables())
        .deleteFrom('access_grants')
        .where('resource_type', '=', type)
        .where('resource_id', 'in', ids)
        .execute()
    },

    /** The new owner needs no grant; the former one gets one, where it keeps a right. */
    async passOn(
      given: AnyTransaction,
      { type, id }: ResourceRef,
      change: OwnerChange & { readonly id: string; readonly now: number },
    ): Promise<void> {
      const trx = inTables<AccessTables>(given)
      await trx
        .deleteFrom('access_grants')
        .where('resource_type', '=', type)
        .where('resource_id', '=', id)
        .where('principal_type', '=', 'account')
        .where('principal_id', 'in', [change.fromId, change.toId])
        .execute()
      if (change.keeps === null) return
      await trx
        .insertInto('access_grants')
        .values({
          id: change.id,
          resource_type: type,
          resource_id: id,
          principal_type: 'account',
          principal_id: change.fromId,
          access_right: change.keeps,
          expires_at: null,
          created_at: change.now,
        })
        .execute()
    },

    /** Removes expired grants and returns them; of several processes, one gets each. */
    endExpired: (now: number, record: (trx: AnyTransaction, row: GrantRow) => Promise<void>): Promise<GrantRow[]> =>
      database.write<AccessTables, GrantRow[]>(async (trx) => {
        const some = await trx
          .selectFrom('access_grants')
          .select('id')
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(200)
          .execute()
        if (some.length === 0) return []
        const ids = some.map(({ id }) => id)
        const rows = await trx.deleteFrom('access_grants').where('id', 'in', ids).returningAll().execute()
        for (const row of rows) await record(trx, row)
        return rows
      }, 'audit'),

    /** When the next grant ends. */
    async nextEnd(now: number): Promise<number | null> {
      const row = await tables()
        .selectFrom('access_grants')
        .select((by) => by.fn.min('expires_at').as('next'))
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row?.next === null || row?.next === undefined ? null : Number(row.next)
    },

    /** The grants of a principal, ended ones too. */
    ofPrincipal: (type: GrantRow['principal_type'], id: string): Promise<GrantRow[]> =>
      tables()
        .selectFrom('access_grants')
        .selectAll()
        .where('principal_type', '=', type)
        .where('principal_id', '=', id)
        .execute(),

    /** All grants on a kind of thing, slice by slice. */
    async *all(type: ResourceType, limit: number): AsyncIterable<GrantRow[]> {
      for (let after = ''; ; ) {
        const rows = await tables()
          .selectFrom('access_grants')
          .selectAll()
          .where('resource_type', '=', type)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute()
        if (rows.length > 0) yield rows
        const last = rows.at(-1)
        if (!last || rows.length < limit) return
        after = last.id
      }
    },

    async removePrincipal(type: GrantRow['principal_type'], id: string): Promise<GrantRow[]> {
      if (type === 'account') await tables().deleteFrom('access_grants_left').where('account_id', '=', id).execute()
      return await tables()
        .deleteFrom('access_grants')
        .where('principal_type', '=', type)
        .where('principal_id', '=', id)
        .returningAll()
        .execute()
    },
  }
}

const holds = (now: number) => (by: ExpressionBuilder<AccessTables, 'access_grants'>) =>
  by.or([by('expires_at', 'is', null), by('expires_at', '>', now)])
