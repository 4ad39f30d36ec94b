import { languageCodes } from '@atrium/contract/languages'
import { readFileSync } from 'node:fs'
import { scopes } from '@atrium/contract/scopes'
import { expect, test } from 'vitest'
import { areasOf, availableScopes, purposeOf, scopesFor } from './rights.ts'
import { snippetsFor } from './snippets.ts'

test('every area has a name in every language', () => {
  for (const language of languageCodes) {
    const file = new URL(`../locales/${language}.json`, import.meta.url)
    const words = JSON.parse(readFileSync(file, 'utf8')) as { area: Record<string, string> }
    expect(Object.keys(words.area).sort()).toEqual(
      areasOf(scopes)
        .map(({ area }) => area)
        .sort(),
    )
  }
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
