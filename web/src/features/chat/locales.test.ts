import { describe, expect, it } from 'vitest'
import chatAr from './locales/ar.json' with { type: 'json' }
import chatEn from './locales/en.json' with { type: 'json' }
import ar from '../../blocks/locales/ar.json' with { type: 'json' }
import en from '../../blocks/locales/en.json' with { type: 'json' }

const forms = /_(zero|one|two|few|many|other)$/

/** Every key with the names that stand in its text; the forms of a number count as one key. */
function keys(texts: object, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value === 'object') for (const entry of keys(value, `${path}${name}.`)) found.set(...entry)
    else found.set(`${path}${name.replace(forms, '')}`, value)
  }
  return found
}

describe('the words on screen', () => {
  it.each([
    ['blocks', en, ar],
    ['chat', chatEn, chatAr],
  ])('of %s are there in both languages', (_name, english, arabic) => {
    expect([...keys(arabic).keys()].sort()).toEqual([...keys(english).keys()].sort())
  })

  it('have all six forms of a number in Arabic', () => {
    for (const texts of [ar, chatAr]) {
      const counted = JSON.stringify(texts).match(/"\w+_(zero|one|two|few|many|other)"/g) ?? []
      const stems = new Map<string, number>()
      for (const key of counted) {
        const stem = key.slice(1, -1).replace(forms, '')
        stems.set(stem, (stems.get(stem) ?? 0) + 1)
      }
      for (const [stem, count] of stems) expect(count % 6, stem).toBe(0)
    }
  })
})
