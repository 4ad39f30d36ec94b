/** Support access as administrators begin and end it, and as the owner of the things sees it. */
import type { BreakGlass, BreakGlassUse, accessRoutes } from '@atrium/contract/access'
import type { ResourceType } from '@atrium/contract/resources'
import { type AuditEntry, actorOf } from '../../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { SupportAccessRow, SupportAccessUseRow } from '../tables.ts'
import type { Shareable } from '../../resources/index.ts'
import type { AccessDeps } from '../context.ts'
import { type SupportSessions, wholeList } from './sessions.ts'
import type { SupportAccessStore } from './store.ts'

type Routes = Pick<
  typeof accessRoutes,
  'startBreakGlass' | 'breakGlass' | 'breakGlassUses' | 'breakGlassThings' | 'seenBreakGlass' | 'endBreakGlass'
>

export const supportAccessHandlers = (
  parts: Pick<
    AccessDeps,
    'clock' | 'audit' | 'vault' | 'principals' | 'announce' | 'interrupt' | 'requireProof' | 'log'
  > & {
    readonly mailSupportAccess: AccessDeps['mailSupportAccess']
    readonly store: SupportAccessStore
    readonly supportSessions: SupportSessions
    readonly kinds: ReadonlyMap<ResourceType, Shareable>
    /** Something ends at this time. */
    readonly notice: (time: number) => void
  },
): Handlers<Routes> => {
  const { clock, audit, vault, principals, announce, store, supportSessions, kinds } = parts

  const rowsToSupportAccess = async (rows: readonly SupportAccessRow[]): Promise<BreakGlass[]> => {
    const keyring = await vault.keyring(null)
    const [names, counts] = await Promise.all([
      principals.names([...new Set(rows.flatMap((row) => [row.admin_id, row.account_id]))]),
      store.useCounts(rows.map(({ id }) => id)),
    ])
    const person = (id: string) => ({ id, name: names.get(id) ?? '' })
    return rows.map((row) => ({
      id: row.id,
      administrator: person(row.admin_id),
      account: person(row.account_id),
      reason: keyring.open('break_glass.reason', row.id, row.reason),
      startedAt: timeOf(row.created_at),
      expiresAt: timeOf(row.expires_at),
      endedAt: row.ended_at === null ? null : timeOf(row.ended_at),
      active: isOpen(row, clock.now()),
      seen: row.seen_at !== null,
      openedCount: counts.get(row.id) ?? 0,
    }))
  }
  /** Both pages learn of it, and what is open for the administrator shows its right again. */
  const announceChange = async ({ admin_id, account_id }: SupportAccessRow): Promise<void> => {
    for (const id of [account_id, admin_id]) await announce(id, { type: 'support-access-changed', data: {} })
    await parts.interrupt([admin_id])
  }
  const mailOwner = async (row: SupportAccessRow, look: BreakGlass): Promise<void> => {
    const { administrator, reason, expiresAt } = look
    try {
      await parts.mailSupportAccess?.(row.account_id, { administrator: administrator.name, reason, expiresAt })
    } catch (error) {
      // The notice in the app stays until it is read; the mail is only sent in addition.
      parts.log.warn('An account could not be told of support access by mail.', { error })
    }
  }

  return {
    async startBreakGlass({ body }, context) {
      const { caller } = context
      if (caller.token) throw fail('token_scope', 'Support access requires a session. Sign in instead.')
      const { accountId, hours, reason, ...proof } = body
      if (accountId === caller.accountId)
        throw fail('validation_failed', undefined, [{ path: 'body.accountId', message: 'this is your own account' }])
      if (!(await principals.names([accountId])).has(accountId)) throw fail('user_not_found')
      await parts.requireProof(context, proof)
      const id = clock.id()
      const now = clock.now()
      const row: SupportAccessRow = {
        id,
        admin_id: caller.accountId,
        account_id: accountId,
        created_at: now,
        reason: (await vault.keyring(null)).seal('break_glass.reason', id, reason),
        expires_at: now + hours * 3_600_000,
        ended_at: null,
        ended_by: null,
        seen_at: null,
      }
      const added = await store.add(row, (trx) => audit.recordIn(trx, entryOf('break-glass.create', context, row)))
      if (!added) throw fail('break_glass_open')
      parts.notice(row.expires_at)
      await announceChange(row)
      const [look] = await rowsToSupportAccess([row])
      if (!look) throw fail('break_glass_not_found')
      await mailOwner(row, look)
      return look
    },

    async breakGlass({ query }, { caller }) {
      const { about, limit, cursor } = query
      if (about === 'everybody' && caller.role !== 'admin') throw fail('forbidden')
      const whose = about === 'me' ? caller.accountId : (query.accountId ?? null)
      const { items, nextCursor } = await store.page(whose, limit, cursor)
      return { items: await rowsToSupportAccess(items), nextCursor }
    },

    async breakGlassUses({ params, query }, { caller }) {
      const row = await store.find(params.id)
      const isOwn = row?.account_id === caller.accountId
      if (!row || (!isOwn && caller.role !== 'admin')) throw fail('break_glass_not_found')
      const uses = await store.listUses(row.id, query.limit)
      const names = isOwn ? await namesOf(kinds, uses) : new Map<string, string>()
      return { items: uses.map((use) => rowToUse(use, names)), nextCursor: null }
    },

    async breakGlassThings({ params, query }, { caller }) {
      const row = await store.find(params.id)
      const isOwn = row?.admin_id === caller.accountId && !caller.token
      if (!row || !isOwn || !isOpen(row, clock.now())) throw fail('break_glass_not_found')
      const page = await kinds.get(query.type)?.list(row.account_id, query.limit, query.cursor)
      await supportSessions.recordUse(row, { type: query.type, id: wholeList })
      return {
        items: (page?.items ?? []).map(({ id, name, updatedAt }) => ({ id, name, updatedAt: timeOf(updatedAt) })),
        nextCursor: page?.nextCursor ?? null,
      }
    },

    async seenBreakGlass({ params }, { caller }) {
      if (!(await store.markSeen(params.id, caller.accountId, clock.now()))) throw fail('break_glass_not_found')
      await announce(caller.accountId, { type: 'support-access-changed', data: {} })
      return {}
    },

    async endBreakGlass({ params }, context) {
      const row = await store.find(params.id)
      if (!row) throw fail('break_glass_not_found')
      const ended = await store.end(row.id, context.caller.accountId, clock.now(), (trx) =>
        audit.recordIn(trx, entryOf('break-glass.end', context, row)),
      )
      if (!ended) throw fail('break_glass_not_found')
      await announceChange(row)
      return {}
    },
  }
}

const isOpen = (row: SupportAccessRow, now: number): boolean => row.ended_at === null && row.expires_at > now

const timeOf = (time: number): string => new Date(time).toISOString()

/** The reason stays out of the audit: it may speak of content. */
const entryOf = (
  action: 'break-glass.create' | 'break-glass.end',
  context: Context<Caller>,
  row: SupportAccessRow,
): AuditEntry => ({
  action,
  ...actorOf(context),
  target: { type: 'account', id: row.account_id },
  details: { breakGlassId: row.id, administratorId: row.admin_id, expiresAt: timeOf(row.expires_at) },
})

const namesOf = async (
  kinds: ReadonlyMap<ResourceType, Shareable>,
  uses: readonly SupportAccessUseRow[],
): Promise<Map<string, string>> => {
  const names = new Map<string, string>()
  for (const [type, same] of Map.groupBy(uses, (use) => use.resource_type)) {
    const described = await kinds.get(type)?.describe(same.map((use) => use.resource_id))
    for (const [id, { name }] of described ?? []) names.set(`${type} ${id}`, name)
  }
  return names
}

const rowToUse = (use: SupportAccessUseRow, names: ReadonlyMap<string, string>): BreakGlassUse => ({
  resourceType: use.resource_type,
  resourceId: use.resource_id === wholeList ? null : use.resource_id,
  name: names.get(`${use.resource_type} ${use.resource_id}`) ?? null,
  openedAt: timeOf(use.opened_at),
})
