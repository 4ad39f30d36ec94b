import { Preferences } from '@atrium/contract/settings'
import { expect, test } from 'vitest'
import { mergePreferences } from './account.ts'

test('a change of the theme, layout or chat leaves its other members as they are', () => {
  const before = Preferences.parse({ shortcuts: { a: 'Mod+A' } })
  const after = mergePreferences(before, { theme: { mode: 'dark' }, chat: { followUps: false }, shortcuts: {} })
  expect(after.theme).toEqual({ mode: 'dark', accent: 'verdigris' })
  expect(after.chat).toEqual({ ...before.chat, followUps: false })
  expect(after.layout).toEqual(before.layout)
  expect(after.shortcuts).toEqual({})
})
