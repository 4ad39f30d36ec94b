/**
 * All that belongs to an account: taken along as one archive, and taken away with the account. Administrators see how
 * much goes, never what it is: an archive is opened by its owner alone, also where an administrator had it made.
 *
 * Deleting is a job that can be taken again from the start after a crash. Whoever is to have time to take things along
 * is deleted on a day: until then the account works as before, and its owner sees the day with the own data.
 */
import { accountDataRoutes as routes, type RemovalCounts } from '@atrium/contract/account-data'
import { transferDays } from '@atrium/contract/transfers'
import { type CountName, countNames, type KindWith, resources as kinds } from '@atrium/contract/resources'
import { z } from 'zod'
import { actorOf, recordRefusal } from '../../platform/audit/index.ts'
import { type BoundRoutes, type Caller, type Context, bindRoutes } from '../../platform/http/area.ts'
import { Refusal, fail } from '../../platform/http/refusal.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import type { AccountDataDeps } from './context.ts'
import { createAccountExports, exportKind } from './exports.ts'
import { listAccountStorage, readStorage } from './storage.ts'

export { accountDataMigrations } from './tables.ts'
export type { AccountDataDeps, CountRecords } from './context.ts'
import { accountDataMigrations } from './tables.ts'

const removeKind = 'account-data.remove'
const upkeepKind = 'account-data.upkeep'
const dayMs = 24 * 3600_000
const afterwardsMs = 60_000

export interface AccountData {
  readonly area: BoundRoutes<typeof routes>
  /** Goes on with what an earlier process left. Call it once jobs are worked on. */
  begin(): Promise<void>
}

export const createAccountData = (deps: AccountDataDeps): AccountData => {
  const { accounts, audit, clock, jobs, transfers } = deps
  const { administration, removals } = accounts
  const exports = createAccountExports(deps)

  /** The job is the instance's: the account is not there any more to have one. */
  const finish = (accountId: string) =>
    jobs.enqueue(removeKind, { accountId }, { accountId: null, key: accountId, keyUntil: 'ended' })

  const removal = async (accountId: string, own: boolean) => {
    const { removalAt } = await administration.find(accountId)
    const [counts, lost, openTransfers, [latest = null]] = await Promise.all([
      countAll(deps, accountId),
      transfers.listLost(accountId, own),
      transfers.countOpen(accountId),
      exports.list(accountId),
    ])
    return {
      counts,
      lost: lost.map((things) => ({ ...things, items: [...things.items] })),
      openTransfers,
      removalAt,
      export: latest,
    }
  }
  /** Nothing goes while it is on its way to somebody, unless whoever deletes says so. */
  const requireNoTransfers = async (accountId: string): Promise<void> => {
    if ((await transfers.countOpen(accountId)) > 0) throw fail('transfers_open')
  }
  /** Offers put its day off as long as one waits, and no longer: whoever is to go could make new ones for ever. */
  const waitsForTransfers = async (accountId: string): Promise<boolean> => {
    const { removalAt } = await administration.find(accountId)
    const latest = removalAt === null ? Infinity : Date.parse(removalAt) + transferDays * dayMs
    return clock.now() < latest && (await transfers.countOpen(accountId)) > 0
  }
  const about = (context: Context, action: 'user.delete' | 'user.export' | 'user.update', id: string) => ({
    ...actorOf(context),
    action,
    target: { type: 'account', id },
  })
  const order = (accountId: string, context: Context<Caller>) =>
    recordRefusal(audit, about(context, 'user.export', accountId), async () => {
      const made = await exports.order(accountId, context.caller.accountId !== accountId)
      await audit.record(about(context, 'user.export', accountId))
      return made
    })
  const requireOther = (id: string, context: Context<Caller>): void => {
    if (id === context.caller.accountId) throw fail('own_account')
  }

  const remove = defineJob({
    payload: z.strictObject({ accountId: z.string(), again: z.boolean().optional() }),
    attempts: 20,
    timeoutMs: 3600_000,
    async run({ accountId, again }) {
      await removals.finish(accountId)
      // A call that was under way may be counted, and a stream told, after that: once more when it must be over.
      if (!again) await jobs.enqueue(removeKind, { accountId, again: true }, { accountId: null, delayMs: afterwardsMs })
    },
  })
  const upkeep = defineJob({
    payload: z.strictObject({}),
    attempts: 3,
    timeoutMs: 600_000,
    async run() {
      const who = { actor: { kind: 'system' as const, accountId: null } }
      for (const id of await removals.due()) {
        try {
          if (await waitsForTransfers(id)) continue
          await removals.begin(id, who)
        } catch (error) {
          // It became the last administrator meanwhile, or it is gone: tried again next time.
          if (!(error instanceof Refusal)) throw error
          deps.log.warn('an account could not be deleted on its day', { accountId: id, code: error.code })
        }
      }
      for (const id of await removals.begun()) await finish(id)
      await exports.tidy()
    },
  })

  const area = bindRoutes({
    name: 'account-data',
    routes,
    handlers: {
      ownRemoval: (_input, { caller }) => removal(caller.accountId, true),
      async removeOwn({ body }, context) {
        const { accountId } = context.caller
        await recordRefusal(audit, about(context, 'user.delete', accountId), async () => {
          const { despiteTransfers, ...proof } = body
          await accounts.requireProof(context, proof)
          if (!despiteTransfers) await requireNoTransfers(accountId)
          await removals.begin(accountId, actorOf(context))
        })
        await finish(accountId)
        context.answerStatus(202)
        return {}
      },
      ownStorage: (_input, { caller }) => readStorage(deps, caller.accountId),
      accountStorage: async () => ({ items: await listAccountStorage(deps), nextCursor: null }),
      async ownExports(_input, { caller }) {
        return { items: await exports.list(caller.accountId), nextCursor: null }
      },
      async exportOwn(_input, context) {
        context.answerStatus(202)
        return await order(context.caller.accountId, context)
      },
      async ownExport({ params }, context) {
        return await exports.open(context.caller.accountId, params.id)
      },
      async removeExport({ params }, { caller }) {
        await exports.remove(caller.accountId, params.id)
        return {}
      },
      removal: ({ params }) => removal(params.id, false),
      async schedule({ params: { id }, body }, context) {
        await recordRefusal(audit, about(context, 'user.update', id), async () => {
          requireOther(id, context)
          await administration.setRemoval(id, clock.now() + body.inDays * dayMs, actorOf(context))
        })
        return await removal(id, false)
      },
      async callOff({ params: { id } }, context) {
        await recordRefusal(audit, about(context, 'user.update', id), () =>
          administration.setRemoval(id, null, actorOf(context)),
        )
        return {}
      },
      async export({ params: { id } }, context) {
        await administration.find(id)
        context.answerStatus(202)
        return await order(id, context)
      },
      async remove({ params: { id }, query: { despiteTransfers } }, context) {
        await recordRefusal(audit, about(context, 'user.delete', id), async () => {
          requireOther(id, context)
          if (despiteTransfers === 'false') await requireNoTransfers(id)
          await removals.begin(id, actorOf(context))
        })
        await finish(id)
        context.answerStatus(202)
        return {}
      },
    },
    jobs: {
      [exportKind]: exports.job,
      [removeKind]: remove,
      [upkeepKind]: upkeep,
    },
    migrations: accountDataMigrations,
  })

  return {
    area,
    async begin() {
      await jobs.every(upkeepKind, {}, 10 * 60_000)
      for (const id of await removals.begun()) await finish(id)
    },
  }
}

/** What is counted beside the kinds of things. */
const others = {
  shared: 0,
  losingAccess: 0,
  files: 0,
  bytes: 0,
  jobs: 0,
  sessions: 0,
  tokens: 0,
  groups: 0,
  budgets: 0,
} satisfies Omit<RemovalCounts, CountName>

const countAll = async ({ resources, counters }: AccountDataDeps, accountId: string): Promise<RemovalCounts> => {
  const [counted, lists] = await Promise.all([
    Promise.all(
      [...resources.counted].map(async ([kind, { count }]) => [countNameOf(kind), await count(accountId)] as const),
    ),
    Promise.all(counters.map((count) => count(accountId))),
  ])
  const sum: RemovalCounts = { ...noThings, ...others }
  for (const [name, count] of [...counted, ...lists.flatMap((counts) => Object.entries(counts))])
    sum[name as keyof RemovalCounts] += count
  return sum
}

const noThings = Object.fromEntries(countNames.map((name) => [name, 0])) as Record<CountName, number>
const countNameOf = (kind: KindWith<'counted'>) => kinds[kind].counted as CountName
