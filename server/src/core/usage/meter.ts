/** What is remembered of every call: admitted before it, counted once after it. */
import type { RecordPolicy } from '@atrium/contract/usage'
import type { Clock } from '../../platform/clock.ts'
import type { AdmitCall, MeteredCall, PlannedCall } from '../../providers/metering.ts'
import { ProviderFailure } from '../../providers/types.ts'
import type { PriceBook, PriceCache } from './price-cache.ts'
import type { BudgetClaim, BudgetHold, Ledger } from './ledger.ts'
import type { UsageRecorder } from './metrics.ts'
import { costOf, costWithoutPrice } from './money.ts'
import { type BudgetTerms, periodAt, subjectOf } from './periods.ts'
import type { UsageEventRow } from './tables.ts'
import type { UsageWriter } from './writer.ts'

/** What `Admit` gives, and the meter hears of again. */
class Admitted {
  readonly call: PlannedCall
  readonly policy: RecordPolicy
  readonly hold: BudgetHold | null
  over = false
  constructor(call: PlannedCall, policy: RecordPolicy, hold: BudgetHold | null) {
    this.call = call
    this.policy = policy
    this.hold = hold
  }
}

/** Set aside for an answer without a limit, where the budget allows it. */
const usualOutput = 1000

export const createMeter = (deps: {
  prices: Pick<PriceCache, 'now' | 'last' | 'load'>
  ledger: Pick<Ledger, 'reserve' | 'settle'>
  writer: Pick<UsageWriter, 'add'>
  clock: Clock
  recorder: UsageRecorder | null
  groupsOf: (accountId: string) => Promise<readonly string[]>
  readPolicy: () => Promise<RecordPolicy>
}) => {
  const { prices, ledger, writer, clock, recorder, groupsOf, readPolicy } = deps

  const admit: AdmitCall = async (call) => {
    const book = prices.now ?? (await prices.load())
    const policy = await readPolicy()
    if (book.budgets.length === 0) return new Admitted(call, policy, null)
    const groups = book.budgets.some((budget) => budget.principalType === 'group') ? await groupsOf(call.accountId) : []
    const claims = claimsOf(book, call, groups, clock.now())
    if (claims.length === 0) return new Admitted(call, policy, null)
    const blocks = claims.some(({ budget }) => budget.mode === 'block')
    if (!blocks) return new Admitted(call, policy, { id: '', claims })
    try {
      return new Admitted(call, policy, await ledger.reserve(claims))
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === 'over_budget') recorder?.refused()
      throw error
    }
  }

  /** Lets a call through that was admitted before, by a process that is gone: it counts, and nothing is refused any more. */
  const readmit: AdmitCall = async (call) => {
    const book = prices.now ?? (await prices.load())
    const groups = book.budgets.some((budget) => budget.principalType === 'group') ? await groupsOf(call.accountId) : []
    return new Admitted(call, await readPolicy(), { id: '', claims: claimsOf(book, call, groups, clock.now()) })
  }

  /** Hears of a call that is over. Calls that nobody was asked about are nobody's. */
  const meter = (metered: MeteredCall): void => {
    const { subject } = metered
    if (!(subject instanceof Admitted) || subject.over) return
    subject.over = true
    recorder?.ended(metered, subject.call)
    const now = clock.now()
    const { providerId, model } = subject.call
    const priced = prices.last?.priceOf(providerId, model, now)
    const { inputTokens, outputTokens, cachedTokens } = metered
    const units = metered.units && (metered.units.output > 0 ? metered.units.output : metered.units.input)
    const cost = priced
      ? costOf(priced.prices, { inputTokens, outputTokens, cachedTokens, units, seconds: metered.units?.seconds })
      : costWithoutPrice(providerId)
    const event = toEvent(clock.id(), now, subject.call, metered)
    if (subject.policy !== 'off') writer.add({ event, cost, listed: subject.policy === 'full' })
    if (subject.hold) ledger.settle(subject.hold, (claim) => used(claim, metered, cost))
  }

  return { admit, readmit, meter }
}

/** Budgets that a call counts on, with what it may use of each. */
export const claimsOf = (book: PriceBook, call: PlannedCall, groups: readonly string[], now: number): BudgetClaim[] => {
  const priced = book.priceOf(call.providerId, call.model, now)
  const { inputTokens, seconds } = call
  const costWith = (outputTokens: number): bigint => {
    const used = { inputTokens, outputTokens, cachedTokens: null, units: call.units ?? 1, seconds }
    return BigInt((priced && costOf(priced.prices, used)) ?? 0)
  }
  const claims: BudgetClaim[] = []
  for (const budget of book.budgets) {
    if (!concerns(budget, call, groups)) continue
    // The operator's own machine costs nothing per call, unless a price is entered for it.
    if (budget.unit === 'money' && !priced && call.providerId === 'local') continue
    const amount = budget.unit === 'money' ? costWith : (output: number) => BigInt(inputTokens + output)
    const least = amount(call.outputTokens ?? 0)
    const period = periodAt(budget.period, now)
    claims.push({
      accountId: call.accountId,
      budget,
      period,
      least,
      wanted: call.outputTokens === null && call.capability === 'chat' ? amount(usualOutput) : least,
      key: { budgetId: budget.id, subject: subjectOf(budget, call.accountId), periodStart: period.start },
    })
  }
  return claims
}

const concerns = (
  { principalType, principalId }: BudgetTerms,
  { accountId, tokenId }: Pick<PlannedCall, 'accountId' | 'tokenId'>,
  groups: readonly string[],
): boolean => {
  if (principalType === 'instance') return true
  if (principalType === 'account') return principalId === null || principalId === accountId
  if (principalType === 'group') return principalId !== null && groups.includes(principalId)
  return principalId !== null && principalId === tokenId
}

/** A call of which the provider reported nothing counts as the least that was expected, unless it failed. */
const used = (claim: BudgetClaim, metered: MeteredCall, cost: number | null): bigint => {
  const { inputTokens, outputTokens, status } = metered
  const reported = inputTokens !== null || outputTokens !== null || metered.units !== null
  if (!reported) return status === 'error' ? 0n : claim.least
  return claim.budget.unit === 'money' ? BigInt(cost ?? 0) : BigInt((inputTokens ?? 0) + (outputTokens ?? 0))
}

const toEvent = (id: string, now: number, call: PlannedCall, metered: MeteredCall): UsageEventRow => ({
  id,
  plugin_id: plain(call.providerId),
  plugin_name: plain(call.providerName),
  capability: call.capability,
  model: plain(call.model),
  status: metered.status,
  prompt_tokens: whole(metered.inputTokens),
  completion_tokens: whole(metered.outputTokens),
  cached_tokens: whole(metered.cachedTokens),
  reasoning_tokens: whole(metered.reasoningTokens),
  unit_kind: metered.units?.kind ?? null,
  input_units: whole(metered.units?.input ?? null),
  output_units: whole(metered.units?.output ?? null),
  duration_ms: whole(metered.durationMs) ?? 0,
  first_token_ms: whole(metered.firstTokenMs),
  created_at: now,
  user_id: call.accountId,
  error_class: metered.errorClass,
  film_seconds: whole(metered.units?.seconds ?? null),
})

/** Providers report what they like; tables take whole numbers. */
const whole = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) ? null : Math.min(Math.max(0, Math.round(value)), 1e12)

/** Text that every database takes. */
const plain = (text: string): string => text.replaceAll('\0', '').slice(0, 300)
