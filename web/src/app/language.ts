/** The language on screen: chosen, or the browser's where we speak it. */
import type { Preferences } from '@atrium/contract/settings-preferences'
import { loadLanguage, setLanguage } from '../lib/texts.ts'
import 'virtual:words/app'

type Choice = Preferences['language']
type Language = Exclude<Choice, 'system'>

/** The language of the page as the script before the first paint found it. */
export const firstLanguage = (): Language => (document.documentElement.lang === 'ar' ? 'ar' : 'en')

/** What a choice means on this machine. */
export const languageOf = (choice: Choice): Language =>
  choice !== 'system' ? choice : /^ar\b/.test(navigator.language) ? 'ar' : 'en'

/** Loads the words of a language, turns the page its way, and shows it. */
export async function showLanguage(language: Language): Promise<void> {
  await loadLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
  setLanguage(language)
}
