/** The audit as every floor sees it: a place to write down what matters for safety. */
import type { AuditAction, AuditEvent } from '@atrium/contract/audit'
import type { AnyTransaction } from '../db/types.ts'
import type { Caller, Context } from '../http/area.ts'

/** What happened. Details hold names of fields and settings, counts and reasons; never content, never secrets. */
export interface AuditEntry {
  readonly action: AuditAction
  readonly actor: { readonly kind: AuditEvent['actorKind']; readonly accountId: string | null }
  readonly target?: { readonly type: string; readonly id: string | null }
  /** `success` where it is not said. */
  readonly result?: AuditEvent['result']
  readonly requestId?: string | null
  readonly address?: string | null
  readonly details?: NonNullable<AuditEvent['details']>
}

export interface Audit {
  /**
   * Written when this resolves. Whoever did what is recorded should not be answered before. When it rejects because the
   * database is away, the entry is kept, and written as soon as that is back.
   */
  record(entry: AuditEntry): Promise<void>
  /** The same within somebody's transaction, begun in the line `audit`: both happen, or neither. */
  recordIn(trx: AnyTransaction, entry: AuditEntry): Promise<void>
}

/** The part of an entry that the request tells: who, from where. */
export const actorOf = ({
  caller,
  requestId,
  address,
}: Pick<Context<Caller | null>, 'caller' | 'requestId' | 'address'>): Pick<
  AuditEntry,
  'actor' | 'requestId' | 'address'
> => ({
  actor: caller
    ? { kind: caller.token ? 'api-token' : 'user', accountId: caller.accountId }
    : { kind: 'anonymous', accountId: null },
  requestId,
  address,
})
