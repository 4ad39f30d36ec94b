/** Prices: the administrators' own and the published ones, and pricing calls again when a price begins in the past. */
import type { Tariff, TariffInput } from '@atrium/contract/usage'
import type { Clock } from '../../platform/clock.ts'
import { fail } from '../../platform/http/refusal.ts'
import { emptySum, sumKeyOf } from './batch.ts'
import type { PriceBook, PriceCache } from './price-cache.ts'
import { dayMs } from './days.ts'
import { costOf, costWithoutPrice, toBillionths, toDecimal } from './money.ts'
import type { PublishedTariff } from './published-prices.ts'
import type { EventStore } from './stores/events.ts'
import type { ReportStore } from './stores/report.ts'
import type { OwnTariff, TermsStore } from './stores/terms.ts'
import type { UsageEventRow, UsageSumRow } from './tables.ts'

const most = 500
const pageSize = 5000

export const createTariffs = (deps: {
  prices: Pick<PriceCache, 'load' | 'reload'>
  terms: TermsStore
  events: Pick<EventStore, 'calls' | 'reprice'>
  reports: Pick<ReportStore, 'unpriced'>
  clock: Clock
  flush: () => Promise<void>
}) => {
  const { prices, terms, events, reports, clock, flush } = deps

  /** Adds to every sum by how much its calls cost more, or less, than before. */
  const priceAgain = async (
    before: PriceBook,
    after: PriceBook,
    { since, until, pluginId }: { since: number; until: number; pluginId?: string },
  ): Promise<void> => {
    if (since >= until) return
    await flush()
    let place: { time: number; id: string } | undefined
    for (;;) {
      const calls = await events.calls({ since, until, pluginId, after: place, limit: pageSize })
      const changes = new Map<string, UsageSumRow>()
      for (const call of calls) {
        const [old, now] = [before, after].map((book) => costIn(book, call))
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
      const before = await prices.load()
      const price = (decimal: string | null) => (decimal === null ? null : toDecimal(toBillionths(decimal)))
      const tariff: OwnTariff = {
        id: clock.id(),
        providerId: input.providerId,
        model: input.model,
        inputPerMillion: price(input.inputPerMillion),
        cachedPerMillion: price(input.cachedPerMillion),
        outputPerMillion: price(input.outputPerMillion),
        unitPrice: price(input.unitPrice),
        secondPrice: price(input.secondPrice ?? null),
        currency: before.currency,
        effectiveFrom: Date.parse(input.effectiveFrom),
        createdBy: accountId,
        createdAt: clock.now(),
      }
      if (!(await terms.addTariff(tariff, most))) throw fail('tariff_limit')
      const stretch = { since: tariff.effectiveFrom, until: tariff.createdAt + 1, pluginId: tariff.providerId }
      await priceAgain(before, await prices.reload(), stretch)
      return toTariff(tariff)
    },

    /** Refuses with `tariff_not_found`, also for a published one. */
    async remove(id: string): Promise<void> {
      const before = await prices.load()
      const gone = await terms.removeTariff(id)
      if (!gone) throw fail('tariff_not_found')
      const stretch = { since: gone.effectiveFrom, until: clock.now() + 1, pluginId: gone.providerId }
      await priceAgain(before, await prices.reload(), stretch)
    },

    async setCurrency(currency: string) {
      const before = await prices.load()
      if (before.currency === currency) return { currency }
      const until = clock.now() + 1
      if (!(await terms.setCurrency(currency))) throw fail('currency_in_use')
      await priceAgain(before, await prices.reload(), { since: 0, until })
      return { currency }
    },
  }
}

/** Billionths that a call cost by a book; null: it has no price in it. */
export const costIn = (book: PriceBook, call: UsageEventRow): number | null => {
  const priced = book.priceOf(call.plugin_id, call.model, call.created_at)
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
