/** Notifies accounts of what is shared with them, in the transaction that does it, and takes it back when it ends. */
import type { ResourceType } from '@atrium/contract/resources'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Publisher } from '../notifications/index.ts'
import type { Shareable } from '../resources/index.ts'
import type { AccessDeps } from './context.ts'
import type { GrantRow } from './tables.ts'

export interface ShareNotices {
  /** Who shares it prepares this before the transaction; `publish` belongs into it, `tell` after it. */
  prepare(row: GrantRow, byId: string): Promise<{ publish(trx: AnyTransaction): Promise<void>; tell(): Promise<void> }>
  /** For taking notices back. */
  publisher(): Promise<Publisher>
  /** These grants are gone. */
  withdraw(publisher: Publisher, trx: AnyTransaction, rows: readonly Pick<GrantRow, 'id'>[]): Promise<void>
  /** These things are gone. */
  withdrawThings(type: ResourceType, ids: readonly string[], trx?: AnyTransaction): Promise<void>
}

export const createShareNotices = ({
  database,
  kinds,
  notifications,
  principals,
}: Pick<AccessDeps, 'database' | 'notifications' | 'principals'> & {
  readonly kinds: ReadonlyMap<ResourceType, Shareable>
}): ShareNotices => {
  const publisher = () => notifications.publisher([])
  return {
    async prepare({ id, principal_type, principal_id, resource_type: resourceType, resource_id: resourceId }, byId) {
      if (principal_type !== 'account') return { publish: async () => undefined, tell: async () => undefined }
      const [described, names, shares] = await Promise.all([
        kinds.get(resourceType)?.describe([resourceId]),
        principals.names([byId]),
        notifications.publisher([principal_id]),
      ])
      const name = described?.get(resourceId)?.name ?? ''
      const facts = { resourceType, resourceId, name, by: names.get(byId) ?? '' }
      const about = placeOf(resourceType, resourceId)
      return {
        publish: (trx) =>
          shares.publish(trx, { accountId: principal_id, kind: 'share', sourceKey: keyOf(id), about, facts }),
        tell: shares.tell,
      }
    },
    publisher,
    withdraw: (own, trx, rows) => own.withdraw(trx, { sourceKeys: rows.map(({ id }) => keyOf(id)) }),
    async withdrawThings(type, ids, trx) {
      if (ids.length === 0) return
      const own = await publisher()
      const about = ids.map((id) => placeOf(type, id))
      if (trx) return await own.withdraw(trx, { about })
      await database.write((inner) => own.withdraw(inner, { about }))
      await own.tell()
    },
  }
}

const keyOf = (grantId: string): string => `grant:${grantId}`
const placeOf = (type: ResourceType, id: string): string => `${type}:${id}`
