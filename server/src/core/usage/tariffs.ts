/** Prices: the administrators' own and the published ones, and pricing calls again when a price begins in the past. */
import type { Tariff, TariffInput } from '@atrium/contract/usage'
import type { Clock } from '../../platform/clock.ts'
import { fail } from '../../platform/http/refusal.ts'
import { emptySum, sumKeyOf } from './batch.ts'
import { buildPriceList, type PriceCache, type PriceList } from './price-cache.ts'
import { dayMs } from './days.ts'
import { costOf, costWithoutPrice, toBillionths, toDecimal } from './money.ts'
import type { PublishedTariff } from './published-prices.ts'
import type { EventStore } from './stores/events.ts'
import type { ReportStore } from './stores/report.ts'
import type { OwnTariff, PriceChange, TermsStore } from './stores/terms.ts'
import type { UsageEventRow, UsageSumRow } from './tables.ts'

const most = 500
const pageSize = 5000

/** Which calls are priced again: from one time to before another, of one provider or of all. */
interface Stretch {
  readonly since: number
  readonly until: number
  readonly pluginId?: string
}

export const createTariffs = (deps: {
  prices: Pick<PriceCache, 'load' | 'reload'>
  terms: TermsStore
  events: Pick<EventStore, 'calls' | 'reprice'>
  reports: Pick<ReportStore, 'unpriced'>
  clock: Clock
  flush: () => Promise<void>
}) => {
  const { prices, terms, events, reports, clock, flush } = deps

  /**
   * Adds to every sum by how much its calls cost more, or less, for this change alone: others that are made at the same
   * time, here or in another process, each add their own.
   */
  const priceAgain = async (change: PriceChange, { since, until, pluginId }: Stretch): Promise<void> => {
    if (since >= until) return
    await flush()
    const [before, after] = [buildPriceList(change.before), buildPriceList(change.after)]
    let place: { time: number; id: string } | undefined
    for (;;) {
      const calls = await events.calls({ since, until, pluginId, after: place, limit: pageSize })
      const changes = new Map<string, UsageSumRow>()
      for (const call of calls) {
        const [old, now] = [before, after].map((list) => costIn(list, call))
        if (old === now) continue
        for (const accountId of call.user_id === '' ? [''] : ['', call.user_id])
          for (const span of ['day', 'quarter'] as const) {
            const key = sumKeyOf(call, accountId, span)
            const change = changes.get(key) ?? emptySum(call, accountId, span)
            changes.set(key, change)
            change.cost += (now ?? 0) - (old ?? 0)
            change.priced_calls += (now == null ? 0 : 1) - (old == null ? 0 : 1)
          }
      }
      await events.reprice([...changes.values()])
      const last = calls.at(-1)
      if (!last || calls.length < pageSize) return
      place = { time: last.created_at, id: last.id }
    }
  }

  /** Has a change that is saved hold in all processes, and for the calls of before. */
  const apply = async (change: PriceChange, stretch: Stretch): Promise<void> => {
    try {
      await prices.reload()
    } finally {
      await priceAgain(change, stretch)
    }
  }

  return {
    async list() {
      const book = await prices.load()
      const unpriced = await reports.unpriced(Math.floor(clock.now() / dayMs - 30) * dayMs)
      return {
        currency: book.currency,
        items: [...book.tariffs, ...book.published].map(toTariff),
        nextCursor: null,
        unpriced: unpriced.map((row) => ({
          pluginId: row.plugin_id,
          pluginName: row.plugin_name,
          model: row.model,
          calls: row.calls,
        })),
      }
    },

    async add(accountId: string, input: TariffInput): Promise<Tariff> {
      const price = (decimal: string | null) => (decimal === null ? null : toDecimal(toBillionths(decimal)))
      const given = {
        id: clock.id(),
        providerId: input.providerId,
        model: input.model,
        inputPerMillion: price(input.inputPerMillion),
        cachedPerMillion: price(input.cachedPerMillion),
        outputPerMillion: price(input.outputPerMillion),
        unitPrice: price(input.unitPrice),
        secondPrice: price(input.secondPrice ?? null),
        effectiveFrom: Date.parse(input.effectiveFrom),
        createdBy: accountId,
        createdAt: clock.now(),
      }
      const change = await terms.addTariff(given, most)
      if (!change) throw fail('tariff_limit')
      const { tariff } = change
      const stretch = { since: tariff.effectiveFrom, until: tariff.createdAt + 1, pluginId: tariff.providerId }
      await apply(change, stretch)
      return toTariff(tariff)
    },

    /** Refuses with `tariff_not_found`, also for a published one. */
    async remove(id: string): Promise<void> {
      const change = await terms.removeTariff(id)
      if (!change) throw fail('tariff_not_found')
      const { effectiveFrom, providerId } = change.tariff
      const stretch = { since: effectiveFrom, until: clock.now() + 1, pluginId: providerId }
      await apply(change, stretch)
    },

    async setCurrency(currency: string) {
      const until = clock.now() + 1
      const change = await terms.setCurrency(currency)
      if (!change) throw fail('currency_in_use')
      if (change.before.currency === currency) return { currency }
      await apply(change, { since: 0, until })
      return { currency }
    },
  }
}

/** Billionths that a call cost by a list; null: it has no price in it. */
export const costIn = (list: Pick<PriceList, 'priceOf'>, call: UsageEventRow): number | null => {
  const priced = list.priceOf(call.plugin_id, call.model, call.created_at)
  const output = call.output_units ?? 0
  return priced
    ? costOf(priced.prices, {
        inputTokens: call.prompt_tokens,
        outputTokens: call.completion_tokens,
        cachedTokens: call.cached_tokens,
        units: call.unit_kind === null ? null : output > 0 ? output : (call.input_units ?? 0),
        seconds: call.film_seconds,
      })
    : costWithoutPrice(call.plugin_id)
}

const toTariff = (tariff: OwnTariff | PublishedTariff): Tariff => ({
  id: tariff.id,
  providerId: tariff.providerId,
  model: tariff.model,
  inputPerMillion: tariff.inputPerMillion,
  cachedPerMillion: tariff.cachedPerMillion,
  outputPerMillion: tariff.outputPerMillion,
  unitPrice: tariff.unitPrice,
  secondPrice: tariff.secondPrice,
  currency: tariff.currency,
  effectiveFrom: new Date(tariff.effectiveFrom).toISOString(),
  source: 'sourceUrl' in tariff ? 'published' : 'own',
  sourceUrl: 'sourceUrl' in tariff ? tariff.sourceUrl : null,
  readAt: 'readAt' in tariff ? tariff.readAt : null,
  createdBy: 'createdBy' in tariff ? tariff.createdBy : null,
  createdAt: 'createdAt' in tariff ? new Date(tariff.createdAt).toISOString() : null,
})
