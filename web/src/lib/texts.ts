/**
 * Words on screen. One namespace for each folder of words (see `virtual:words`), English always at hand; other languages
 * are loaded for what was needed so far before they are shown, and for the rest when it is first needed.
 *
 * A text may hold `{{names}}` to be filled in. Where `count` is among the values, the form is chosen by the plural
 * rules of the language: `files_one`, `files_two`, `files_few`, `files_many`, `files_other`.
 */
import { use, useSyncExternalStore } from 'react'

export interface Texts {
  [key: string]: string | Texts
}
export type Direction = 'ltr' | 'rtl'
export type Values = Record<string, unknown>

/** Gives the words of a key, filled in with the values. */
export type Translate = (key: string, values?: Values) => string

type Load = () => Promise<{ default: Texts }>

/** By language and namespace, as `ar:chat`. */
const loaded = new Map<string, Texts>()
const loaders = new Map<string, Load>()
/** `settled` never fails: where words cannot be loaded, the English ones stand in. */
const loading = new Map<string, { done: Promise<void>; settled: Promise<void> }>()
const watchers = new Set<() => void>()
let language = 'en'
let direction: Direction = 'ltr'
/** New functions for new words or another language, so that memoised parts notice. */
const translators = new Map<string, Translate>()

/** The words outside of components, read at the moment of the call. Keys carry their namespace: `app:close`. */
export const i18n = {
  /** The language on screen, such as `en` or `ar`. */
  get language(): string {
    return language
  },
  /** Which way its lines run. */
  get direction(): Direction {
    return direction
  },
  t: (key: string, values?: Values): string => lookUp('app', key, values),
  exists: (key: string): boolean => find('app', key) !== undefined,
}
export const translate = i18n.t

/** Adds the words of a namespace: English, and ways to those of other languages. Called at module level. */
export function addTexts(namespace: string, english: Texts, others: Readonly<Record<string, Load>> = {}): void {
  loaded.set(`en:${namespace}`, english)
  for (const [of, load] of Object.entries(others)) loaders.set(`${of}:${namespace}`, load)
  if (language !== 'en') void startLoading(language, namespace)?.settled
  changed()
}

/** Loads the words of a language for every namespace there is by then: more may be added meanwhile. */
export async function loadLanguage(of: string): Promise<void> {
  for (let missing = missingIn(of); missing.length > 0; missing = missingIn(of)) {
    await Promise.all(missing.flatMap((namespace) => startLoading(of, namespace)?.done ?? []))
  }
}

const missingIn = (of: string): string[] =>
  [...loaders.keys()]
    .filter((key) => key.startsWith(`${of}:`) && !loaded.has(key))
    .map((key) => key.slice(of.length + 1))

function startLoading(of: string, namespace: string) {
  const key = `${of}:${namespace}`
  const load = loaders.get(key)
  if (!load || loaded.has(key)) return undefined
  const known = loading.get(key)
  if (known) return known
  const done = load()
    .then((module) => {
      loaded.set(key, module.default)
    })
    .finally(() => {
      loading.delete(key)
      changed()
    })
  const started = { done, settled: done.catch(() => undefined) }
  loading.set(key, started)
  return started
}

/** Shows another language; `loadLanguage` comes first. What was added since then is loaded now. */
export function setLanguage(next: string, itsDirection: Direction): void {
  if (next === language) return
  language = next
  direction = itsDirection
  for (const namespace of missingIn(next)) void startLoading(next, namespace)?.settled
  changed()
}

/**
 * The translate function of a namespace: `const t = useText('chat')`, then `t('send')` or `t('app:close')`. Waits, by the
 * nearest `Suspense`, for words that are on their way.
 */
export function useText(namespace: string): Translate {
  const waiting = loading.get(`${language}:${namespace}`)
  if (waiting) use(waiting.settled)
  const read = () => translatorOf(namespace)
  return useSyncExternalStore(watch, read, read)
}

/** The language on screen, and again when it changes. */
export const useLanguage = (): string => useSyncExternalStore(watch, shownLanguage, shownLanguage)

const shownLanguage = () => language

function translatorOf(namespace: string): Translate {
  const known = translators.get(namespace)
  if (known) return known
  const made: Translate = (key, values) => lookUp(namespace, key, values)
  translators.set(namespace, made)
  return made
}

function lookUp(namespace: string, key: string, values?: Values): string {
  const found = pluralOf(namespace, key, values) ?? find(namespace, key)
  if (typeof found !== 'string') return String(values?.defaultValue ?? key)
  if (!values) return found
  return found.replace(/\{\{(\w+)\}\}/g, (hole, name: string) => {
    const value = values[name]
    if (name === 'count' && typeof value === 'number') return new Intl.NumberFormat(language).format(value)
    return value === undefined || value === null ? hole : placed(String(value))
  })
}

/** What runs the other way than the text around it, such as a name, is kept together by an isolate (UAX #9, 2.4.2). */
const placed = (value: string): string =>
  /[A-Za-z]/.test(value) && direction === 'rtl' ? `\u2068${value}\u2069` : value

function pluralOf(namespace: string, key: string, values?: Values) {
  if (typeof values?.count !== 'number') return undefined
  const form = new Intl.PluralRules(language).select(values.count)
  return find(namespace, `${key}_${form}`) ?? find(namespace, `${key}_other`)
}

function find(namespace: string, key: string): string | Texts | undefined {
  const colon = key.indexOf(':')
  const [space, path] = colon < 0 ? [namespace, key] : [key.slice(0, colon), key.slice(colon + 1)]
  return at(loaded.get(`${language}:${space}`), path) ?? at(loaded.get(`en:${space}`), path)
}

function at(texts: Texts | undefined, path: string): string | Texts | undefined {
  let here: string | Texts | undefined = texts
  for (const step of path.split('.')) here = typeof here === 'object' ? here[step] : undefined
  return here
}

function changed() {
  translators.clear()
  for (const watcher of watchers) watcher()
}
function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
