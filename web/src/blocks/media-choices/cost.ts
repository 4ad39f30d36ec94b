/** What will be paid for something before it is made. Pure. */
import type { MediaModel } from '@atrium/contract/media-gallery'
import { type Choice, listedOf, type MakeKind } from './choices.ts'

/**
 * Units as the server counts them, times their price; null where no price is known, or nothing is written to be spoken.
 * A film is one unit, and its seconds may cost as well: null where nobody knows how many. `text`: what is spoken.
 */
export function costOf(
  kind: MakeKind,
  { price, secondPrice }: Pick<MediaModel, 'price' | 'secondPrice'>,
  { text, count, seconds = null }: { readonly text: string; readonly count: number; readonly seconds?: number | null },
): { readonly amount: string; readonly currency: string } | null {
  const units = { image: count, video: 1, speech: Array.from(text).length, sound: 0 }[kind]
  const perSecond = kind === 'video' ? secondPrice : undefined
  const { currency } = price ?? perSecond ?? {}
  if (currency === undefined || units === 0 || (perSecond && seconds === null)) return null
  const amount = Number(price?.amount ?? 0) * units + Number(perSecond?.amount ?? 0) * (seconds ?? 0)
  return { amount: String(amount), currency }
}

/** How long a film will be by what was chosen, else by what its model does by itself; null: nobody says. */
export function secondsOf(choices: readonly Choice[], chosen: Readonly<Record<string, string>>): number | null {
  const usual = choices.find(({ field }) => field === 'durationMs')?.usual
  return Number(listedOf(choices, chosen)['durationMs'] ?? usual) || null
}
