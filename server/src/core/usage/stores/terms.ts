/** Every statement about prices, budgets' terms and the currency. */
import { Budget, type BudgetInput, type TariffInput } from '@atrium/contract/usage'
import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import { readColumns, unlessUnreadable } from '../../../platform/stored-json.ts'
import type { Database } from '../../../platform/db/types.ts'
import { type BudgetTerms, limitOf } from '../periods.ts'
import type { BudgetRow, TariffRow, UsageTables } from '../tables.ts'

export interface OwnTariff extends Omit<TariffInput, 'effectiveFrom' | 'secondPrice'> {
  readonly secondPrice: string | null
  readonly id: string
  readonly currency: string
  readonly effectiveFrom: number
  readonly createdBy: string
  readonly createdAt: number
}

/** What prices are made of. */
export interface PriceTerms {
  readonly currency: string
  /** Newest first. */
  readonly tariffs: readonly OwnTariff[]
}

/** What prices were made of right before a change, and are right after it. */
export interface PriceChange {
  readonly before: PriceTerms
  readonly after: PriceTerms
}

export interface PricingTerms extends PriceTerms {
  /** Oldest first. */
  readonly budgets: readonly BudgetTerms[]
  /** The ids of budgets that cannot be read; nothing counts on them. */
  readonly unreadable: readonly string[]
}

export type TermsStore = ReturnType<typeof createTermsStore>

export const createTermsStore = (database: Database) => {
  const tables = database.tables<UsageTables>()
  return {
    async all(): Promise<PricingTerms> {
      const [terms, budgets] = await Promise.all([
        readPriceTerms(tables),
        tables.selectFrom('usage_budgets').selectAll().orderBy('created_at').orderBy('id').execute(),
      ])
      return { ...terms, ...sorted(budgets) }
    },

    /** In the currency of the instance; null: there are as many as there may be. */
    addTariff: (
      given: Omit<OwnTariff, 'currency'>,
      most: number,
    ): Promise<(PriceChange & { readonly tariff: OwnTariff }) | null> =>
      database.write<UsageTables, (PriceChange & { readonly tariff: OwnTariff }) | null>(async (trx) => {
        const before = await readPriceTerms(trx)
        if (before.tariffs.length >= most) return null
        const tariff = { ...given, currency: before.currency }
        await trx.insertInto('usage_tariffs').values(tariffToRow(tariff)).execute()
        return { before, after: await readPriceTerms(trx), tariff }
      }),

    /** The price that was removed; null: there is none of this id. */
    removeTariff: (id: string): Promise<(PriceChange & { readonly tariff: OwnTariff }) | null> =>
      database.write<UsageTables, (PriceChange & { readonly tariff: OwnTariff }) | null>(async (trx) => {
        const before = await readPriceTerms(trx)
        const tariff = before.tariffs.find((one) => one.id === id)
        if (!tariff) return null
        await trx.deleteFrom('usage_tariffs').where('id', '=', id).execute()
        return { before, after: await readPriceTerms(trx), tariff }
      }),

    /** null: prices or budgets of money are entered already. */
    setCurrency: (currency: string): Promise<PriceChange | null> =>
      database.write<UsageTables, PriceChange | null>(async (trx) => {
        const before = await readPriceTerms(trx)
        if (before.currency === currency) return { before, after: before }
        const budget = await trx
          .selectFrom('usage_budgets')
          .select('id')
          .where('unit', '=', 'money')
          .limit(1)
          .executeTakeFirst()
        if (before.tariffs.length > 0 || budget) return null
        await trx
          .insertInto('usage_state')
          .values({ name: 'currency', value: currency })
          .onConflict((on) => on.column('name').doUpdateSet({ value: currency }))
          .execute()
        return { before, after: { ...before, currency } }
      }),

    /** false: there are as many as there may be. */
    addBudget: (budget: BudgetTerms, most: number): Promise<boolean> =>
      database.write<UsageTables, boolean>(async (trx) => {
        const { count } = await trx
          .selectFrom('usage_budgets')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          // Those of owners are few for each of them, and leave administrators their room.
          .where('set_by', '=', 'administrator')
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return false
        await trx.insertInto('usage_budgets').values(budgetToRow(budget)).execute()
        return true
      }),

    /** What the owner of a token set before gives way; null: to nothing. Budgets of administrators stay as they are. */
    setOwners: (tokenId: string, budget: BudgetTerms | null): Promise<void> =>
      database.write<UsageTables, void>(async (trx) => {
        const before = await trx
          .selectFrom('usage_budgets')
          .select('id')
          .where('principal_type', '=', 'token')
          .where('principal_id', '=', tokenId)
          .where('set_by', '=', 'owner')
          .executeTakeFirst()
        if (before && budget) {
          const { amount, period } = termsToRow(budget)
          const change = { amount, period, updated_at: budget.createdAt }
          await trx.updateTable('usage_budgets').set(change).where('id', '=', before.id).execute()
        } else if (budget) await trx.insertInto('usage_budgets').values(budgetToRow(budget)).execute()
        else if (before) await drop(trx, [before.id])
      }),

    async changeBudget(id: string, input: BudgetInput, now: number): Promise<boolean> {
      const { numUpdatedRows } = await tables
        .updateTable('usage_budgets')
        // What an administrator changed is not the owner's to raise any more.
        .set({ ...termsToRow(input), updated_at: now, set_by: 'administrator' })
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Ends all that are for one. */
    removeBudgetsOf: (type: BudgetInput['principalType'], principalId: string): Promise<boolean> =>
      database.write<UsageTables, boolean>(async (trx) => {
        const gone = await trx
          .deleteFrom('usage_budgets')
          .where('principal_type', '=', type)
          .where('principal_id', '=', principalId)
          .returning('id')
          .execute()
        const ids = gone.map(({ id }) => id)
        if (ids.length === 0) return false
        await drop(trx, ids)
        return true
      }),

    removeBudget: (id: string): Promise<boolean> =>
      database.write<UsageTables, boolean>(async (trx) => {
        const { numDeletedRows } = await trx.deleteFrom('usage_budgets').where('id', '=', id).executeTakeFirstOrThrow()
        await trx.deleteFrom('usage_budget_counters').where('budget_id', '=', id).execute()
        await trx.deleteFrom('usage_budget_reservations').where('budget_id', '=', id).execute()
        return numDeletedRows > 0n
      }),
  }
}

const readPriceTerms = async (from: Pick<Kysely<UsageTables>, 'selectFrom'>): Promise<PriceTerms> => {
  const state = await from.selectFrom('usage_state').select('value').where('name', '=', 'currency').executeTakeFirst()
  const rows = await from
    .selectFrom('usage_tariffs')
    .selectAll()
    .orderBy('effective_from', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { currency: state?.value ?? 'USD', tariffs: rows.map(rowToTariff) }
}

const drop = async (trx: Transaction<UsageTables>, ids: readonly string[]): Promise<void> => {
  await trx.deleteFrom('usage_budgets').where('id', 'in', ids).execute()
  await trx.deleteFrom('usage_budget_counters').where('budget_id', 'in', ids).execute()
  await trx.deleteFrom('usage_budget_reservations').where('budget_id', 'in', ids).execute()
}

const rowToTariff = (row: TariffRow): OwnTariff => ({
  id: row.id,
  providerId: row.plugin_id,
  model: row.model,
  inputPerMillion: row.input_per_million,
  cachedPerMillion: row.cached_per_million,
  outputPerMillion: row.output_per_million,
  unitPrice: row.unit_price,
  secondPrice: row.second_price,
  currency: row.currency,
  effectiveFrom: row.effective_from,
  createdBy: row.created_by,
  createdAt: row.created_at,
})

const tariffToRow = (tariff: OwnTariff): TariffRow => ({
  id: tariff.id,
  plugin_id: tariff.providerId,
  model: tariff.model,
  input_per_million: tariff.inputPerMillion,
  cached_per_million: tariff.cachedPerMillion,
  output_per_million: tariff.outputPerMillion,
  unit_price: tariff.unitPrice,
  second_price: tariff.secondPrice,
  currency: tariff.currency,
  effective_from: tariff.effectiveFrom,
  created_by: tariff.createdBy,
  created_at: tariff.createdAt,
})

const { principalType, unit, period, mode } = Budget.shape
/** What a row must hold; an amount is what limits can be made of. */
const Stored = z.object({ principalType, unit, period, mode, amount: z.string() }).refine((terms) => {
  try {
    return limitOf(terms) >= 0n
  } catch {
    return false
  }
})

const rowToBudget = (row: BudgetRow): BudgetTerms | null => {
  const { amount } = row
  const terms = { principalType: row.principal_type, unit: row.unit, period: row.period, mode: row.mode, amount }
  const read = unlessUnreadable(() => readColumns('usage_budgets.terms', Stored, row.id, terms), null)
  return (
    read && {
      ...read,
      id: row.id,
      name: row.name,
      principalId: row.principal_id,
      createdAt: row.created_at,
      setBy: row.set_by === 'owner' ? 'owner' : 'administrator',
    }
  )
}

const sorted = (rows: readonly BudgetRow[]): Pick<PricingTerms, 'budgets' | 'unreadable'> => {
  const read = rows.map((row) => ({ id: row.id, budget: rowToBudget(row) }))
  return {
    budgets: read.flatMap(({ budget }) => budget ?? []),
    unreadable: read.flatMap(({ id, budget }) => (budget ? [] : [id])),
  }
}

const budgetToRow = (budget: BudgetTerms): BudgetRow => ({
  ...termsToRow(budget),
  id: budget.id,
  created_at: budget.createdAt,
  updated_at: budget.createdAt,
  set_by: budget.setBy,
})

const termsToRow = (input: BudgetInput): Omit<BudgetRow, 'id' | 'created_at' | 'updated_at' | 'set_by'> => ({
  name: input.name,
  principal_type: input.principalType,
  principal_id: input.principalId,
  unit: input.unit,
  amount: input.amount,
  period: input.period,
  mode: input.mode,
})
