import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errors } from '@atrium/contract/errors'
import { areas } from '@atrium/contract'
import { languageCodes } from '@atrium/contract/languages'
import { expect, test } from 'vitest'
import { foldersByNamespace } from '../../words-plugin.ts'

const source = join(dirname(fileURLToPath(import.meta.url)), '..')
const folders = globSync('**/locales/en.json', { cwd: source }).map((path) => dirname(path))

const others = languageCodes.filter((code) => code !== 'en')

test('every folder of words has a file for each language, and no other', () => {
  const files = globSync('**/locales/*.json', { cwd: source })
  expect(files.sort()).toEqual(
    folders.flatMap((folder) => languageCodes.map((code) => `${folder}/${code}.json`)).sort(),
  )
})

for (const folder of folders) {
  for (const language of others) {
    test(`${folder} says everything in ${language}, too`, () => {
      const english = keysOf(readTexts(folder, 'en'))
      // English may leave out what the server says itself (see `wordsOf`).
      const codes = folder.startsWith('api') ? commonCodes(language) : []
      const expected = [...new Set([...english, ...codes])].sort()
      expect(keysOf(readTexts(folder, language))).toEqual(expected)
    })

    test(`${folder} fills in the same values in ${language}`, () => {
      const english = flatten(readTexts(folder, 'en'))
      const words = flatten(readTexts(folder, language))
      for (const [key, text] of Object.entries(english)) {
        const other = words[key]
        // The words for one and two may hold the number themselves.
        if (other === undefined || plural.test(key)) continue
        expect(valuesIn(other), key).toEqual(valuesIn(text))
      }
    })
  }

  test(`${folder} has a form for each plural of each language`, () => {
    for (const language of languageCodes) {
      const texts = flatten(readTexts(folder, language))
      const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      for (const stem of stemsOf(Object.keys(texts))) {
        const missing = wanted.filter((category) => !(`${stem}_${category}` in texts))
        expect(missing, `${language} ${stem}`).toEqual([])
      }
    }
  })

  test(`${folder} has a form for one where English counts something`, () => {
    const texts = Object.entries(flatten(readTexts(folder, 'en')))
    const counting = texts.filter(([key, text]) => !plural.test(key) && !never.has(key) && counted.test(text))
    expect(counting.map(([key]) => key)).toEqual([])
  })
}

test('nothing is left in English in Arabic but names', () => {
  const left = folders.flatMap((folder) =>
    Object.entries(flatten(readTexts(folder, 'ar')))
      .map(([key, text]) => [key, text.replaceAll(/{{\w+}}/g, '')] as const)
      .filter(([, text]) => /[A-Za-z]{2}/.test(text) && !/\p{Script=Arabic}/u.test(text) && !isName(text))
      .map(([key, text]) => `${folder} ${key}: ${text}`),
  )
  expect(left).toEqual([])
})
/** Products, formats and terms of the field: capitals, as `OpenID Connect`; and what is typed or searched for. */
const isName = (text: string): boolean =>
  text === 'provider/model' || !/(?<![-.])\b(?!tls|starttls|ssl)[a-z]{2,}/.test(text)

test('Arabic says one word for one thing', () => {
  // An administrator is a مدير on every page.
  const other = folders.filter((folder) => /مسؤول/.test(JSON.stringify(readTexts(folder, 'ar'))))
  expect(other).toEqual([])
})

test('every key that a module says by its name is among the words that it imports', () => {
  const words = new Map(
    [...foldersByNamespace()].map(([namespace, folder]) => [
      namespace,
      keysOf(JSON.parse(readFileSync(join(folder, 'en.json'), 'utf8')) as Texts),
    ]),
  )
  const missing = globSync('**/*.{ts,tsx}', { cwd: source }).flatMap((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    const own = [...text.matchAll(/'virtual:words\/([\w-]+)'/g)].map(([, namespace = '']) => namespace)
    if (own.length === 0) return []
    return [...text.matchAll(spoken)].flatMap(([, said = '', end]) => {
      const [key = '', namespace] = said.split(':').toReversed()
      // What is put together holds at least its beginning.
      const has = (each: string) => (end === "'" ? each === key : each.startsWith(key))
      const known = (namespace ? [namespace] : own).some((each) => words.get(each)?.some(has))
      return known ? [] : [`${path}: ${said}`]
    })
  })
  expect(missing).toEqual([])
})

/** `t('key')`, and the beginning of `t(`key.${…}`)`. */
const spoken = /\bt\(\s*['`]([\w:.-]+)('|\$\{)/g
const plural = /_(zero|one|two|few|many|other)$/
/** A number before a plural. */
const counted =
  /\{\{\w+\}\} (?:bytes|calls|characters|days|files|hours|lines|messages|models|pages|people|tokens|words)\b/
/** What is never one: windows, limits, thresholds, rates, and estimates of texts that are long. */
const never = new Set([
  ...['window', 'models.window', 'models.windowFull', 'catalogue.window', 'count', 'folder.tooMany'],
  ...['policySummaries', 'note.full_too_large.both', 'whole.tokens', 'whole.atLeast'],
  ...['gauge.used', 'gauge.usedOnly', 'composer.tokens', 'info.perSecond'],
])
/** The codes for which no area has words of its own, under `errors`. */
const commonCodes = (language: string): string[] => {
  const own = areas.flatMap(({ name }) => {
    const folder = `features/${name}/locales`
    return folders.includes(folder) ? Object.keys(readTexts(folder, language)['errors'] ?? {}) : []
  })
  return Object.keys(errors).filter((code) => !own.includes(code))
}
const readTexts = (folder: string, language: string) =>
  JSON.parse(readFileSync(join(source, folder, `${language}.json`), 'utf8')) as Texts
interface Texts {
  [key: string]: string | Texts
}

function flatten(texts: Texts, before = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[before + key, value]] : Object.entries(flatten(value, `${before}${key}.`)),
    ),
  )
}

const keysOf = (texts: Texts) => [...new Set(Object.keys(flatten(texts)).map((key) => key.replace(plural, '')))].sort()
const stemsOf = (keys: string[]) => [
  ...new Set(keys.filter((key) => plural.test(key)).map((key) => key.replace(plural, ''))),
]
const valuesIn = (text: string) => (text.match(/{{\w+}}/g) ?? []).sort()
