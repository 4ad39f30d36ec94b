/** The language on screen: chosen, or the browser's where we speak it. */
import { defaultLanguage, directionOf, type Language, languageOf, preferredLanguage } from '@atrium/contract/languages'
import type { Preferences } from '@atrium/contract/settings'
import { loadLanguage, setLanguage } from '../lib/texts.ts'
import 'virtual:words/app'

/** The language of the page as the script before the first paint found it. */
export const firstLanguage = (): Language => languageOf(document.documentElement.lang) ?? defaultLanguage

/** What a choice means on this machine. */
export const chosenLanguage = (choice: Preferences['language']): Language =>
  choice === 'system' ? preferredLanguage([navigator.language]) : choice

/** Loads the words of a language, turns the page its way, and shows it. */
export async function showLanguage(language: Language): Promise<void> {
  await loadLanguage(language)
  document.documentElement.lang = language
  const direction = directionOf(language)
  document.documentElement.dir = direction
  setLanguage(language, direction)
}
