/**
 * What calls to providers were made and what they cost, in figures alone: no content, no address, no key. Money is a
 * decimal string in the currency of the instance, exact to the billionth; null where there is no price.
 */
import { area } from '../area.ts'
import { usageDescription } from './area.ts'
import { z } from 'zod'
import { Currency, Id, Money, Nothing, Time } from '../common.ts'
import { Capability } from '../connections/index.ts'
import { routes } from '../route.ts'
import {
  AccountUsage,
  CallStatus,
  CapabilityUsage,
  Day,
  GroupUsage,
  HeatMap,
  ModelUsage,
  PluginUsage,
  RecordPolicy,
  UsageDay,
  UsageFigures,
  UsageReport,
  UsageSums,
  UsageTotals,
} from './report.ts'

export * from './report.ts'

const count = z.number().int()

export const BudgetPrincipal = z.enum(['instance', 'account', 'group', 'token'])
export const BudgetUnit = z.enum(['money', 'tokens'])
export const BudgetPeriod = z.enum(['daily', 'weekly', 'monthly'])
/** Watch; warn from four fifths on; warn, and make no call that it does not cover. */
export const BudgetMode = z.enum(['observe', 'warn', 'block'])
export const BudgetState = z.enum(['normal', 'warned', 'exceeded'])

/** What a budget is now. Periods begin at midnight UTC; weeks on Monday. */
const BudgetSpending = z.strictObject({
  periodStart: Time,
  resetsAt: Time,
  state: BudgetState,
})
export const BudgetInput = z
  .strictObject({
    name: z.string().trim().min(1).max(120),
    principalType: BudgetPrincipal,
    /** null for the instance; null for accounts: each account for itself. */
    principalId: Id.nullable(),
    unit: BudgetUnit,
    /** Money, or whole tokens. */
    amount: Money,
    period: BudgetPeriod,
    mode: BudgetMode,
  })
  .refine((b) => (b.principalType !== 'group' && b.principalType !== 'token') || b.principalId !== null, {
    message: 'choose whose budget this is',
    path: ['principalId'],
  })
  .refine((b) => b.unit === 'money' || !b.amount.includes('.'), {
    message: 'tokens must be whole numbers',
    path: ['amount'],
  })
  .refine((b) => /[1-9]/.test(b.amount), { message: 'must be greater than zero', path: ['amount'] })
export type BudgetInput = z.infer<typeof BudgetInput>

export const Budget = BudgetSpending.extend({
  id: Id,
  name: z.string(),
  principalType: BudgetPrincipal,
  principalId: Id.nullable(),
  /** Whose it is, for people; null when it is nobody's any more, and for the instance and every account. */
  principalName: z.string().nullable(),
  unit: BudgetUnit,
  amount: Money,
  period: BudgetPeriod,
  mode: BudgetMode,
  /** Spent in this period; of the account that spent most where every account has its own. */
  spent: Money,
  /** Set aside for calls that are still running. */
  reserved: Money,
  createdAt: Time,
})
export type Budget = z.infer<typeof Budget>

/** A budget that one's calls count on. Figures of what others spend too are not told. */
export const OwnBudget = BudgetSpending.extend({
  id: Id,
  name: z.string(),
  principalType: BudgetPrincipal,
  unit: BudgetUnit,
  period: BudgetPeriod,
  mode: BudgetMode,
  /** null where others spend from it too. */
  amount: Money.nullable(),
  spent: Money.nullable(),
  remaining: Money.nullable(),
})
export type OwnBudget = z.infer<typeof OwnBudget>
export const OwnBudgets = z.strictObject({ currency: Currency, items: z.array(OwnBudget), nextCursor: z.null() })
export type OwnBudgets = z.infer<typeof OwnBudgets>

export const MyUsage = UsageFigures.extend({ budgets: z.array(OwnBudget) })
export type MyUsage = z.infer<typeof MyUsage>

const price = Money.nullable()
const Prices = z.strictObject({
  /** For a million tokens. */
  inputPerMillion: price,
  /** Of input that the provider had kept; the price of input where it is null. */
  cachedPerMillion: price,
  outputPerMillion: price,
  /** For a thing that is not counted in tokens: an image, a character, a second, a byte, a job. */
  unitPrice: price,
})
export const TariffInput = Prices.extend({
  /** For a second of a film, beside what each film costs; absent: null. */
  secondPrice: price.optional(),
  providerId: Id,
  /** null: every model of the provider that has no price of its own. */
  model: z.string().min(1).max(300).nullable(),
  effectiveFrom: Time,
}).refine((t) => [t.inputPerMillion, t.outputPerMillion, t.unitPrice, t.secondPrice ?? null].some((p) => p !== null), {
  message: 'give at least one price',
  path: ['inputPerMillion'],
})
export type TariffInput = z.infer<typeof TariffInput>
/** A price from a day on; it never changes, a newer one takes its place, and one's own can be removed. */
export const Tariff = Prices.extend({
  secondPrice: price,
  id: Id,
  providerId: z.string(),
  model: z.string().nullable(),
  currency: Currency,
  effectiveFrom: Time,
  /** `published`: as the provider publishes it; `own`: entered here, and wins over it. */
  source: z.enum(['own', 'published']),
  /** Where a published price stands. */
  sourceUrl: z.string().nullable(),
  /** The day on which a published price was read there. */
  readAt: z.iso.date().nullable(),
  createdBy: z.string().nullable(),
  createdAt: Time.nullable(),
})
export type Tariff = z.infer<typeof Tariff>
export const TariffList = z.strictObject({
  currency: Currency,
  items: z.array(Tariff),
  nextCursor: z.null(),
  /** Models called in the last 30 days that have no price. */
  unpriced: z.array(z.strictObject({ pluginId: z.string(), pluginName: z.string(), model: z.string(), calls: count })),
})

const OwnRange = z.strictObject({
  days: z.coerce.number().int().min(1).max(365).default(30),
  /** Both, to choose days oneself; `days` is not looked at then. Both days are included. */
  from: Day.optional(),
  to: Day.optional(),
  /** Where a day begins: minutes east of UTC. */
  offsetMinutes: z.coerce.number().int().min(-840).max(840).multipleOf(15).default(0),
})
const PolicySetting = z.strictObject({
  policy: RecordPolicy,
  /** The environment says it. */
  lockedByEnv: z.boolean(),
})

const UsageQuery = OwnRange.extend({
  accountId: Id.optional(),
  /** Only accounts that are in it now. */
  groupId: Id.optional(),
  providerId: Id.optional(),
  model: z.string().min(1).max(300).optional(),
  capability: Capability.optional(),
  status: CallStatus.optional(),
})
export type UsageQuery = z.infer<typeof UsageQuery>

const ById = z.strictObject({ id: Id })

export const usageRoutes = routes({
  report: {
    method: 'get',
    path: '/api/plugins/usage',
    access: 'admin',
    summary: 'Get calls to providers with reported tokens and costs',
    query: UsageQuery,
    returns: UsageReport,
  },
  export: {
    method: 'get',
    path: '/api/plugins/usage/export',
    access: 'admin',
    summary: 'Export usage as CSV: one row for each day, account, model, capability and status, or one for each call',
    query: UsageQuery.extend({ rows: z.enum(['days', 'calls']).default('days') }),
    returns: 'bytes',
    errors: ['too_large'],
  },
  policy: {
    method: 'get',
    path: '/api/plugins/usage/policy',
    access: 'admin',
    summary: 'Get what is recorded about calls to providers',
    returns: PolicySetting,
  },
  updatePolicy: {
    method: 'put',
    path: '/api/plugins/usage/policy',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set what is recorded about calls from now on. Existing records stay',
    body: z.strictObject({ policy: RecordPolicy }),
    returns: PolicySetting,
    errors: ['setting_locked'],
  },
  mine: {
    method: 'get',
    path: '/api/usage/mine',
    access: 'user',
    summary: 'Get your calls, their costs, and what is left of your budgets',
    query: OwnRange,
    returns: MyUsage,
  },
  myBudgets: {
    method: 'get',
    path: '/api/usage/mine/budgets',
    access: 'user',
    summary: 'List the budgets that your calls count towards, and what is left of them',
    returns: OwnBudgets,
  },
  tariffs: {
    method: 'get',
    path: '/api/costs/tariffs',
    access: 'admin',
    summary: 'List all prices with their history, newest first',
    returns: TariffList,
  },
  addTariff: {
    method: 'post',
    path: '/api/costs/tariffs',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Add a price. If it starts in the past, calls since then are priced again',
    body: TariffInput,
    returns: Tariff,
    errors: ['tariff_limit'],
  },
  removeTariff: {
    method: 'delete',
    path: '/api/costs/tariffs/{id}',
    access: 'admin',
    names: 'instance',
    audit: 'setting.change',
    summary: 'Delete a price that you entered. Calls it applied to are priced again',
    params: ById,
    returns: Nothing,
    errors: ['tariff_not_found'],
  },
  setCurrency: {
    method: 'put',
    path: '/api/costs/currency',
    access: 'admin',
    audit: 'setting.change',
    summary:
      'Set the currency of prices and budgets, while there are none. Published prices apply only in their own currency',
    body: z.strictObject({ currency: Currency }),
    returns: z.strictObject({ currency: Currency }),
    errors: ['currency_in_use'],
  },
  budgets: {
    method: 'get',
    path: '/api/costs/budgets',
    access: 'admin',
    summary: 'List all budgets with the amounts spent',
    returns: z.strictObject({
      currency: Currency,
      items: z.array(Budget),
      /** The ids of budgets that cannot be read: nothing counts on them, and they can be removed. */
      unreadable: z.array(z.string()),
      nextCursor: z.null(),
    }),
  },
  addBudget: {
    method: 'post',
    path: '/api/costs/budgets',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Create a budget. Earlier spending in its period counts as far as it is known',
    body: BudgetInput,
    returns: Budget,
    errors: ['budget_limit'],
  },
  changeBudget: {
    method: 'put',
    path: '/api/costs/budgets/{id}',
    access: 'admin',
    names: 'instance',
    audit: 'setting.change',
    summary: 'Update a budget',
    params: ById,
    body: BudgetInput,
    returns: Budget,
    errors: ['budget_not_found'],
  },
  removeBudget: {
    method: 'delete',
    path: '/api/costs/budgets/{id}',
    access: 'admin',
    names: 'instance',
    audit: 'setting.change',
    summary: 'Delete a budget',
    params: ById,
    returns: Nothing,
    errors: ['budget_not_found'],
  },
})

export const usageArea = area(usageDescription, {
  routes: usageRoutes,
  shapes: {
    AccountUsage,
    Budget,
    BudgetInput,
    CapabilityUsage,
    GroupUsage,
    HeatMap,
    ModelUsage,
    MyUsage,
    OwnBudget,
    OwnBudgets,
    PluginUsage,
    Tariff,
    TariffInput,
    TariffList,
    UsageDay,
    UsageReport,
    UsageSums,
    UsageTotals,
  },
})
