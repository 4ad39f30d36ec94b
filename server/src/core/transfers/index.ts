/**
 * Ownership that passes from one account to another: offered by the owner, or by an administrator before an account is
 * deleted; accepted by the recipient; then carried out by a job, as each kind of thing says (`transfer` of its resource).
 * Nobody gets anything unasked, and the recipient gets of a thing what its readers see. It knows no kind by name.
 */
import type { ResourceType } from '@atrium/contract/resources'
import { z } from 'zod'
import { defineJob } from '../../platform/jobs/types.ts'
import { attempts, carryOut, carryOutKind, endAccount, resealAgain, resealKind, resumeLeft } from './carry-out.ts'
import type { LostThings, TransfersContext, TransfersDeps } from './context.ts'
import { transferHandlers } from './handlers.ts'
import { endOffer, endReason } from './offers.ts'
import { createTransferStore } from './store.ts'
import type { TransferRow } from './tables.ts'

export type { LostThings } from './context.ts'

export const upkeepKind = 'transfers.upkeep'

/** So many are named of each kind. */
const mostNames = 50

export interface Transfers {
  /** What others lose when an account goes, kind by kind; with names for its owner alone. */
  listLost(accountId: string, withNames: boolean): Promise<LostThings[]>
  /** How many of its things are on their way to somebody. */
  countOpen(accountId: string): Promise<number>
  /** What an account takes part in, for its export. */
  ofAccount(accountId: string): Promise<readonly TransferRow[]>
}

export const createTransfers = (deps: TransfersDeps) => {
  const context: TransfersContext = { ...deps, store: createTransferStore(deps.database) }
  const { store, resources, access, clock } = context
  const api: Transfers = {
    async listLost(accountId, withNames) {
      const byKind = Map.groupBy(await access.listShares(accountId), ({ type }) => type)
      return await Promise.all(
        [...byKind].map(async ([kind, things]: [ResourceType, { readonly id: string }[]]) => {
          const ids = withNames ? things.slice(0, mostNames).map(({ id }) => id) : []
          const described = ids.length === 0 ? new Map() : await resources.shared.get(kind)?.describe(ids)
          const items = ids.map((id) => ({ id, name: (described?.get(id)?.name ?? '') as string }))
          return { kind, count: things.length, items }
        }),
      )
    },
    countOpen: (accountId) => store.countOpen(accountId, clock.now()),
    ofAccount: store.ofAccount,
  }
  return {
    handlers: transferHandlers(context),
    api,
    jobs: {
      [carryOutKind]: defineJob({
        payload: z.strictObject({ id: z.string() }),
        attempts,
        timeoutMs: 3600_000,
        atOnce: 2,
        run: ({ id }, { attempt }) => carryOut(context, id, attempt),
      }),
      [resealKind]: defineJob({
        payload: z.strictObject({ type: z.string(), id: z.string(), fromId: z.string(), toId: z.string() }),
        attempts,
        timeoutMs: 3600_000,
        priority: 'low',
        run: (payload) => resealAgain(context, payload),
      }),
      [upkeepKind]: defineJob({
        payload: z.strictObject({}),
        attempts: 3,
        timeoutMs: 600_000,
        priority: 'low',
        async run(_payload, { signal }) {
          await resumeLeft(context)
          await endOffers(context, signal)
        },
      }),
    },
    accountRemoved: (accountId: string) => endAccount(context, accountId),
  }
}

/** Ends offers whose time is over, and those that can't be accepted any more. */
const endOffers = async (context: TransfersContext, signal: AbortSignal): Promise<void> => {
  for (let after = ''; ; ) {
    const rows = await context.store.inState('offered', after, 200)
    for (const row of rows) {
      if (signal.aborted) return
      const reason = row.expires_at <= context.clock.now() ? 'expired' : await endReason(context, row)
      if (reason !== null) await endOffer(context, row, reason)
    }
    const last = rows.at(-1)
    if (!last || rows.length < 200) return
    after = last.id
  }
}
