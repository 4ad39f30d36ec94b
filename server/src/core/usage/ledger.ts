/**
 * Spends budgets exactly: what a call may cost is set aside before it is made, and what it did cost is counted after it.
 * All calls of a moment share one transaction, so that many at once cost little and none slips through. Without budgets
 * nothing here is asked.
 */
import type { Clock } from '../../platform/clock.ts'
import type { AnyTransaction, Database } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import { ProviderFailure } from '../../providers/types.ts'
import { type BudgetTerms, limitOf, type BudgetPeriod, refusalWords } from './periods.ts'
import {
  type BudgetCounter,
  type CounterKey,
  counterName,
  type CounterStore,
  type BudgetReservation,
} from './stores/counters.ts'

/** One budget that a call counts on. */
export interface BudgetClaim {
  /** Whose call it is. */
  readonly accountId: string
  readonly budget: BudgetTerms
  readonly key: CounterKey
  readonly period: BudgetPeriod
  /** What the call may use at most, as far as anybody knows. */
  readonly least: bigint
  /** What is set aside where the budget allows it; more than `least` where the call has no limit. */
  readonly wanted: bigint
}

/** What of a budget was spent before a call, and with it. */
export interface SpentChange {
  readonly claim: BudgetClaim
  readonly before: bigint
  readonly after: bigint
}

/** What was set aside for a call: hand it back with what the call did use. */
export interface BudgetHold {
  readonly id: string
  readonly claims: readonly BudgetClaim[]
}

type Order =
  | {
      kind: 'reserve'
      claims: readonly BudgetClaim[]
      resolve: (hold: BudgetHold) => void
      reject: (error: unknown) => void
    }
  | { kind: 'settle'; hold: BudgetHold; used: (claim: BudgetClaim) => bigint }
  | { kind: 'release'; ids: readonly string[]; resolve: () => void; reject: (error: unknown) => void }

/** After this long a reservation is let go; its call is still counted when it ends. */
const holdMs = 60 * 60_000
const sweepMs = 60_000
const batchSize = 200
const longestPauseMs = 5000

export type Ledger = ReturnType<typeof createLedger>

export const createLedger = (deps: {
  database: Database
  store: CounterStore
  clock: Clock
  log: Log
  /** Writes down, with what is spent, whom that is to be told. */
  owe: (trx: AnyTransaction, changes: readonly SpentChange[]) => Promise<void>
  /** Called after each sweep. */
  swept: () => Promise<void>
  /** Hears what is spent of each budget that a call counted on, once that is written. */
  spent: (claim: BudgetClaim, spent: bigint) => void
}) => {
  const { database, store, clock, log } = deps
  let orders: Order[] = []
  let running: Promise<void> | null = null
  let failures = 0
  let sweeper: NodeJS.Timeout | null = null
  let retry: NodeJS.Timeout | null = null

  const run = (): Promise<void> => {
    running ??= rounds().finally(() => {
      running = null
      if (orders.length > 0) scheduleRun()
    })
    return running
  }
  const scheduleRun = (): void => {
    if (failures === 0) void run()
    else
      retry ??= setTimeout(
        () => {
          retry = null
          void run()
        },
        Math.min(longestPauseMs, 50 * 2 ** failures),
      )
  }

  const rounds = async (): Promise<void> => {
    while (orders.length > 0) {
      const batch = orders.slice(0, batchSize)
      orders = orders.slice(batchSize)
      try {
        for (const answer of await carryOut(batch)) answer()
        failures = 0
      } catch (error) {
        // Those who wait get the error. What was used is counted later: it must not be lost.
        for (const order of batch) if (order.kind !== 'settle') order.reject(error)
        orders = [...batch.filter((order) => order.kind === 'settle'), ...orders]
        if (failures % 20 === 0) log.error('budgets could not be written; spending is kept and tried again', { error })
        failures += 1
        return
      }
    }
  }

  /** One transaction for all of them; gives what is to be said when it is committed. */
  const carryOut = (batch: readonly Order[]): Promise<(() => void)[]> =>
    database.write<never, (() => void)[]>(async (trx) => {
      const answers: (() => void)[] = []
      const over = batch.flatMap((order) =>
        order.kind === 'settle' ? [order.hold.id] : order.kind === 'release' ? order.ids : [],
      )
      const gone = await store.release(trx, over)
      const keys = new Map<string, CounterKey>()
      for (const key of gone) keys.set(counterName(key), key)
      for (const order of batch) {
        const claims = order.kind === 'reserve' ? order.claims : order.kind === 'settle' ? order.hold.claims : []
        for (const { key } of claims) keys.set(counterName(key), key)
      }
      const counters = await store.read(trx, [...keys.values()])
      const changed = new Map<string, BudgetCounter>()
      const at = (key: CounterKey): BudgetCounter =>
        counters.get(counterName(key)) ?? { ...key, spent: 0n, reserved: 0n }
      const put = (counter: BudgetCounter): void => {
        counters.set(counterName(counter), counter)
        changed.set(counterName(counter), counter)
      }
      for (const { amount, ...key } of gone) {
        const counter = at(key)
        put({ ...counter, reserved: counter.reserved > amount ? counter.reserved - amount : 0n })
      }
      const changes: SpentChange[] = []
      for (const order of batch) {
        if (order.kind !== 'settle') continue
        for (const claim of order.hold.claims) {
          const counter = at(claim.key)
          const used = order.used(claim)
          if (used <= 0n) continue
          const spent = counter.spent + used
          put({ ...counter, spent })
          changes.push({ claim, before: counter.spent, after: spent })
          answers.push(() => deps.spent(claim, spent))
        }
      }
      const reservations: BudgetReservation[] = []
      for (const order of batch) {
        if (order.kind === 'release') answers.push(order.resolve)
        if (order.kind !== 'reserve') continue
        const refused = order.claims.find((claim) => !fits(claim, at(claim.key)))
        if (refused) {
          const { spent } = at(refused.key)
          const words = refusalWords(refused.budget, refused.period, spent < limitOf(refused.budget))
          answers.push(() => order.reject(new ProviderFailure('over_budget', words)))
          continue
        }
        const id = clock.id()
        for (const claim of order.claims) {
          const counter = at(claim.key)
          const amount = availableAmount(claim, counter)
          put({ ...counter, reserved: counter.reserved + amount })
          reservations.push({ ...claim.key, id, amount })
        }
        answers.push(() => order.resolve({ id, claims: order.claims }))
      }
      await store.save(trx, [...changed.values()])
      await deps.owe(trx, changes)
      await store.reserve(trx, reservations, clock.now() + holdMs)
      return answers
    })

  const release = (ids: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      orders.push({ kind: 'release', ids, resolve, reject })
      void run()
    })

  /** Lets go what processes that are gone had set aside, and what is too old. */
  const sweep = async (): Promise<void> => {
    const gone: string[] = []
    for (const id of await store.otherHolders()) if (await database.isGone(id)) gone.push(id)
    const ids = await store.leftOver(gone, clock.now())
    if (ids.length > 0) await release(ids)
    await deps.swept()
  }

  return {
    /** Sets aside what the claims want. Throws ProviderFailure `over_budget`. */
    reserve: (claims: readonly BudgetClaim[]): Promise<BudgetHold> =>
      new Promise((resolve, reject) => {
        orders.push({ kind: 'reserve', claims, resolve, reject })
        void run()
      }),
    /** Counts what a call used, soon; never fails. */
    settle(hold: BudgetHold, used: (claim: BudgetClaim) => bigint): void {
      orders.push({ kind: 'settle', hold, used })
      void run()
    },
    sweep,
    /** Begins to sweep by itself. */
    begin(): void {
      const sweepSafely = (): void => {
        sweep().catch((error: unknown) => log.warn('reservations could not be looked through', { error }))
      }
      sweepSafely()
      sweeper ??= setInterval(sweepSafely, sweepMs)
      sweeper.unref()
    },
    /** Resolves when all that was handed in before is written, or could not be. */
    async flush(): Promise<void> {
      if (running) await running
      if (orders.length > 0) await run()
    },
    async stop(): Promise<void> {
      if (sweeper) clearInterval(sweeper)
      await this.flush()
      if (retry) clearTimeout(retry)
    },
  }
}

/** Only a budget that blocks refuses, and only what it does not cover any more. */
const fits = (claim: BudgetClaim, { spent, reserved }: BudgetCounter): boolean =>
  claim.budget.mode !== 'block' ||
  (spent + reserved < limitOf(claim.budget) && spent + reserved + claim.least <= limitOf(claim.budget))

/** A call without a limit of its own gets what is left, and no more. */
const availableAmount = (claim: BudgetClaim, { spent, reserved }: BudgetCounter): bigint => {
  const left = limitOf(claim.budget) - spent - reserved
  return left > claim.wanted ? claim.wanted : left > claim.least ? left : claim.least
}
