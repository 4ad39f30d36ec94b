/** Offers are made here, and ended here by whoever may. */
import { transferDays } from '@atrium/contract/transfers'
import type { AuditEntry } from '../../platform/audit/index.ts'
import type { ResourceRef } from '../access/index.ts'
import { announceTo, describeThing, type TransfersContext } from './context.ts'
import type { TransferRow } from './tables.ts'

export type Actor = Pick<AuditEntry, 'actor' | 'requestId' | 'address'>
export const systemActor: Actor = { actor: { kind: 'system', accountId: null } }

export const transferMs = transferDays * 24 * 3600_000

type Parties = Pick<TransferRow, 'from_id' | 'to_id' | 'by_id' | 'keeps'>

/** What the audit keeps: ids, no names. */
export const auditEntry = (
  action: 'transfer.create' | 'transfer.accept' | 'transfer.complete' | 'transfer.end',
  row: TransferRow,
  reason?: string,
): Pick<AuditEntry, 'action' | 'target' | 'details'> => ({
  action,
  target: { type: row.resource_type, id: row.resource_id },
  details: {
    transferId: row.id,
    from: row.from_id,
    to: row.to_id,
    ...(row.keeps !== null && { keeps: row.keeps }),
    ...(reason !== undefined && { reason }),
  },
})

const offerKey = ({ from_id, to_id }: Pick<TransferRow, 'from_id' | 'to_id'>) => `transfers:${from_id}:${to_id}`

/**
 * Offers things of one account to another: those that are not offered already. The recipient gets one notification for all;
 * where an administrator offers them, their owner is told, too.
 */
export const offerAll = async (
  context: TransfersContext,
  things: readonly ResourceRef[],
  parties: Parties,
  actor: Actor,
): Promise<TransferRow[]> => {
  const [first] = things
  if (!first) return []
  const { audit, accounts, clock, notifications, store } = context
  const byOther = parties.by_id !== parties.from_id
  const [names, described, publisher] = await Promise.all([
    accounts.accountNames.names([parties.by_id]),
    describeThing(context, first),
    notifications.publisher([parties.to_id, ...(byOther ? [parties.from_id] : [])]),
  ])
  const now = clock.now()
  const rows = things.map(
    ({ type, id }): TransferRow => ({
      id: clock.id(),
      resource_type: type,
      resource_id: id,
      ...parties,
      state: 'offered',
      failure: null,
      created_at: now,
      expires_at: now + transferMs,
    }),
  )
  const words = { name: described?.name ?? '', by: names.get(parties.by_id) ?? '' }
  const added = await store.write(async (trx) => {
    const offered: TransferRow[] = []
    for (const row of rows)
      if (await store.addIn(trx, row)) {
        offered.push(row)
        await audit.recordIn(trx, { ...actor, ...auditEntry('transfer.create', row) })
      }
    if (offered.length === 0) return offered
    const count = await store.countIn(trx, parties.from_id, parties.to_id)
    await publisher.publish(trx, {
      accountId: parties.to_id,
      kind: 'transfer-offer',
      sourceKey: offerKey(parties),
      facts: { count, ...words },
      again: true,
    })
    if (byOther)
      await publisher.publish(trx, {
        accountId: parties.from_id,
        kind: 'transfer',
        sourceKey: `transfers-of:${parties.from_id}`,
        facts: { outcome: 'offered', ...words },
        again: true,
      })
    return offered
  })
  await publisher.tell()
  if (added.length > 0) await announceTo(context, [parties.from_id, parties.to_id])
  return added
}

export type EndReason = 'declined' | 'withdrawn' | 'expired' | 'gone' | 'account-ended'

/** false: it is done already, or gone. Its owner is told of what was declined. */
export const endOffer = async (
  context: TransfersContext,
  row: TransferRow,
  reason: EndReason,
  actor: Actor = systemActor,
): Promise<boolean> => {
  const { accounts, audit, notifications, store } = context
  const isDeclined = reason === 'declined'
  const [names, described, publisher] = await Promise.all([
    accounts.accountNames.names([row.to_id]),
    isDeclined ? describeThing(context, { type: row.resource_type, id: row.resource_id }) : null,
    notifications.publisher(isDeclined ? [row.from_id] : []),
  ])
  const ended = await store.write(async (trx) => {
    if (!(await store.endIn(trx, row.id))) return false
    await audit.recordIn(trx, { ...actor, ...auditEntry('transfer.end', row, reason) })
    if ((await store.countIn(trx, row.from_id, row.to_id)) === 0)
      await publisher.withdraw(trx, { sourceKeys: [offerKey(row)], accountId: row.to_id })
    if (isDeclined)
      await publisher.publish(trx, {
        accountId: row.from_id,
        kind: 'transfer',
        sourceKey: `transfer:${row.id}`,
        facts: { outcome: 'declined', name: described?.name ?? '', by: names.get(row.to_id) ?? '' },
      })
    return true
  })
  await publisher.tell()
  if (ended) await announceTo(context, [row.from_id, row.to_id])
  return ended
}

/**
 * Why an offer may not be accepted any more: whoever made it is not active, or no administrator; the thing is not its
 * owner's, or in the trash; or the recipient can no longer read what an administrator offers. null: it may.
 */
export const endReason = async (
  context: TransfersContext,
  row: TransferRow,
): Promise<Extract<EndReason, 'gone' | 'account-ended'> | null> => {
  const { access, accounts, resources } = context
  const byOther = row.by_id !== row.from_id
  const [by, to, thing] = await Promise.all([
    accounts.user(row.by_id),
    accounts.user(row.to_id),
    describeThing(context, { type: row.resource_type, id: row.resource_id }),
  ])
  if (by?.status !== 'active' || to?.status !== 'active' || (byOther && by.role !== 'admin')) return 'account-ended'
  if (thing?.accountId !== row.from_id || !resources.transferable.has(row.resource_type as never)) return 'gone'
  if (!byOther) return null
  const reachable = await access.listReachable(row.to_id, row.resource_type)
  return reachable.some(({ resourceId }) => resourceId === row.resource_id) ? null : 'gone'
}
