import { expect, test } from 'vitest'
import { keysOf, matchesKeys } from './shortcuts.ts'

const press = (key: string, code: string, held: string[] = []) => ({
  key,
  code,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
})

test('Mod is Command on Apple systems and Control elsewhere', () => {
  expect(matchesKeys(press('k', 'KeyK', ['ctrl']), 'Mod+K', false)).toBe(true)
  expect(matchesKeys(press('k', 'KeyK', ['meta']), 'Mod+K', true)).toBe(true)
  expect(matchesKeys(press('k', 'KeyK', ['ctrl']), 'Mod+K', true)).toBe(false)
})

test('letters go by the layout, not by their place', () => {
  // On AZERTY the key at the place of Q types A.
  expect(matchesKeys(press('a', 'KeyQ', ['ctrl']), 'Mod+A', false)).toBe(true)
  expect(matchesKeys(press('a', 'KeyQ', ['ctrl']), 'Mod+Q', false)).toBe(false)
})

test('a layout without Latin letters falls back to the place of the key', () => {
  expect(matchesKeys(press('ن', 'KeyK', ['ctrl']), 'Mod+K', false)).toBe(true)
})

test('signs match with the shift that a layout needs for them', () => {
  expect(matchesKeys(press('/', 'Digit7', ['ctrl', 'shift']), 'Mod+/', false)).toBe(true)
  expect(matchesKeys(press('?', 'Slash', ['shift']), '?', false)).toBe(true)
  expect(matchesKeys(press('"', 'Quote', ['ctrl', 'shift']), "Mod+Shift+'", false)).toBe(true)
})

test('more modifiers than asked for do not match', () => {
  expect(matchesKeys(press('k', 'KeyK', ['ctrl', 'alt']), 'Mod+K', false)).toBe(false)
  expect(matchesKeys(press('K', 'KeyK', ['ctrl', 'shift']), 'Mod+K', false)).toBe(false)
  expect(matchesKeys(press('k', 'KeyK', ['ctrl']), '', false)).toBe(false)
})

test('what is pressed is written the way settings store it', () => {
  expect(keysOf(press('k', 'KeyK', ['ctrl']), false)).toBe('Mod+K')
  expect(keysOf(press('"', 'Quote', ['ctrl', 'shift']), false)).toBe("Mod+Shift+'")
  expect(keysOf(press('ArrowUp', 'ArrowUp', ['alt']), false)).toBe('Alt+ArrowUp')
  expect(keysOf(press('Shift', 'ShiftLeft', ['shift']), false)).toBe(null)
})
