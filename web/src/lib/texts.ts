/**
 * Words on screen. One namespace for each feature folder, English always at hand (a feature adds its own with
 * `addTexts` in the module that first needs them); other languages are loaded by the app before they are shown.
 */
import { createInstance } from 'i18next'
import { useMemo, useSyncExternalStore } from 'react'

export const i18n = createInstance()
void i18n.init({
  lng: 'en',
  fallbackLng: 'en',
  defaultNS: 'app',
  resources: {},
  interpolation: { escapeValue: false },
  returnNull: false,
})

let version = 0
const watchers = new Set<() => void>()
function changed() {
  version++
  for (const watcher of watchers) watcher()
}
i18n.on('languageChanged', changed)
i18n.store.on('added', changed)

/** Adds the English words of a namespace. Call it at module level. */
export function addTexts(namespace: string, english: object): void {
  i18n.addResourceBundle('en', namespace, english)
}

/** Gives the words of a key; `count` chooses the plural form of the language. */
export type Translate = (key: string, values?: Record<string, unknown>) => string

/** The translate function of a namespace: `const t = useText('chat')`, then `t('send')` or `t('app:close')`. */
export function useText(namespace: string): Translate {
  const seen = useSyncExternalStore(watch, () => version)
  // `seen` stands for the language and the loaded words.
  return useMemo(() => {
    const translate = i18n.getFixedT(null, namespace)
    return (key, values) => translate(key, values ?? {})
  }, [namespace, seen])
}

/** The language on screen, such as `en` or `ar`. */
export function useLanguage(): string {
  useSyncExternalStore(watch, () => version)
  return i18n.language
}

/** The same outside of components, read at the moment of the call. */
export const text = (key: string, values?: Record<string, unknown>): string => i18n.t(key, values ?? {})

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
