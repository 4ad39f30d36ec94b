/** What a report of usage says: figures alone, and the setting of what is recorded. */
import { z } from 'zod'
import { Currency, Id, Money, Time } from '../common.ts'
import { Capability } from '../connections/index.ts'

/** A day of a calendar, `2026-11-20`. */
export const Day = z.iso.date()
export const CallStatus = z.enum(['success', 'error', 'cancelled'])
export const UnitKind = z.enum(['characters', 'images', 'inputs', 'jobs', 'seconds', 'bytes'])
/**
 * Why a call failed: the key was not taken; too many requests or too much load; no answer in time; not reachable, or a
 * redirect; a request that the provider does not take; an error of the provider's own; more than the context holds; an
 * answer that cannot be read; a mistake of Atrium. `unknown`: counted before classes were.
 */
export const ErrorClass = z.enum([
  'auth',
  'rate',
  'timeout',
  'network',
  'request',
  'upstream',
  'context',
  'answer',
  'internal',
  'unknown',
])
export type ErrorClass = z.infer<typeof ErrorClass>
/**
 * What is recorded of calls: nothing; sums of quarters of an hour and days by account, model and kind; or a line for each
 * call, too. Budgets are counted whatever it is.
 */
export const RecordPolicy = z.enum(['off', 'sums', 'full'])
export type RecordPolicy = z.infer<typeof RecordPolicy>

const count = z.number().int()
const Timing = z.strictObject({ mean: z.number(), p50: z.number(), p95: z.number() })

/** Sums over some calls. Tokens cover only calls whose provider reported them (`meteredCalls`). */
export const UsageSums = z.strictObject({
  calls: count,
  errors: count,
  cancelled: count,
  meteredCalls: count,
  promptTokens: count,
  completionTokens: count,
  /** Of the prompt tokens, those that the provider had kept; of the completion tokens, those it thought with. */
  cachedTokens: count,
  reasoningTokens: count,
  /** Prompt and completion together. */
  tokens: count,
  /** null: none of these calls has a price. */
  cost: Money.nullable(),
  /** Calls that did not fail and have no price, or no token counts to price. They are in no sum of money. */
  unpricedCalls: count,
  /** Of calls that succeeded, in milliseconds; null when there are none. */
  averageLatencyMs: z.number().nullable(),
  averageFirstTokenMs: z.number().nullable(),
})
export type UsageSums = z.infer<typeof UsageSums>

const Range = z.strictObject({ from: Day, to: Day, days: count, offsetMinutes: count })

export const UsageTotals = UsageSums.extend({
  successfulCalls: count,
  /** Of all calls, 0 to 1; null without any. */
  successRate: z.number().nullable(),
  failedCalls: count,
  cancelledCalls: count,
  reportedTokens: count,
  uniqueUsers: count,
  /** Milliseconds, of calls that succeeded, from the call to its end and to its first piece. Percentiles are read from a histogram. */
  latency: Timing.nullable(),
  firstToken: Timing.nullable(),
})
export const UsageDay = z.strictObject({
  day: Day,
  calls: count,
  errors: count,
  tokens: count,
  cost: Money.nullable(),
})
export const UsageHour = UsageDay.omit({ day: true }).extend({ startedAt: Time })
export const PluginUsage = UsageSums.extend({
  pluginId: z.string(),
  pluginName: z.string(),
  /** Of all calls of the report, 0 to 1. */
  share: z.number(),
})
export const ModelUsage = PluginUsage.extend({
  model: z.string(),
  latency: Timing.nullable(),
  firstToken: Timing.nullable(),
})
export const CapabilityUsage = UsageSums.extend({
  capability: Capability,
  unitKind: UnitKind.nullable(),
  inputUnits: z.number(),
  outputUnits: z.number(),
})
/** A year of days, with the calls of the busiest models of each day. Only days with calls are listed. */
export const HeatMap = z.strictObject({
  from: Day,
  days: z.literal(365),
  models: z.array(z.strictObject({ pluginId: z.string(), pluginName: z.string(), model: z.string() })).max(5),
  cells: z.array(z.strictObject({ day: Day, calls: count, models: z.array(count).max(5) })),
})

export const UsageFigures = z.strictObject({
  range: Range,
  currency: Currency,
  totals: UsageTotals,
  /** One for each day of the range, those without calls included. */
  series: z.array(UsageDay),
  /** One for each hour of a range of one or two days; none for longer ones. */
  hours: z.array(UsageHour).max(48),
  plugins: z.array(PluginUsage),
  models: z.array(ModelUsage),
  capabilities: z.array(CapabilityUsage),
  /** Why calls failed, the most frequent first. */
  failures: z.array(z.strictObject({ errorClass: ErrorClass, calls: count })),
  heatmap: HeatMap,
})
export const AccountUsage = UsageSums.extend({ accountId: Id, username: z.string().nullable() })
/** Calls of those who are in a group now. An account in two groups counts in both. */
export const GroupUsage = UsageSums.extend({ groupId: Id, name: z.string() })
export const UsageReport = UsageFigures.extend({
  accounts: z.array(AccountUsage),
  groups: z.array(GroupUsage),
  policy: RecordPolicy,
})
export type UsageReport = z.infer<typeof UsageReport>
