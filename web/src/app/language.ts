/** The language on screen: chosen, or the browser's where we speak it. */
import type { Preferences } from '@atrium/contract/settings-preferences'
import { addTexts, hasTexts, setLanguage } from '../lib/texts.ts'
import english from './locales/en.json' with { type: 'json' }

addTexts('app', english)

type Choice = Preferences['language']
type Language = Exclude<Choice, 'system'>

/** The language of the page as the script before the first paint found it. */
export const firstLanguage = (): Language => (document.documentElement.lang === 'ar' ? 'ar' : 'en')

/** What a choice means on this machine. */
export const languageOf = (choice: Choice): Language =>
  choice !== 'system' ? choice : /^ar\b/.test(navigator.language) ? 'ar' : 'en'

/** Loads the words of a language, turns the page its way, and shows it. */
export async function showLanguage(language: Language): Promise<void> {
  if (language === 'ar' && !hasTexts('app', 'ar')) {
    const { arabic } = await import('./arabic.ts')
    for (const [namespace, texts] of Object.entries(arabic)) addTexts(namespace, texts, 'ar')
  }
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
  setLanguage(language)
}
