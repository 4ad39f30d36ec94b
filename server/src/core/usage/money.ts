/** Money without floating numbers: whole billionths inside, decimal words outside. */

const places = 9
const one = 10n ** BigInt(places)

/** `12.5` → 12 500 000 000 billionths. The words are of the form that the contract checks. */
export const toBillionths = (decimal: string): bigint => {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole) * one + BigInt(fraction.padEnd(places, '0'))
}

/** Billionths as a decimal number without needless zeros. */
export const toDecimal = (billionths: bigint): string => {
  const fraction = (billionths % one).toString().padStart(places, '0').replace(/0+$/, '')
  return `${billionths / one}${fraction === '' ? '' : `.${fraction}`}`
}

/** Prices of tokens are for a million, in billionths; null where there is none. */
export interface UnitPrices {
  readonly input: bigint | null
  readonly cached: bigint | null
  readonly output: bigint | null
  readonly unit: bigint | null
  /** Of a film; absent: null. */
  readonly second?: bigint | null | undefined
}

/** What a call used, as far as it is known. */
export interface UsedUnits {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Of the input. */
  readonly cachedTokens: number | null
  /** Things that are counted one by one; null where nothing but tokens is. */
  readonly units: number | null
  /** How long a film is; absent: nobody knows, or it is none. */
  readonly seconds?: number | null | undefined
}

/** What one call may cost, in billionths: more than nine million is a slip of the decimal, and no sum could hold it. */
const mostCost = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Billionths that a call costs where no price holds: nothing on the operator's own machine, else nobody knows (null).
 * `providerId`: the connection, or `local` for the local runtime.
 */
export const costWithoutPrice = (providerId: string): number | null => (providerId === 'local' ? 0 : null)

/**
 * Billionths, rounded to the nearest at the end; null when anything that was used has no price, nothing is known, or the
 * cost is absurd.
 */
export const costOf = (prices: UnitPrices, used: UsedUnits): number | null => {
  let perMillion = 0n
  let known = false
  const count = (tokens: number, price: bigint | null): boolean => {
    if (price !== null) perMillion += BigInt(tokens) * price
    return tokens === 0 || price !== null
  }
  if (prices.unit !== null && used.units !== null) {
    perMillion += prices.unit * BigInt(Math.round(used.units)) * 1_000_000n
    known = true
  }
  if (prices.second != null && used.seconds != null) {
    perMillion += prices.second * BigInt(Math.round(used.seconds)) * 1_000_000n
    known = true
  }
  const tokensPriced = prices.input !== null || prices.output !== null
  if (tokensPriced && (used.inputTokens !== null || used.outputTokens !== null)) {
    const input = used.inputTokens ?? 0
    const cached = Math.min(used.cachedTokens ?? 0, input)
    const all = [
      count(input - cached, prices.input),
      count(cached, prices.cached ?? prices.input),
      count(used.outputTokens ?? 0, prices.output),
    ]
    if (all.includes(false)) return null
    known = true
  }
  const cost = (perMillion + 500_000n) / 1_000_000n
  return known && cost <= mostCost ? Number(cost) : null
}
