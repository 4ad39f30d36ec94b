import { languageCodes } from '@atrium/contract/languages'
import { areas } from '@atrium/contract'
import { existsSync, readFileSync } from 'node:fs'
import { scopes } from '@atrium/contract/scopes'
import { expect, test } from 'vitest'
import { areasOf, availableScopes, purposeOf, scopesFor } from './rights.ts'
import { snippetsFor } from './snippets.ts'

interface Words {
  area?: Record<string, string>
  title?: string
}
const readFeature = (name: string, file: string): string => {
  const at = new URL(`../../${name}/${file}`, import.meta.url)
  return existsSync(at) ? readFileSync(at, 'utf8') : '{}'
}
const readWords = (name: string, language: string) => JSON.parse(readFeature(name, `locales/${language}.json`)) as Words

test.each(languageCodes)('every area has a name in %s: a word here, or the title of its page', (language) => {
  const tags = areasOf(scopes).map(({ area }) => area)
  const words = readWords('api-tokens', language).area ?? {}
  // Titles are known here where the words of the page are loaded with the app.
  const titled = areas
    .filter(({ name }) => readFeature(name, 'index.tsx').includes(`'virtual:words/${name}'`))
    .filter(({ name }) => readWords(name, language).title)
  expect(tags.filter((tag) => !words[tag] && !titled.some((area) => area.tag === tag))).toEqual([])
  expect(Object.keys(words).filter((tag) => !tags.includes(tag))).toEqual([])
})

test('every scope is either of an area, or one of the two that stand alone', () => {
  const shown = areasOf(scopes).flatMap(({ read, write }) => [read, write].filter((scope) => scope !== null))
  expect([...shown, 'inference', 'admin'].sort()).toEqual([...scopes].sort())
})

test('only administrators are offered what only they may do', () => {
  expect(availableScopes(true)).toEqual(scopes)
  expect(availableScopes(false)).not.toContain('admin')
  expect(availableScopes(false)).not.toContain('user-administration:read')
  expect(availableScopes(false)).toContain('chat:write')
})

test('a purpose is recognised by its scopes, in any order', () => {
  expect(purposeOf(['inference'], false)).toBe('inference')
  expect(purposeOf(scopesFor('read', false).toReversed(), false)).toBe('read')
  expect(purposeOf(scopesFor('read', true), true)).toBe('read')
  expect(purposeOf(['inference', 'chat:read'], false)).toBe('custom')
  expect(scopesFor('read', true).some((scope) => scope.endsWith(':write'))).toBe(false)
})

test('each family of clients gets the base address it expects', () => {
  const texts = snippetsFor('https://atrium.example', 'atr_x', true).map(({ text }) => text)
  expect(texts).toEqual([
    'curl https://atrium.example/v1/models \\\n  -H "Authorization: Bearer atr_x"',
    'export OPENAI_BASE_URL="https://atrium.example/v1"\nexport OPENAI_API_KEY="atr_x"',
    'export ANTHROPIC_BASE_URL="https://atrium.example"\nexport ANTHROPIC_API_KEY="atr_x"',
  ])
  expect(snippetsFor('https://atrium.example', 'atr_x', false).map(({ name }) => name)).toEqual(['curl'])
})
