/** Handlers for offers of ownership. */
import type { Transfer, transfersRoutes } from '@atrium/contract/transfers'
import { transferableKinds } from '@atrium/contract/resources'
import { actorOf } from '../../platform/audit/index.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import { carryOutKind } from './carry-out.ts'
import { announceTo, describeThing, type TransfersContext } from './context.ts'
import { auditEntry, endOffer, endReason, offerAll } from './offers.ts'
import type { TransferRow } from './tables.ts'

export const transferHandlers = (context: TransfersContext): Handlers<typeof transfersRoutes> => {
  const { access, accounts, audit, clock, files, resources, store } = context

  const present = async (rows: readonly TransferRow[]): Promise<Transfer[]> => {
    const ids = [...new Set(rows.flatMap(({ from_id, to_id }) => [from_id, to_id]))]
    const known = await accounts.accountNames.named(ids)
    const party = (id: string) => ({ id, name: known.get(id)?.name ?? '', avatar: known.get(id)?.avatar ?? null })
    return await Promise.all(
      rows.map(async (row): Promise<Transfer> => {
        const { resource_type: resourceType, resource_id: resourceId } = row
        const [thing, bytes] = await Promise.all([
          describeThing(context, { type: resourceType, id: resourceId }),
          resources.transferable.get(resourceType as never)?.transfer.bytes(resourceId),
        ])
        return {
          id: row.id,
          resourceType,
          resourceId,
          name: thing?.accountId === row.from_id ? thing.name : '',
          bytes: bytes ?? 0,
          from: party(row.from_id),
          to: party(row.to_id),
          byAdministrator: row.by_id !== row.from_id,
          keeps: row.keeps,
          state: row.state === 'offered' ? 'offered' : 'accepted',
          failure: row.failure,
          createdAt: toIsoTime(row.created_at),
          expiresAt: toIsoTime(row.expires_at),
        }
      }),
    )
  }
  const presentOne = async (row: TransferRow): Promise<Transfer> => {
    const [shown] = await present([row])
    if (!shown) throw fail('transfer_not_found')
    return shown
  }
  const requireRecipient = async (toId: string, fromId: string): Promise<void> => {
    if (toId === fromId)
      throw fail('validation_failed', undefined, [{ path: 'body.toAccountId', message: 'this is the owner' }])
    if (!(await accounts.accountNames.find(toId))) throw fail('transfer_recipient_not_found')
  }
  /** What an account shares and could be somebody else's. */
  const sharesOf = async (accountId: string) =>
    (await access.listShares(accountId)).filter(({ type }) => (transferableKinds as readonly string[]).includes(type))
  const open = async (id: string): Promise<TransferRow> => {
    const row = await store.find(id)
    if (!row || row.state === 'sealing') throw fail('transfer_not_found')
    return row
  }

  return {
    async list({ query: { direction, limit, cursor } }, { caller: { accountId } }) {
      const side = direction === 'in' ? 'to_id' : 'from_id'
      const { items, nextCursor } = await store.page(side, accountId, clock.now(), limit, cursor)
      const valid = await Promise.all(items.map(async (row) => (await endReason(context, row)) === null))
      return { items: await present(items.filter((_, at) => valid[at])), nextCursor }
    },

    async offer({ body: { resourceType, resourceId, toAccountId, keeps } }, request) {
      const { caller } = request
      const thing = await describeThing(context, { type: resourceType, id: resourceId })
      await requireRecipient(toAccountId, caller.accountId)
      if (thing?.accountId !== caller.accountId) throw fail('not_transferable')
      const parties = { from_id: caller.accountId, to_id: toAccountId, by_id: caller.accountId, keeps }
      const [row] = await offerAll(context, [{ type: resourceType, id: resourceId }], parties, actorOf(request))
      if (!row) throw fail('transfer_open')
      return await presentOne(row)
    },

    async offerAll({ body: { toAccountId, keeps } }, request) {
      const { accountId } = request.caller
      await requireRecipient(toAccountId, accountId)
      const things = await sharesOf(accountId)
      const parties = { from_id: accountId, to_id: toAccountId, by_id: accountId, keeps }
      const { length: offered } = await offerAll(context, things, parties, actorOf(request))
      return { offered, left: things.length - offered }
    },

    async accept({ params }, request) {
      const { accountId } = request.caller
      const row = await open(params.id)
      const isOver = row.state === 'offered' && row.expires_at <= clock.now()
      if (row.to_id !== accountId || isOver) throw fail('transfer_not_found')
      request.answerStatus(202)
      if (row.state === 'accepted') return await presentOne(row)
      const reason = await endReason(context, row)
      if (reason !== null) {
        await endOffer(context, row, reason)
        throw fail('transfer_not_found')
      }
      await files.requireRoom(
        accountId,
        (await resources.transferable.get(row.resource_type as never)?.transfer.bytes(row.resource_id)) ?? 0,
      )
      const job = await context.jobs.prepare(carryOutKind, { id: row.id })
      const accepted = await store.write(async (trx) => {
        if (!(await store.step(trx, row.id, 'offered', { state: 'accepted', failure: null }))) return false
        await audit.recordIn(trx, { ...actorOf(request), ...auditEntry('transfer.accept', row) })
        await job.write(trx)
        return true
      })
      if (!accepted) throw fail('transfer_not_found')
      await job.tell()
      await announceTo(context, [row.from_id, row.to_id])
      return await presentOne({ ...row, state: 'accepted', failure: null })
    },

    async end({ params }, request) {
      const { accountId } = request.caller
      const row = await open(params.id)
      if (![row.from_id, row.to_id].includes(accountId)) throw fail('transfer_not_found')
      const reason = row.to_id === accountId ? 'declined' : 'withdrawn'
      if (!(await endOffer(context, row, reason, actorOf(request)))) throw fail('transfer_not_found')
      return {}
    },

    async offerOf({ params: { id }, body: { toAccountId } }, request) {
      const { accountId } = request.caller
      if (id === accountId) throw fail('own_account')
      if (!(await accounts.user(id))) throw fail('user_not_found')
      await requireRecipient(toAccountId, id)
      const things = await sharesOf(id)
      const readable = new Set<string>()
      for (const type of new Set(things.map((thing) => thing.type)))
        for (const { resourceId } of await access.listReachable(toAccountId, type))
          readable.add(`${type} ${resourceId}`)
      const parties = { from_id: id, to_id: toAccountId, by_id: accountId, keeps: null }
      const { length: offered } = await offerAll(
        context,
        things.filter((thing) => readable.has(`${thing.type} ${thing.id}`)),
        parties,
        actorOf(request),
      )
      return { offered, left: things.length - offered }
    },

    async endOf({ params: { id } }, request) {
      if (!(await accounts.user(id))) throw fail('user_not_found')
      let withdrawn = 0
      for (const row of await store.ofAccount(id))
        if (row.from_id === id && row.by_id !== id && row.state !== 'sealing')
          if (await endOffer(context, row, 'withdrawn', actorOf(request))) withdrawn += 1
      return { withdrawn }
    },
  }
}
