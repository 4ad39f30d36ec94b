/**
 * Carries out what was accepted. What takes long comes first; then one transaction makes the thing the new owner's, with its
 * grants, the audit and the notification; what is left to be sealed follows. A process that is killed leaves it whole with
 * one of both: the job goes on from where the row stands.
 */
import type { Transfer } from '@atrium/contract/transfers'
import { isRefusal } from '../../platform/http/refusal.ts'
import type { PreparedTransfer, TransferSides } from '../resources/index.ts'
import { announceTo, describeThing, type TransfersContext } from './context.ts'
import { auditEntry, endOffer, endReason, systemActor, transferMs } from './offers.ts'
import type { TransferRow } from './tables.ts'

export const carryOutKind = 'transfers.carry-out'
export const resealKind = 'transfers.reseal'
export const attempts = 6
/** Requests that were under way with the former key are over by then. */
const afterwardsMs = 60_000

export const carryOut = async (context: TransfersContext, id: string, attempt: number): Promise<void> => {
  const row = await context.store.find(id)
  if (!row || row.state === 'offered') return
  const sides = await sidesOf(context, row)
  if (row.state === 'accepted') {
    const reason = await endReason(context, row)
    if (reason !== null) return void (await endOffer(context, row, reason))
    try {
      if (!(await handOver(context, row, sides))) return
    } catch (error) {
      // What is being worked on may be at rest soon.
      if (attempt < attempts && !(isRefusal(error) && error.code !== 'conflict')) throw error
      await giveBack(context, row, failureOf(error))
      if (!isRefusal(error)) throw error
      return
    }
  }
  await finish(context, row, sides)
}

const sidesOf = async ({ vault }: TransfersContext, row: Pick<TransferRow, 'from_id' | 'to_id'>) => {
  const [from, to] = await Promise.all([vault.keyring(row.from_id), vault.keyring(row.to_id)])
  return { fromId: row.from_id, toId: row.to_id, from, to }
}

/** false: it was ended meanwhile. */
const handOver = async (context: TransfersContext, row: TransferRow, sides: TransferSides): Promise<boolean> => {
  const { access, accounts, audit, notifications, resources, store } = context
  const kind = resources.transferable.get(row.resource_type as never)
  if (!kind) throw new Error(`${row.resource_type} has no transfer.`)
  const [names, described, publisher] = await Promise.all([
    accounts.accountNames.names([row.to_id]),
    describeThing(context, { type: row.resource_type, id: row.resource_id }),
    notifications.publisher([row.from_id]),
  ])
  const prepared = await kind.transfer.prepare(row.resource_id, sides)
  const done = await discardUnless(prepared, async () => {
    // Copying takes a while, in which an administrator may have lost the role, or the recipient the right to read it.
    const reason = await endReason(context, row)
    if (reason !== null) {
      await endOffer(context, row, reason)
      return false
    }
    return await store.write(async (trx) => {
      if (!(await store.step(trx, row.id, 'accepted', { state: 'sealing', failure: null }))) return false
      const moved = await prepared.commit(trx)
      for (const thing of moved) {
        for (const resource of resources.all.values()) await resource.detach?.(trx, thing.type, thing.id)
        const isItself = thing.type === row.resource_type && thing.id === row.resource_id
        await access.passOn(trx, thing, { fromId: row.from_id, toId: row.to_id, keeps: isItself ? row.keeps : null })
      }
      await audit.recordIn(trx, { ...systemActor, ...auditEntry('transfer.complete', row) })
      await publisher.publish(trx, {
        accountId: row.from_id,
        kind: 'transfer',
        sourceKey: `transfer:${row.id}`,
        facts: { outcome: 'accepted', name: described?.name ?? '', by: names.get(row.to_id) ?? '' },
      })
      return true
    })
  })
  if (!done) return false
  await publisher.tell()
  await prepared.done()
  await access.announceOwner({ type: row.resource_type, id: row.resource_id })
  await access.announceReach([row.from_id, row.to_id])
  await announceTo(context, [row.from_id, row.to_id])
  return true
}

const discardUnless = async (prepared: PreparedTransfer, work: () => Promise<boolean>): Promise<boolean> => {
  let done = false
  try {
    done = await work()
    return done
  } finally {
    if (!done) await prepared.discard()
  }
}

/** It is an offer again, with the reason, and waits as long as at first. */
const giveBack = async (context: TransfersContext, row: TransferRow, failure: Transfer['failure']): Promise<void> => {
  const { clock, store } = context
  await store.write((trx) =>
    store.step(trx, row.id, 'accepted', { state: 'offered', failure, expires_at: clock.now() + transferMs }),
  )
  await announceTo(context, [row.from_id, row.to_id])
}

/**
 * What is left of jobs that ended without an end of their own, such as with their process at the last try: what was accepted
 * is an offer again, which says so and can be accepted again; what is done already is finished.
 */
export const resumeLeft = async (context: TransfersContext): Promise<void> => {
  const { store, jobs } = context
  const left = [...(await store.inState('accepted', '', 200)), ...(await store.inState('sealing', '', 200))]
  if (left.length === 0) return
  // Rows are read first: what has a job now had it then.
  const counts = (await jobs.administration.count()).find(({ kind }) => kind === carryOutKind)
  if (counts && counts.queued + counts.running > 0) return
  for (const row of left)
    if (row.state === 'accepted') await giveBack(context, row, 'failed')
    else await jobs.enqueue(carryOutKind, { id: row.id }, { accountId: null, key: row.id, keyUntil: 'ended' })
}

const failureOf = (error: unknown): Transfer['failure'] => {
  if (!isRefusal(error)) return 'failed'
  if (error.code === 'conflict') return 'busy'
  if (error.code === 'quota_full' || error.code === 'storage_full') return 'no-room'
  return error.code.endsWith('_limit') ? 'limit' : 'failed'
}

const finish = async (context: TransfersContext, row: TransferRow, sides: TransferSides): Promise<void> => {
  const { resources, store, jobs } = context
  const kind = resources.transferable.get(row.resource_type as never)
  if (kind?.transfer.finish) {
    await kind.transfer.finish(row.resource_id, sides)
    const payload = { type: row.resource_type, id: row.resource_id, fromId: row.from_id, toId: row.to_id }
    await jobs.enqueue(resealKind, payload, { accountId: null, delayMs: afterwardsMs })
  }
  await store.remove(row.id)
}

/** Once more, for requests that wrote with the former key when the thing had its new owner already. */
export const resealAgain = async (
  context: TransfersContext,
  { type, id, fromId, toId }: { type: string; id: string; fromId: string; toId: string },
): Promise<void> => {
  // A key that is gone would be made anew.
  const [from, to] = await Promise.all([context.accounts.user(fromId), context.accounts.user(toId)])
  if (!from || !to) return
  await context.resources.transferable
    .get(type as never)
    ?.transfer.finish?.(id, await sidesOf(context, { from_id: fromId, to_id: toId }))
}

/** Everything of an account that goes: offers end, and what is done is sealed while its key is still there. */
export const endAccount = async (context: TransfersContext, accountId: string): Promise<void> => {
  for (const row of await context.store.ofAccount(accountId)) {
    // What is done meanwhile cannot end any more.
    if (row.state !== 'sealing' && (await endOffer(context, row, 'account-ended'))) continue
    if (row.from_id === accountId) await finish(context, row, await sidesOf(context, row))
    // It goes with the account, whose key nobody is to make anew.
    else if (row.to_id === accountId) await context.store.remove(row.id)
  }
  await context.files.reseal(accountId)
}
