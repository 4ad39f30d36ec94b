/**
 * Notifies accounts of what is shared with them, in the transaction that does it, and takes it back when it ends. Of a
 * group its members are told who could not reach the thing before; where they are many, by a job.
 */
import type { ResourceType } from '@atrium/contract/resources'
import { z } from 'zod'
import type { AnyTransaction } from '../../platform/db/types.ts'
import { type JobHandlers, defineJob } from '../../platform/jobs/types.ts'
import type { Publication, Publisher } from '../notifications/index.ts'
import type { Shareable } from '../resources/index.ts'
import type { AccessDeps } from './context.ts'
import type { PermissionQuery } from './permission-query.ts'
import type { AccessStore } from './store.ts'
import type { GrantRow } from './tables.ts'

const groupNoticesJob = 'access.tell-group'

/** So many are told in the transaction itself, and by each one of the job. */
const mostAtOnce = 10

export interface ShareNotices {
  /** Who shares it prepares this before the transaction; `publish` belongs into it, `tell` after it. */
  prepare(row: GrantRow, byId: string): Promise<{ publish(trx: AnyTransaction): Promise<void>; tell(): Promise<void> }>
  /** For taking notices back. */
  publisher(): Promise<Publisher>
  /** These grants are gone; with an account, only for that one. */
  withdraw(
    publisher: Publisher,
    trx: AnyTransaction,
    rows: readonly Pick<GrantRow, 'id'>[],
    accountId?: string,
  ): Promise<void>
  /** These grants are gone, for everybody or for these accounts; in a transaction of its own. */
  withdrawAlone(rows: readonly Pick<GrantRow, 'id'>[], accountIds?: readonly string[]): Promise<void>
  /** These things are gone. */
  withdrawThings(type: ResourceType, ids: readonly string[], trx?: AnyTransaction): Promise<void>
  readonly jobs: JobHandlers
}

export const createShareNotices = ({
  clock,
  database,
  find,
  jobs,
  kinds,
  notifications,
  principals,
  store,
}: Pick<AccessDeps, 'clock' | 'database' | 'jobs' | 'notifications' | 'principals'> & {
  readonly find: PermissionQuery
  readonly kinds: ReadonlyMap<ResourceType, Shareable>
  readonly store: Pick<AccessStore, 'find' | 'findIn'>
}): ShareNotices => {
  const publisher = () => notifications.publisher([])

  /** Those of some members of a group whom this grant is the first to let in. `isThere`: it lets in by now whom it may. */
  const newReaders = async (
    row: GrantRow,
    byId: string,
    memberIds: readonly string[],
    isThere: boolean,
  ): Promise<string[]> => {
    const resource = { type: row.resource_type, id: row.resource_id }
    const found: string[] = []
    for (const accountId of memberIds) {
      if (accountId === byId) continue
      const { grants, membership, place } = await find(accountId, resource, clock.now())
      const reaches = membership !== null || grants.some((grant) => grant.id !== row.id && !isAfter(grant, row))
      // Whoever left the group, or the thing, meanwhile learns nothing of it.
      const isLetIn = !isThere || grants.some((grant) => grant.id === row.id)
      if (place?.shown && place.ownerId !== accountId && isLetIn && !reaches) found.push(accountId)
    }
    return found
  }

  const publicationOf = async (
    { id, resource_type: resourceType, resource_id: resourceId }: GrantRow,
    byId: string,
  ): Promise<(accountId: string) => Publication> => {
    const [described, names] = await Promise.all([
      kinds.get(resourceType)?.describe([resourceId]),
      principals.names([byId]),
    ])
    const name = described?.get(resourceId)?.name ?? ''
    const facts = { resourceType, resourceId, name, by: names.get(byId) ?? '' }
    const about = placeOf(resourceType, resourceId)
    return (accountId) => ({ accountId, kind: 'share', sourceKey: keyOf(id), about, facts })
  }

  return {
    async prepare(row, byId) {
      const isGroup = row.principal_type === 'group'
      const concerned = isGroup ? await principals.groups.memberIds(row.principal_id) : [row.principal_id]
      if (concerned.length > mostAtOnce) {
        const job = await jobs.prepare(groupNoticesJob, { grantId: row.id, byId })
        return { publish: job.write, tell: job.tell }
      }
      const accountIds = isGroup ? await newReaders(row, byId, concerned, false) : concerned
      const [write, shares] = await Promise.all([publicationOf(row, byId), notifications.publisher(accountIds)])
      return {
        async publish(trx) {
          for (const accountId of accountIds) await shares.publish(trx, write(accountId))
        },
        tell: shares.tell,
      }
    },
    publisher,
    withdraw: (own, trx, rows, accountId) =>
      own.withdraw(trx, Object.assign({ sourceKeys: rows.map(({ id }) => keyOf(id)) }, accountId && { accountId })),
    async withdrawAlone(rows, accountIds) {
      if (rows.length === 0) return
      const own = await publisher()
      await database.write(async (trx) => {
        for (const accountId of accountIds ?? [undefined]) await this.withdraw(own, trx, rows, accountId)
      })
      await own.tell()
    },
    async withdrawThings(type, ids, trx) {
      if (ids.length === 0) return
      const own = await publisher()
      const about = ids.map((id) => placeOf(type, id))
      if (trx) return await own.withdraw(trx, { about })
      await database.write((inner) => own.withdraw(inner, { about }))
      await own.tell()
    },
    jobs: {
      [groupNoticesJob]: defineJob({
        payload: z.strictObject({ grantId: z.string(), byId: z.string() }),
        attempts: 5,
        timeoutMs: 10 * 60_000,
        async run({ grantId, byId }, { signal }) {
          const row = await store.find(grantId)
          if (!row) return
          const write = await publicationOf(row, byId)
          const memberIds = await principals.groups.memberIds(row.principal_id)
          for (let at = 0; at < memberIds.length; at += mostAtOnce) {
            signal.throwIfAborted()
            const some = await newReaders(row, byId, memberIds.slice(at, at + mostAtOnce), true)
            if (some.length === 0) continue
            const shares = await notifications.publisher(some)
            const holds = await database.write(async (trx: AnyTransaction) => {
              // One that ended meanwhile is told of to nobody.
              if (!(await store.findIn(trx, grantId))) return false
              for (const accountId of some) await shares.publish(trx, write(accountId))
              return true
            })
            if (!holds) return
            await shares.tell()
          }
        },
      }),
    },
  }
}

/** Whether a grant was made after another one. */
const isAfter = (grant: GrantRow, other: GrantRow): boolean =>
  grant.created_at > other.created_at || (grant.created_at === other.created_at && grant.id > other.id)

const keyOf = (grantId: string): string => `grant:${grantId}`
const placeOf = (type: ResourceType, id: string): string => `${type}:${id}`
