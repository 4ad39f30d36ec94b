/** Cache of prices, budgets and the currency: read once, and again when any process changed them. */
import type { Database } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import { type UnitPrices, toBillionths } from './money.ts'
import type { BudgetTerms } from './periods.ts'
import { publishedTariffs, type PublishedTariff } from './published-prices.ts'
import type { OwnTariff, PriceTerms, TermsStore } from './stores/terms.ts'

/** A price that holds at some moment. */
export interface ModelPrice {
  readonly tariff: OwnTariff | PublishedTariff
  readonly prices: UnitPrices
}

export interface PriceList {
  readonly currency: string
  readonly tariffs: readonly OwnTariff[]
  readonly published: readonly PublishedTariff[]
  /** The exact model first, in one's own prices and then in published ones; then the whole provider. */
  priceOf(providerId: string, model: string, at: number): ModelPrice | null
}

export interface PriceBook extends PriceList {
  readonly budgets: readonly BudgetTerms[]
  /** The ids of budgets that cannot be read. */
  readonly unreadable: readonly string[]
}

const channel = 'usage-terms-changed'

export type PriceCache = ReturnType<typeof createPriceCache>

export const createPriceCache = ({ database, store, log }: { database: Database; store: TermsStore; log: Log }) => {
  let kept: PriceBook | null = null
  let loading: Promise<PriceBook> | null = null
  let stale = true
  /** The last reading failed: what is kept is older than what it was for, also while the next one is on its way. */
  let failed = false

  const load = (): Promise<PriceBook> => {
    if (kept && !stale && !failed) return Promise.resolve(kept)
    loading ??= (async () => {
      stale = false
      const { budgets, unreadable, ...terms } = await store.all()
      kept = Object.assign(buildPriceList(terms), { budgets, unreadable })
      failed = false
      return kept
    })()
      .catch((error: unknown) => {
        stale = true
        failed = true
        throw error
      })
      .finally(() => {
        loading = null
      })
    return loading
  }
  const refresh = (): void => {
    stale = true
    const again = loading ? loading.then(load, load) : load()
    // What was known before holds until the database answers again.
    again.catch((error: unknown) => {
      log.warn('prices and budgets could not be read again', { error })
    })
  }
  const stopListening = database.listen(channel, refresh, refresh)

  return {
    /** Whatever is known now, without waiting; null before the first reading. */
    get now(): PriceBook | null {
      return stale || failed ? null : kept
    },
    /** The last one known, for what cannot wait. */
    get last(): PriceBook | null {
      return kept
    },
    load,
    /** Has every process read again; this one has when it resolves. */
    async reload(): Promise<PriceBook> {
      stale = true
      if (loading) await loading.catch(() => undefined)
      stale = true
      try {
        return await load()
      } finally {
        // The change is written, whether or not this process could read it.
        await database.notify(channel, '')
      }
    },
    close: stopListening,
  }
}

export const buildPriceList = ({ currency, tariffs }: PriceTerms): PriceList => {
  const usable = publishedTariffs.filter((tariff) => tariff.currency === currency)
  const own = byTarget(tariffs.filter((tariff) => tariff.currency === currency))
  const known = byTarget(usable)
  const find = (providerId: string, model: string | null, at: number): ModelPrice | null => {
    const target = targetOf(providerId, model)
    for (const list of [own.get(target), known.get(target)]) {
      const found = list?.find(({ tariff }) => tariff.effectiveFrom <= at)
      if (found) return found
    }
    return null
  }
  return {
    currency,
    tariffs,
    published: usable,
    priceOf(providerId, model, at) {
      const exact = find(providerId, model, at)
      if (exact) return exact
      const family = familyOf(model)
      return (family === null ? null : find(providerId, family, at)) ?? find(providerId, null, at)
    },
  }
}

/** A dated edition costs what its model costs: `gpt-5.4-2026-03-05`, `claude-haiku-4-5-20251001`. */
const familyOf = (model: string): string | null => /^(.+?)-(?:\d{4}-\d{2}-\d{2}|\d{8})$/.exec(model)?.[1] ?? null

const targetOf = (providerId: string, model: string | null): string => `${providerId}\0${model ?? ''}`

const byTarget = (tariffs: readonly (OwnTariff | PublishedTariff)[]): Map<string, ModelPrice[]> => {
  const found = new Map<string, ModelPrice[]>()
  for (const tariff of tariffs) {
    const target = targetOf(tariff.providerId, tariff.model)
    found.set(target, [...(found.get(target) ?? []), { tariff, prices: pricesOf(tariff) }])
  }
  for (const list of found.values()) list.sort((a, b) => b.tariff.effectiveFrom - a.tariff.effectiveFrom)
  return found
}

const pricesOf = (tariff: OwnTariff | PublishedTariff): UnitPrices => {
  const price = (decimal: string | null) => (decimal === null ? null : toBillionths(decimal))
  return {
    input: price(tariff.inputPerMillion),
    cached: price(tariff.cachedPerMillion),
    output: price(tariff.outputPerMillion),
    unit: price(tariff.unitPrice),
    second: price(tariff.secondPrice),
  }
}
