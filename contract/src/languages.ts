/**
 * The languages of the product, each once. A new one is a line here, and a file of words beside every `en.json`. The
 * forms of plurals follow from the code, by `Intl.PluralRules`.
 */
export const languages = [
  { code: 'en', label: 'English', direction: 'ltr' },
  { code: 'ar', label: 'العربية', direction: 'rtl' },
] as const

export type Language = (typeof languages)[number]['code']

export const languageCodes = languages.map(({ code }) => code)

/** What is shown to whoever prefers none of them. */
export const defaultLanguage: Language = 'en'

/** The language that a tag such as `ar-EG` (RFC 5646) belongs to; null where it is none of these. */
export const languageOf = (tag: string): Language | null => {
  const [primary] = tag.toLowerCase().split('-')
  return languageCodes.find((code) => code === primary) ?? null
}

/** The first of some tags that belongs to a language, in the order of preference. */
export const preferredLanguage = (tags: readonly string[]): Language =>
  tags.map(languageOf).find((language) => language !== null) ?? defaultLanguage

export const directionOf = (language: Language): 'ltr' | 'rtl' =>
  languages.find(({ code }) => code === language)?.direction ?? 'ltr'
