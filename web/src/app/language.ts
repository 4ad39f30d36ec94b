/** The language on screen: chosen, or the browser's where we speak it. */
import type { Preferences } from '@atrium/contract/settings-preferences'
import { addTexts, i18n } from '../lib/texts.ts'
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
  if (language === 'ar' && !i18n.hasResourceBundle('ar', 'app')) {
    const { arabic } = await import('./arabic.ts')
    for (const [namespace, texts] of Object.entries(arabic)) i18n.addResourceBundle('ar', namespace, texts)
  }
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
  if (i18n.language !== language) await i18n.changeLanguage(language)
}
