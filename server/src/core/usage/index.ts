/**
 * What calls to providers were made, what they cost, and whether there is a budget for the next one. Every call is
 * admitted before it is made and counted once after it. It keeps figures alone: no content, no address, no key, and
 * nothing that a provider said.
 */
import type { Cost } from '@atrium/contract/generation'
import { type UsageQuery, usageRoutes } from '@atrium/contract/usage'
import { bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Notifications } from '../notifications/index.ts'
import { createPriceCache } from './price-cache.ts'
import { createBudgetNotices } from './budget-notices.ts'
import { createBudgets, type FindPrincipal } from './budgets.ts'
import { type DayRange, rangeBetween, rangeUntil, spansOf } from './days.ts'
import { exportCalls, exportDays } from './export.ts'
import { createLedger } from './ledger.ts'
import { createMeter } from './meter.ts'
import type { UsageRecorder } from './metrics.ts'
import { costOf, costWithoutPrice, toDecimal } from './money.ts'
import { readReport } from './report.ts'
import { createSpeedCache, type ModelSpeed } from './speeds.ts'
import { createCounterStore } from './stores/counters.ts'
import { createEventStore } from './stores/events.ts'
import { createReportStore, type Memberships, type ReportFilter } from './stores/report.ts'
import { createTermsStore } from './stores/terms.ts'
import type { RecordingFields } from './settings.ts'
import { usageMigrations } from './tables.ts'
import { createTariffs } from './tariffs.ts'
import { createUsageWriter, type WriterDeps } from './writer.ts'

export type { FindPrincipal } from './budgets.ts'
export { toBillionths, toDecimal } from './money.ts'
export { usageSettings } from './settings.ts'
export { usageMigrations } from './tables.ts'

export interface UsageDeps
  extends Pick<WriterDeps, 'windowMs' | 'capacity'>,
    Pick<Platform, 'clock' | 'database' | 'log' | 'processId'> {
  /** Accounts, groups and tokens that a budget may be for. */
  readonly findPrincipal: FindPrincipal
  /** Groups that an account is in, by id. */
  readonly groupsOf?: (accountId: string) => Promise<readonly string[]>
  /** Who is in which group, for reports; none where it is left out. */
  readonly memberships?: Memberships
  /** What groups are called, by id. */
  readonly groupNames?: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** What is recorded. */
  readonly recording: Pick<BoundSettings<RecordingFields>, 'change' | 'read' | 'values'>
  /** Tells accounts of their budgets; absent: nobody is told. */
  readonly notifications?: Pick<Notifications, 'publisher'>
  /** Told of calls, for metrics. */
  readonly recorder?: UsageRecorder | null
}

const mostDays = 400

export const createUsage = (deps: UsageDeps) => {
  const { database, clock, log, findPrincipal, recorder = null, groupsOf = async () => [] } = deps
  const { recording, memberships = null, groupNames = async () => new Map<string, string>() } = deps
  const readPolicy = async () => (await recording.values()).policy
  const presentPolicy = async () => {
    const { policy } = await recording.read()
    return { policy: policy.value, lockedByEnv: policy.source === 'environment' }
  }
  const events = createEventStore(database, deps.processId)
  const reports = createReportStore(database, memberships)
  const terms = createTermsStore(database)
  const counters = createCounterStore(database, deps.processId)
  const prices = createPriceCache({ database, store: terms, log })
  const writer = createUsageWriter({ ...deps, store: events, dropped: (calls) => recorder?.dropped(calls) })
  const notices = deps.notifications ? createBudgetNotices({ database, log, notifications: deps.notifications }) : null
  const ledger = createLedger({
    database,
    store: counters,
    clock,
    log,
    spent: (claim, spent) => notices?.note(claim, spent),
    owe: async (trx, changes) => await notices?.owe(trx, changes),
    swept: async () => await notices?.tellOwed((await prices.load()).budgets),
  })
  const meter = createMeter({ prices, ledger, writer, clock, recorder, groupsOf, readPolicy })
  const unitCost = (providerId: string, model: string, name: 'unitPrice' | 'secondPrice'): Cost | null => {
    const book = prices.last
    const tariff = book?.priceOf(providerId, model, clock.now())?.tariff
    if (!book || !tariff) return null
    if (tariff.inputPerMillion !== null || tariff.outputPerMillion !== null) return null
    const amount = tariff[name]
    return amount === null ? null : { amount, currency: book.currency }
  }
  const flush = writer.flush
  const tariffs = createTariffs({ prices, terms, events, reports, clock, flush })
  const speeds = createSpeedCache({ reports, clock, log })
  const budgets = createBudgets({ database, prices, terms, counters, clock, flush, findPrincipal, groupsOf })

  /** The budgets that calls of an account count towards. */
  const ownBudgets = async (accountId: string) => {
    const { currency } = await prices.load()
    return { currency, items: await budgets.own(accountId) }
  }
  const nameOf = async (accountId: string): Promise<string | null> =>
    (await findPrincipal('account', accountId))?.name ?? null

  const rangeOf = ({ from, to, days, offsetMinutes }: UsageQuery): DayRange => {
    if (from === undefined && to === undefined) return rangeUntil(clock.now(), days, offsetMinutes)
    const refuse = (message: string) => fail('validation_failed', undefined, [{ path: 'query.from', message }])
    if (from === undefined || to === undefined) throw refuse('give both days, or neither')
    if (from > to) throw refuse('the first day comes after the last')
    const range = rangeBetween(from, to, offsetMinutes)
    if (range.days > mostDays) throw refuse(`${mostDays} days at most`)
    return range
  }
  const filterOf = ({ accountId = '', ...filter }: UsageQuery): ReportFilter => ({ ...filter, accountId })

  const area = bindRoutes({
    name: 'usage',
    routes: usageRoutes,
    handlers: {
      async report({ query }) {
        const [report, { currency }, policy] = await Promise.all([
          readReport(reports, rangeOf(query), filterOf(query)),
          prices.load(),
          readPolicy(),
        ])
        const accounts = await Promise.all(
          report.accounts.map(async ({ accountId, aggregation }) => ({
            accountId,
            username: await nameOf(accountId),
            ...aggregation.figures(),
          })),
        )
        const names = await groupNames(report.groups.map(({ groupId }) => groupId))
        const groups = report.groups.map(({ groupId, aggregation }) => ({
          groupId,
          name: names.get(groupId) ?? '',
          ...aggregation.figures(),
        }))
        return { ...report, currency, policy, accounts, groups }
      },
      async export({ query }) {
        const book = await prices.load()
        await flush()
        return query.rows === 'days'
          ? await exportDays(reports, book, rangeOf(query), filterOf(query), nameOf)
          : await exportCalls(
              events,
              book,
              rangeOf(query),
              filterOf(query),
              nameOf,
              query.groupId === undefined ? null : await reports.membersOf(query.groupId),
            )
      },
      policy: presentPolicy,
      async updatePolicy({ body }) {
        await recording.change(body)
        return await presentPolicy()
      },
      async mine({ query }, { caller: { accountId } }) {
        const [{ accounts: _, groups: _groups, ...report }, { currency }, own] = await Promise.all([
          readReport(reports, rangeOf(query), { accountId }),
          prices.load(),
          budgets.own(accountId),
        ])
        return { ...report, currency, budgets: own }
      },
      myBudgets: async (_input, { caller: { accountId } }) =>
        Object.assign(await ownBudgets(accountId), { nextCursor: null }),
      tariffs: () => tariffs.list(),
      addTariff: ({ body }, { caller }) => tariffs.add(caller.accountId, body),
      async removeTariff({ params }) {
        await tariffs.remove(params.id)
        return {}
      },
      setCurrency: ({ body }) => tariffs.setCurrency(body.currency),
      async budgets() {
        const { currency } = await prices.load()
        return { currency, ...(await budgets.list()), nextCursor: null }
      },
      addBudget: ({ body }) => budgets.add(body),
      changeBudget: ({ params, body }) => budgets.change(params.id, body),
      async removeBudget({ params }) {
        await budgets.remove(params.id)
        await notices?.withdraw(params.id)
        return {}
      },
    },
    migrations: usageMigrations,
  })

  return {
    area,
    /** Whether anything is recorded of calls. */
    isRecorded: async (): Promise<boolean> => (await readPolicy()) !== 'off',
    ownBudgets,
    /** Asked before every call: see `Admit`. */
    admit: meter.admit,
    readmit: meter.readmit,
    /** Told of every call that is over. */
    meter: meter.meter,
    /**
     * What a model costs now, as the model picker shows it: dollars for a million tokens, for people to read and nobody
     * to add up. null where nobody knows, or the instance counts in another currency.
     */
    priceOf(providerId: string, model: string): { input: number | null; output: number | null } | null {
      const book = prices.last
      const priced = book?.currency === 'USD' ? book.priceOf(providerId, model, clock.now()) : null
      const dollars = (decimal: string | null) => (decimal === null ? null : Number(decimal))
      return priced
        ? { input: dollars(priced.tariff.inputPerMillion), output: dollars(priced.tariff.outputPerMillion) }
        : null
    },
    /**
     * What one unit of a model costs now, as the form shows it before something is made; null where nobody knows, or its
     * tokens cost as well, which nobody can count before.
     */
    unitPriceOf: (providerId: string, model: string): Cost | null => unitCost(providerId, model, 'unitPrice'),
    /** The same of what one second of a film costs, which is paid beside the price of the film itself. */
    secondPriceOf: (providerId: string, model: string): Cost | null => unitCost(providerId, model, 'secondPrice'),
    /** How fast a chat model is here and how often it fails, as the model picker shows it; waits for nothing. */
    speedOf: (providerId: string, model: string): ModelSpeed | null => speeds.of(providerId, model),
    /** What tokens of one answer cost now; null where nobody knows. */
    costOf(
      providerId: string,
      model: string,
      tokens: { inputTokens: number | null; outputTokens: number | null; cachedTokens: number | null },
    ): Cost | null {
      const book = prices.last
      const priced = book?.priceOf(providerId, model, clock.now())
      const cost = priced ? costOf(priced.prices, { ...tokens, units: null }) : costWithoutPrice(providerId)
      return book && cost !== null ? { amount: toDecimal(BigInt(cost)), currency: book.currency } : null
    },
    /** Reads prices, budgets and speeds, and lets go what processes that ended had set aside, now and from time to time. */
    async begin(): Promise<void> {
      await prices.load()
      speeds.refresh()
      ledger.begin()
    },
    budgetsOf: budgets.countOf,
    /** What calls of these accounts cost in so many days, today included, as decimal numbers; those without calls are left out. */
    async spentBy(
      accountIds: readonly string[],
      days: number,
    ): Promise<{ currency: string; amounts: ReadonlyMap<string, string> }> {
      const [{ currency }, sums] = await Promise.all([
        prices.load(),
        reports.spent(spansOf(rangeUntil(clock.now(), days, 0)), accountIds),
      ])
      return { currency, amounts: new Map(sums.map(({ account_id, cost }) => [account_id, toDecimal(BigInt(cost))])) }
    },
    /** What owners of API tokens set for them. */
    tokenBudgets: { of: budgets.ofTokens, set: budgets.setForToken },
    async removeAccount(accountId: string): Promise<void> {
      await flush()
      await budgets.removeAccount(accountId)
      await events.removeAccount(accountId)
    },
    removeGroup: budgets.removeGroup,
    /** Resolves when what was counted before is written, and what is being read is read. */
    flush: async (): Promise<void> =>
      void (await Promise.all([writer.flush(), ledger.flush().then(() => notices?.settled()), speeds.settled()])),
    /** Writes what is left, and ends. Call it when no call is under way any more. */
    async stop(): Promise<void> {
      await Promise.all([writer.stop(), ledger.stop().then(() => notices?.settled()), speeds.stop()])
      prices.close()
    },
  }
}
export type Usage = ReturnType<typeof createUsage>
