/** What will be paid for something before it is made. Pure. */
import type { MediaModel } from '@atrium/contract/media-gallery'
import type { MakeKind } from './choices.ts'

/**
 * Units as the server counts them, times their price; null where no price is known, or nothing is written to be spoken.
 * A film is one unit, however long. `text`: what is spoken.
 */
export function costOf(
  kind: MakeKind,
  { price }: Pick<MediaModel, 'price'>,
  { text, count }: { readonly text: string; readonly count: number },
): { readonly amount: string; readonly currency: string } | null {
  const units = { image: count, video: 1, speech: Array.from(text).length, sound: 0 }[kind]
  if (!price || units === 0) return null
  return { amount: String(Number(price.amount) * units), currency: price.currency }
}
