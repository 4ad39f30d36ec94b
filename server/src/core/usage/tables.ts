/**
 * Calls to providers as figures, prices and budgets. No row holds content, an address, a key or what a provider said;
 * so nothing here is sealed. Money is counted in billionths.
 */
import type { Migration } from '../../platform/db/types.ts'

/** One call, with exactly the fields that the specification gives. */
export interface UsageEventRow {
  id: string
  plugin_id: string
  plugin_name: string
  capability: string
  model: string
  status: string
  prompt_tokens: number | null
  completion_tokens: number | null
  cached_tokens: number | null
  reasoning_tokens: number | null
  unit_kind: string | null
  input_units: number | null
  output_units: number | null
  duration_ms: number
  first_token_ms: number | null
  created_at: number
  /** Empty when the account is gone. */
  user_id: string
  /** null where the call did not fail, and of before classes were kept. */
  error_class: string | null
  /** How long the film is that was made; null for everything else, and of before it was kept. */
  film_seconds: number | null
}

/** Sums over the calls of one day, or one quarter of an hour, of one account, or of everybody (an empty id). */
export interface UsageSumRow extends UsageFigures {
  account_id: string
  span: 'day' | 'quarter'
  /** Begin of the span, UTC. */
  start: number
  plugin_id: string
  model: string
  capability: string
  status: string
  plugin_name: string
  unit_kind: string | null
}

/** What is added up. */
export interface UsageFigures {
  calls: number
  metered_calls: number
  prompt_tokens: number
  completion_tokens: number
  cached_tokens: number
  reasoning_tokens: number
  input_units: number
  output_units: number
  duration_ms: number
  first_token_ms: number
  first_token_calls: number
  priced_calls: number
  /** Billionths, of the calls that have a price. */
  cost: number
}

/** How many calls of a span failed with an error of which class. */
export interface UsageFailureRow {
  account_id: string
  span: 'day' | 'quarter'
  start: number
  plugin_id: string
  model: string
  capability: string
  error_class: string
  calls: number
}

/** How many successful calls of a day took how long; see histogram.ts. */
export interface UsageLatencyRow {
  account_id: string
  day: number
  plugin_id: string
  model: string
  capability: string
  measure: 'duration' | 'first-token'
  bucket: number
  calls: number
}

export interface TariffRow {
  id: string
  plugin_id: string
  model: string | null
  /** Decimal numbers; null: no such price. */
  input_per_million: string | null
  cached_per_million: string | null
  output_per_million: string | null
  unit_price: string | null
  /** Of a film. */
  second_price: string | null
  currency: string
  effective_from: number
  created_by: string
  created_at: number
}

export interface BudgetRow {
  id: string
  name: string
  principal_type: string
  principal_id: string | null
  unit: string
  /** A decimal number. */
  amount: string
  period: string
  mode: string
  created_at: number
  updated_at: number
  /** `administrator`, or `owner`: whoever made the token that it is for. */
  set_by: string
}

/** What was spent of a budget in one period: billionths, or tokens. */
export interface BudgetCounterRow {
  budget_id: string
  /** Whose, and of what; see `subjectOf`. */
  subject: string
  period_start: number
  spent: number | string
  reserved: number | string
}

/** What is set aside for a call that is not over. */
export interface BudgetReservationRow {
  id: string
  budget_id: string
  subject: string
  period_start: number
  amount: number | string
  process_id: string
  expires_at: number
}

/** An account is to be told that a budget is nearly or quite used up; gone once it was. */
export interface OwedBudgetNoticeRow {
  account_id: string
  budget_id: string
  subject: string
  period_start: number
  reached: 'warned' | 'exceeded'
}

export interface UsageStateRow {
  name: string
  value: string
}

export interface UsageTables {
  usage_events: UsageEventRow
  usage_sums: UsageSumRow
  usage_latencies: UsageLatencyRow
  usage_failures: UsageFailureRow
  usage_tariffs: TariffRow
  usage_budgets: BudgetRow
  usage_budget_counters: BudgetCounterRow
  usage_budget_reservations: BudgetReservationRow
  usage_owed_budget_notices: OwedBudgetNoticeRow
  usage_state: UsageStateRow
}

/** Stands on no other area: figures stay when an account goes, without its id. */
export const usageMigrations: readonly Migration[] = [
  {
    id: 'usage/0001-usage',
    up: ({ text, int }) => [
      `create table usage_events (
        id ${text} primary key,
        plugin_id ${text} not null,
        plugin_name ${text} not null,
        capability ${text} not null,
        model ${text} not null,
        status ${text} not null,
        prompt_tokens ${int},
        completion_tokens ${int},
        cached_tokens ${int},
        reasoning_tokens ${int},
        unit_kind ${text},
        input_units ${int},
        output_units ${int},
        duration_ms ${int} not null,
        first_token_ms ${int},
        created_at ${int} not null,
        user_id ${text} not null
      )`,
      `create index usage_events_time on usage_events (created_at)`,
      `create index usage_events_user on usage_events (user_id)`,
      `create table usage_sums (
        account_id ${text} not null,
        span ${text} not null,
        start ${int} not null,
        plugin_id ${text} not null,
        model ${text} not null,
        capability ${text} not null,
        status ${text} not null,
        plugin_name ${text} not null,
        unit_kind ${text},
        calls ${int} not null,
        metered_calls ${int} not null,
        prompt_tokens ${int} not null,
        completion_tokens ${int} not null,
        cached_tokens ${int} not null,
        reasoning_tokens ${int} not null,
        input_units ${int} not null,
        output_units ${int} not null,
        duration_ms ${int} not null,
        first_token_ms ${int} not null,
        first_token_calls ${int} not null,
        priced_calls ${int} not null,
        cost ${int} not null,
        primary key (account_id, span, start, plugin_id, model, capability, status)
      )`,
      `create index usage_sums_time on usage_sums (span, start)`,
      `create table usage_latencies (
        account_id ${text} not null,
        day ${int} not null,
        plugin_id ${text} not null,
        model ${text} not null,
        capability ${text} not null,
        measure ${text} not null,
        bucket ${int} not null,
        calls ${int} not null,
        primary key (account_id, day, plugin_id, model, capability, measure, bucket)
      )`,
      `create index usage_latencies_day on usage_latencies (day)`,
      `create table usage_tariffs (
        id ${text} primary key,
        plugin_id ${text} not null,
        model ${text},
        input_per_million ${text},
        cached_per_million ${text},
        output_per_million ${text},
        unit_price ${text},
        currency ${text} not null,
        effective_from ${int} not null,
        created_by ${text} not null,
        created_at ${int} not null
      )`,
      `create table usage_budgets (
        id ${text} primary key,
        name ${text} not null,
        principal_type ${text} not null,
        principal_id ${text},
        unit ${text} not null,
        amount ${text} not null,
        period ${text} not null,
        mode ${text} not null,
        created_at ${int} not null,
        updated_at ${int} not null
      )`,
      `create table usage_budget_counters (
        budget_id ${text} not null,
        subject ${text} not null,
        period_start ${int} not null,
        spent ${int} not null,
        reserved ${int} not null,
        primary key (budget_id, subject, period_start)
      )`,
      `create table usage_budget_reservations (
        id ${text} not null,
        budget_id ${text} not null,
        subject ${text} not null,
        period_start ${int} not null,
        amount ${int} not null,
        process_id ${text} not null,
        expires_at ${int} not null,
        primary key (id, budget_id)
      )`,
      `create index usage_budget_reservations_process on usage_budget_reservations (process_id, expires_at)`,
      `create table usage_state (
        name ${text} primary key,
        value ${text} not null
      )`,
    ],
  },
  {
    id: 'usage/0002-owners',
    up: ({ text }) => [`alter table usage_budgets add column set_by ${text} not null default 'administrator'`],
  },
  {
    // Figures of before there was a bound to what a provider may report. SQLite took them as floating numbers, which no
    // report and no budget can read; nothing that a whole number of 64 bits holds is as large.
    id: 'usage/0003-absurd-figures',
    up: () => {
      const absurd = 9_200_000_000_000_000_000n
      const columns = [
        ...['prompt_tokens', 'completion_tokens', 'cached_tokens', 'reasoning_tokens'],
        ...['input_units', 'output_units'],
      ]
      return [
        ...columns.map((column) => `update usage_events set ${column} = null where ${column} > ${absurd}`),
        ...columns.map((column) => `update usage_sums set ${column} = 0 where ${column} > ${absurd}`),
        `update usage_sums set cost = 0, priced_calls = 0 where cost > ${absurd}`,
        `update usage_budget_counters set spent = 0 where spent > ${absurd}`,
        `update usage_budget_counters set reserved = 0 where reserved > ${absurd}`,
        `delete from usage_budget_reservations where amount > ${absurd}`,
      ]
    },
  },
  {
    id: 'usage/0004-error-classes',
    up: ({ text, int }) => [
      `alter table usage_events add column error_class ${text}`,
      `create table usage_failures (
        account_id ${text} not null,
        span ${text} not null,
        start ${int} not null,
        plugin_id ${text} not null,
        model ${text} not null,
        capability ${text} not null,
        error_class ${text} not null,
        calls ${int} not null,
        primary key (account_id, span, start, plugin_id, model, capability, error_class)
      )`,
      `create index usage_failures_time on usage_failures (span, start)`,
    ],
  },
  {
    // Calls of the local runtime cost nothing unless a price is entered for it.
    id: 'usage/0005-own-models-are-free',
    up: () => [`update usage_sums set priced_calls = calls where plugin_id = 'local' and priced_calls < calls`],
  },
  {
    id: 'usage/0006-seconds-of-films',
    up: ({ text, int }) => [
      `alter table usage_events add column film_seconds ${int}`,
      `alter table usage_tariffs add column second_price ${text}`,
    ],
  },
  {
    id: 'usage/0007-owed-budget-notices',
    up: ({ text, int }) => [
      `create table usage_owed_budget_notices (
        account_id ${text} not null,
        budget_id ${text} not null,
        subject ${text} not null,
        period_start ${int} not null,
        reached ${text} not null,
        primary key (account_id, budget_id, subject, period_start, reached)
      )`,
    ],
  },
]
