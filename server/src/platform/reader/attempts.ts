/**
 * In which ways a picture is read until it reads well. By itself the engine finds little on a page that leans, is noisy or
 * lies upside down, and it knows how sure it is.
 */
import type { Reading } from './engine.ts'
import { smoothGrey, turnGrey, turnQuarters, type GreyPicture } from './grey.ts'
import type { PrintLanguage } from './languages.ts'
import { findSkew } from './skew.ts'

/** So sure it is of clean print. */
const good = 0.85
/** So sure it is of print in the other language, and of a page that lies on its side. */
const poor = 0.5
/** Between the two it may be the language. */
const doubtful = 0.7

export interface Attempt extends Reading {
  readonly language: PrintLanguage
  /** Quarters of a turn with the clock, by which the picture was turned to be read. */
  readonly quarters: 0 | 1 | 2 | 3
}

export interface AttemptParts {
  readonly recognise: (grey: GreyPicture, language: PrintLanguage) => Promise<Reading>
  /** Whether there is time for another try. */
  readonly hasTime: () => boolean
}

/** The surest reading of a picture; `languages` in the order in which they are tried. */
export const readWell = async (
  picture: GreyPicture,
  languages: readonly PrintLanguage[],
  { recognise, hasTime }: AttemptParts,
): Promise<Attempt> => {
  const { degrees, paper } = findSkew(picture)
  const straight = degrees === 0 ? picture : turnGrey(picture, -degrees, paper)
  const views = new Map<number, GreyPicture>([[0, straight]])
  let best: Attempt = { text: '', confidence: 0, letters: 0, language: languages[0] ?? 'en', quarters: 0 }
  const attempt = async (view: GreyPicture, language: PrintLanguage, quarters: Attempt['quarters']): Promise<void> => {
    const reading = await recognise(view, language)
    if (reading.confidence > best.confidence) best = { ...reading, language, quarters }
  }
  for (const quarters of [0, 2, 1, 3] as const)
    for (const language of languages) {
      const first = quarters === 0 && language === languages[0]
      const enough = quarters === 0 ? doubtful : poor
      if (!first && (best.confidence >= enough || !hasTime())) continue
      const view = views.get(quarters) ?? turnQuarters(straight, quarters as 1 | 2 | 3)
      views.set(quarters, view)
      await attempt(view, language, quarters)
    }
  const view = views.get(best.quarters) ?? straight
  if (best.letters > 0 && best.confidence < good && hasTime())
    await attempt(smoothGrey(view), best.language, best.quarters)
  return best
}
