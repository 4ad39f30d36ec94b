/** SQL of the role, the status and the removal of accounts. A change and its line in the audit happen together, or neither. */
import type { User } from '@atrium/contract/accounts'
import type { AuditAction } from '@atrium/contract/audit'
import type { Audit, AuditEntry } from '../../../platform/audit/index.ts'
import type { AnyTransaction, Database } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { AuditActor } from '../audit-actor.ts'
import type { AccountRow, AccountTables, AccountTransaction } from '../tables.ts'

export type AccountRoles = ReturnType<typeof createAccountRoles>

export const createAccountRoles = ({
  database,
  audit,
  leaveGroups,
}: {
  database: Database
  audit: Audit
  leaveGroups: (trx: AnyTransaction, accountId: string) => Promise<void>
}) => {
  const tables = () => database.tables<AccountTables>()
  // Whoever writes to the audit stands in its line, so that two of them need not begin again.
  const write = <R>(work: (trx: AccountTransaction) => Promise<R>): Promise<R> =>
    database.write<AccountTables, R>(work, 'audit')
  const record = (
    trx: AccountTransaction,
    action: AuditAction,
    id: string,
    who: AuditActor,
    details?: AuditEntry['details'],
  ) => audit.recordIn(trx, { ...who, action, target: { type: 'account', id }, ...(details ? { details } : {}) })

  return {
    /** Refuses with `user_not_found`, `last_administrator`. Gives the row, and whether anything is different. */
    setRole: (id: string, role: User['role'], now: number, who: AuditActor): Promise<boolean> =>
      write(async (trx) => {
        const row = await requireAccount(trx, id)
        if (row.role === role) return false
        if (role === 'user') await requireOtherAdministrator(trx, row, 'The last administrator keeps the role.')
        await trx.updateTable('accounts').set({ role, updated_at: now }).where('id', '=', id).execute()
        await record(trx, 'user.role', id, who, { from: row.role, to: role })
        return true
      }),

    /**
     * Takes the role of an administrator away and ends the sessions that had it, as a provider or a directory has it.
     * `local`: administrators with a password here; one of them stays. Gives whether anything is different. Refuses with
     * `user_not_found`, `last_administrator`.
     */
    loseRole: (id: string, local: readonly string[], now: number, who: AuditActor): Promise<boolean> =>
      write(async (trx) => {
        const row = await requireAccount(trx, id)
        if (row.role === 'user') return false
        await requireOtherAdministrator(trx, row, 'The last administrator keeps the role.')
        if (local.includes(id))
          await requireOtherAdministrator(trx, row, 'The last administrator with a password keeps the role.', local)
        await trx.updateTable('accounts').set({ role: 'user', updated_at: now }).where('id', '=', id).execute()
        await endSessions(trx, id, now)
        await record(trx, 'user.role', id, who, { from: row.role, to: 'user' })
        return true
      }),

    /** Refuses with `user_not_found`, `last_administrator`; with `not_pending` where it was only to be approved. */
    setStatus: (
      id: string,
      status: 'active' | 'disabled',
      now: number,
      who: AuditActor,
      only?: 'pending',
    ): Promise<void> =>
      write(async (trx) => {
        const row = await requireAccount(trx, id)
        if (only && row.status !== only) throw fail('not_pending')
        if (row.status === status) return
        if (status === 'disabled') {
          await requireOtherAdministrator(trx, row, 'The last administrator cannot be disabled.')
          await endSessions(trx, id, now)
        }
        const approved = row.status === 'pending' && status === 'active'
        await trx
          .updateTable('accounts')
          .set({
            status,
            updated_at: now,
            ...(approved ? { approved_at: now, approved_by: who.actor.accountId } : {}),
          })
          .where('id', '=', id)
          .execute()
        await record(trx, approved ? 'user.approve' : status === 'active' ? 'user.enable' : 'user.disable', id, who)
      }),

    /** Notes within the transaction that makes an account who made it. */
    async recordCreation(
      trx: AccountTransaction,
      id: string,
      role: User['role'],
      now: number,
      who: AuditActor,
    ): Promise<void> {
      await trx
        .updateTable('accounts')
        .set({ approved_at: now, approved_by: who.actor.accountId })
        .where('id', '=', id)
        .execute()
      await record(trx, 'user.create', id, who, { role })
    },

    /** When an account is going to be deleted; null: it stays. Gives whether that is new. Refuses with `user_not_found`, `last_administrator`. */
    setRemoval: (id: string, at: number | null, who: AuditActor): Promise<boolean> =>
      write(async (trx) => {
        const row = await requireAccount(trx, id)
        if (row.removal_at === at) return false
        if (at !== null) await requireOtherAdministrator(trx, row)
        await trx.updateTable('accounts').set({ removal_at: at }).where('id', '=', id).execute()
        const removalAt = at === null ? null : new Date(at).toISOString()
        await record(trx, 'user.update', id, who, { fields: ['removalAt'], removalAt })
        return true
      }),

    /**
     * The first step of deleting an account, which cannot be undone: nobody signs in to it, nobody sees it, its
     * names are free. Refuses with `user_not_found` (also one that is not `only`), `last_administrator`.
     */
    beginRemoval: (id: string, now: number, who: AuditActor, only?: 'pending'): Promise<void> =>
      write(async (trx) => {
        const row = await requireAccount(trx, id)
        if (only && row.status !== only) throw fail('user_not_found')
        await requireOtherAdministrator(trx, row)
        await endSessions(trx, id, now)
        await trx
          .updateTable('accounts')
          .set({ status: 'disabled', removing_at: now, username_index: `removing:${id}`, email_index: null })
          .where('id', '=', id)
          .execute()
        await trx.deleteFrom('account_name_skeletons').where('account_id', '=', id).execute()
        await leaveGroups(trx, id)
        await record(trx, row.status === 'pending' ? 'user.reject' : 'user.delete', id, who, { role: row.role })
      }),

    /** The last step: the row, and with it sessions, tokens and whatever hangs on it. */
    async drop(id: string): Promise<void> {
      await tables().deleteFrom('accounts').where('id', '=', id).where('removing_at', 'is not', null).execute()
    },

    /** Whose removal has begun. */
    async removing(): Promise<string[]> {
      const rows = await tables().selectFrom('accounts').select('id').where('removing_at', 'is not', null).execute()
      return rows.map((row) => row.id)
    },

    /** Whose day has come. */
    async due(now: number): Promise<string[]> {
      const rows = await tables()
        .selectFrom('accounts')
        .select('id')
        .where('removal_at', '<=', now)
        .where('removing_at', 'is', null)
        .execute()
      return rows.map((row) => row.id)
    },

    /** Whether there is such an account, and its removal has not begun. */
    async isKept(id: string): Promise<boolean> {
      const row = await tables().selectFrom('accounts').select('removing_at').where('id', '=', id).executeTakeFirst()
      return row !== undefined && row.removing_at === null
    },
  }
}

const requireAccount = async (trx: AccountTransaction, id: string): Promise<AccountRow> => {
  const row = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('removing_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw fail('user_not_found')
  return row
}

/**
 * There is always an active administrator: asked inside the transaction, so that two cannot send each other away.
 * `among`: only these count; never empty.
 */
const requireOtherAdministrator = async (
  trx: AccountTransaction,
  row: Pick<AccountRow, 'id' | 'role' | 'status'>,
  detail?: string,
  among?: readonly string[],
): Promise<void> => {
  if (row.role !== 'admin' || row.status !== 'active') return
  let others = trx
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('removing_at', 'is', null)
    .where('id', '!=', row.id)
  if (among) others = others.where('id', 'in', among)
  const other = await others.limit(1).executeTakeFirst()
  if (!other) throw fail('last_administrator', detail)
}

const endSessions = async (trx: AccountTransaction, id: string, now: number): Promise<void> => {
  await trx
    .updateTable('auth_sessions')
    .set({ revoked_at: now })
    .where('account_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
}
