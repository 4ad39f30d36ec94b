/** What the built-in provider says, by language. A language without a file does not compile. */
import type { Language } from '@atrium/contract/languages'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }

/** `{name}` stands for a value. */
export interface ExcerptsWords {
  readonly intro: string
  readonly nothingAttached: string
  readonly nothingMatches: string
  readonly nothingFound: string
  /** By form of plural, as `Intl.PluralRules` names it. */
  readonly found: Readonly<Record<'other', string> & Partial<Record<Intl.LDMLPluralRule, string>>>
  readonly from: string
  readonly section: string
  readonly connect: string
  readonly comma: string
}

export const excerptsLocales: Readonly<Record<Language, ExcerptsWords>> = { ar, en }
