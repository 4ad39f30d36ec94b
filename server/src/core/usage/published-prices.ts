/** Prices as providers publish them, from prices.json; the administrators' own win over them. */
import { Money } from '@atrium/contract/common'
import { z } from 'zod'
import document from './prices.json' with { type: 'json' }

export interface PublishedTariff {
  readonly id: string
  readonly providerId: string
  readonly model: string
  readonly inputPerMillion: string | null
  readonly cachedPerMillion: string | null
  readonly outputPerMillion: string | null
  readonly unitPrice: string | null
  readonly secondPrice: string | null
  readonly currency: string
  readonly effectiveFrom: number
  readonly sourceUrl: string
  /** The day on which the source was read. */
  readonly readAt: string
}

const price = Money.optional()
const Document = z.strictObject({
  currency: z.string(),
  providers: z.array(
    z.strictObject({
      provider: z.string(),
      source: z.url(),
      /** When the source was read; the prices hold from then on, and for calls before it too. */
      read: z.iso.date(),
      note: z.string().optional(),
      models: z.record(
        z.string(),
        z.strictObject({ input: price, cached: price, output: price, unit: price, second: price }),
      ),
    }),
  ),
})

export const publishedTariffs: readonly PublishedTariff[] = Document.parse(document).providers.flatMap(
  ({ provider, source, read, models }) =>
    Object.entries(models).map(([model, prices]) => ({
      id: `published:${provider}/${model}`,
      providerId: provider,
      model,
      inputPerMillion: prices.input ?? null,
      cachedPerMillion: prices.cached ?? null,
      outputPerMillion: prices.output ?? null,
      unitPrice: prices.unit ?? null,
      secondPrice: prices.second ?? null,
      currency: Document.parse(document).currency,
      effectiveFrom: 0,
      sourceUrl: source,
      readAt: read,
    })),
)
