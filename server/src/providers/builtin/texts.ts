/** What the built-in provider says around its quotations, by language. */
import { defaultLanguage, languageOf } from '@atrium/contract/languages'
import { excerptsLocales } from './locales/index.ts'

export interface QuotationTexts {
  readonly intro: string
  readonly nothingAttached: string
  readonly nothingMatches: (names: string) => string
  /** Where there is no name to name. */
  readonly nothingFound: string
  readonly found: (count: number) => string
  /** `place`: a page, a slide or a sheet. */
  readonly from: (name: string, section: string | null, place: string | null) => string
  readonly connect: string
  readonly comma: string
}

/** `tag`: a language such as `ar` or `en-GB`. */
export const textsIn = (tag: string): QuotationTexts => {
  const language = languageOf(tag) ?? defaultLanguage
  const words = excerptsLocales[language]
  const forms = new Intl.PluralRules(language)
  return {
    ...words,
    nothingMatches: (names) => fill(words.nothingMatches, { names }),
    found: (count) => fill(words.found[forms.select(count)] ?? words.found.other, { count: String(count) }),
    from: (name, section, place) =>
      [
        fill(words.from, { name }),
        ...(section === null ? [] : [fill(words.section, { section: escapeMarkdown(section) })]),
        ...(place ? [escapeMarkdown(place)] : []),
      ].join(words.comma),
  }
}

/** In one pass, so that what somebody wrote is never read as a name of a value. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** Headings are quoted as plain text: emphasis around them must not break on what they hold. */
const escapeMarkdown = (section: string): string => section.replace(/[\\`*_[\]<>]/g, '\\$&')
