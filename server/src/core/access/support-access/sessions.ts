/** Support access for authorisation: the active session, and the record of each resource that is opened by it. */
import type { ResourceType } from '@atrium/contract/resources'
import { createCache } from '../../../platform/cache/cache.ts'
import type { AuditEntry } from '../../../platform/audit/index.ts'
import type { AccessDeps, ResourceRef } from '../context.ts'
import type { SupportAccessStore } from './store.ts'
import type { SupportAccessRow } from '../tables.ts'

/** Stands for the names of everything of a kind. */
export const wholeList = '*'

export interface SupportSessions {
  /** The active support access of an administrator to an account. */
  findActive(adminId: string, accountId: string): Promise<SupportAccessRow | null>
  /** Recorded in the audit and announced to the owner when this resolves. */
  recordUse(session: Pick<SupportAccessRow, 'id' | 'admin_id' | 'account_id'>, what: ResourceRef): Promise<void>
}

const rememberedCount = 10_000

export const createSupportSessions = ({
  clock,
  audit,
  announce,
  store,
}: Pick<AccessDeps, 'clock' | 'audit' | 'announce'> & { store: SupportAccessStore }): SupportSessions => {
  /** Uses recorded already, so that reading on writes nothing. */
  const recorded = createCache<true>({ max: rememberedCount })
  return {
    findActive: (adminId, accountId) => store.findActive(adminId, accountId, clock.now()),
    async recordUse(session, { type, id }) {
      const key = `${session.id} ${type} ${id}`
      if (recorded.get(key)) return
      const use = { break_glass_id: session.id, resource_type: type, resource_id: id, opened_at: clock.now() }
      const isFirst = await store.addUse(use, (trx) => audit.recordIn(trx, useEntry(session, type, id)))
      recorded.set(key, true)
      if (isFirst) await announce(session.account_id, { type: 'support-access-changed', data: {} })
    },
  }
}

const useEntry = (
  session: Pick<SupportAccessRow, 'id' | 'admin_id' | 'account_id'>,
  type: ResourceType,
  id: string,
): AuditEntry => ({
  action: 'break-glass.use',
  actor: { kind: 'user', accountId: session.admin_id },
  target: { type, id: id === wholeList ? null : id },
  details: { breakGlassId: session.id, ownerId: session.account_id, list: id === wholeList },
})
