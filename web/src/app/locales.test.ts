import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errors } from '@atrium/contract/errors'
import { expect, test } from 'vitest'

const source = join(dirname(fileURLToPath(import.meta.url)), '..')
const folders = globSync('**/locales/en.json', { cwd: source }).map((path) => dirname(path))

for (const folder of folders) {
  test(`${folder} says everything in both languages`, () => {
    const english = keysOf(readTexts(folder, 'en'))
    const arabic = keysOf(readTexts(folder, 'ar'))
    // English may leave out what the server says itself (see `wordsOf`).
    const expected = folder.startsWith('api') ? [...new Set([...english, ...Object.keys(errors)])].sort() : english
    expect(arabic).toEqual(expected)
  })

  test(`${folder} has a form for each plural of each language`, () => {
    for (const language of ['en', 'ar'] as const) {
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

  test(`${folder} fills in the same values in both languages`, () => {
    const english = flatten(readTexts(folder, 'en'))
    const arabic = flatten(readTexts(folder, 'ar'))
    for (const [key, text] of Object.entries(english)) {
      const other = arabic[key]
      // The Arabic words for one and two hold the number themselves.
      if (other === undefined || plural.test(key)) continue
      expect(valuesIn(other), key).toEqual(valuesIn(text))
    }
  })
}

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
