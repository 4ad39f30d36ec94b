/** Support access as the decision sees it: which look holds, and that each thing that is opened by it is written down. */
import type { ResourceType } from '@atrium/contract/resources'
import { createCache } from '../../../platform/cache/cache.ts'
import type { AuditEntry } from '../../../platform/audit/index.ts'
import type { AccessDeps, ResourceRef } from '../context.ts'
import type { SupportAccessStore } from './store.ts'
import type { SupportAccessRow } from '../tables.ts'

/** Stands for the names of everything of a kind. */
export const wholeList = '*'

export interface SupportSessions {
  /** By which an administrator looks into what an account has just now. */
  findActive(adminId: string, accountId: string): Promise<SupportAccessRow | null>
  /** Written down, and told, when this resolves. */
  recordUse(look: Pick<SupportAccessRow, 'id' | 'admin_id' | 'account_id'>, what: ResourceRef): Promise<void>
}

const rememberedCount = 10_000

export const createSupportSessions = ({
  clock,
  audit,
  announce,
  store,
}: Pick<AccessDeps, 'clock' | 'audit' | 'announce'> & { store: SupportAccessStore }): SupportSessions => {
  /** Written down already, so that reading on writes nothing. */
  const written = createCache<true>({ max: rememberedCount })
  return {
    findActive: (adminId, accountId) => store.findActive(adminId, accountId, clock.now()),
    async recordUse(look, { type, id }) {
      const key = `${look.id} ${type} ${id}`
      if (written.get(key)) return
      const use = { break_glass_id: look.id, resource_type: type, resource_id: id, opened_at: clock.now() }
      const isFirst = await store.addUse(use, (trx) => audit.recordIn(trx, useEntry(look, type, id)))
      written.set(key, true)
      if (isFirst) await announce(look.account_id, { type: 'support-access-changed', data: {} })
    },
  }
}

const useEntry = (
  look: Pick<SupportAccessRow, 'id' | 'admin_id' | 'account_id'>,
  type: ResourceType,
  id: string,
): AuditEntry => ({
  action: 'break-glass.use',
  actor: { kind: 'user', accountId: look.admin_id },
  target: { type, id: id === wholeList ? null : id },
  details: { breakGlassId: look.id, ownerId: look.account_id, list: id === wholeList },
})
