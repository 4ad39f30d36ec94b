import { Preferences } from '@atrium/contract/settings'
import { describe, expect, test } from 'vitest'
import { mergePreferences, readPreferences } from './rules.ts'

const defaults = Preferences.parse({})

describe('preferences', () => {
  test('an empty document reads as the defaults', () => {
    expect(readPreferences({})).toEqual(defaults)
  })

  test('members are replaced; theme, layout and chat are merged one level deep', () => {
    const one = mergePreferences(
      {},
      { language: 'ar', theme: { mode: 'dark' }, shortcuts: { palette: 'Mod+K', send: '' } },
    )
    const two = mergePreferences(one, {
      theme: { accent: 'rose' },
      chat: { sendKey: 'mod-enter' },
      shortcuts: { palette: 'Mod+P' },
    })
    expect(two).toEqual({
      language: 'ar',
      theme: { mode: 'dark', accent: 'rose' },
      chat: { sendKey: 'mod-enter' },
      shortcuts: { palette: 'Mod+P' },
    })
    expect(readPreferences(two)).toEqual({
      ...defaults,
      ...two,
      chat: { ...defaults.chat, sendKey: 'mod-enter' },
    })
  })

  test('what a patch leaves out or undefines stays as it is', () => {
    const stored = { theme: { mode: 'dark' }, language: 'ar' }
    expect(mergePreferences(stored, {})).toEqual(stored)
    expect(mergePreferences(stored, { language: undefined, theme: { mode: undefined, accent: 'rose' } })).toEqual({
      theme: { mode: 'dark', accent: 'rose' },
      language: 'ar',
    })
  })

  test('a member can be set back to nothing', () => {
    const model = { providerType: 'local' as const, providerId: null, model: 'm' }
    const set = mergePreferences({}, { defaultModel: model, systemMessage: 'x' })
    expect(readPreferences(mergePreferences(set, { defaultModel: null, systemMessage: '' }))).toEqual(defaults)
  })

  test('what another version stored falls back member by member, and is kept', () => {
    const stored = {
      density: 'huge',
      theme: { mode: 'sepia', accent: 'rose' },
      layout: { sidebarWidth: 300, gone: 1 },
      textSize: 'large',
      somethingNew: { a: 1 },
      chat: 'odd',
    }
    expect(readPreferences(stored)).toEqual({
      ...defaults,
      textSize: 'large',
      layout: { ...defaults.layout, sidebarWidth: 300 },
    })
    expect(mergePreferences(stored, { textWidth: 'wide' })).toMatchObject({ somethingNew: { a: 1 }, textWidth: 'wide' })
  })
})
