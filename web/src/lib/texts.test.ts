import { afterEach, beforeAll, expect, test } from 'vitest'
import { addTexts, i18n, loadLanguage, setLanguage } from './texts.ts'

const arabic = {
  tree: { name: 'شجرة {{owner}}' },
  leaf_zero: 'لا أوراق',
  leaf_one: 'ورقة',
  leaf_two: 'ورقتان',
  leaf_few: '{{count}} أوراق',
  leaf_many: '{{count}} ورقة',
  leaf_other: '{{count}} ورقة',
}
addTexts(
  'garden',
  {
    gate: 'The gate',
    tree: { name: 'Tree of {{owner}}' },
    leaf_one: '{{count}} leaf',
    leaf_other: '{{count}} leaves',
  },
  { ar: async () => ({ default: arabic }) },
)
beforeAll(() => loadLanguage('ar'))
afterEach(() => setLanguage('en', 'ltr'))

test('a name in the other script is kept together in a text from right to left', () => {
  setLanguage('ar', 'rtl')
  expect(i18n.t('garden:tree.name', { owner: 'Noor (n)' })).toBe('شجرة \u2068Noor (n)\u2069')
  expect(i18n.t('garden:tree.name', { owner: 'نور' })).toBe('شجرة نور')
})

test('words are found by path and filled in', () => {
  expect(i18n.t('garden:tree.name', { owner: 'Noor' })).toBe('Tree of Noor')
})

test('the form of a plural follows the language', () => {
  expect([1, 2].map((count) => i18n.t('garden:leaf', { count }))).toEqual(['1 leaf', '2 leaves'])
  setLanguage('ar', 'rtl')
  expect([0, 1, 2, 3, 11].map((count) => i18n.t('garden:leaf', { count }).replace(/[\d\u0660-\u0669]+/, 'N'))).toEqual([
    'لا أوراق',
    'ورقة',
    'ورقتان',
    'N أوراق',
    'N ورقة',
  ])
})

test('what another language lacks is said in English, what nobody has by its key', () => {
  setLanguage('ar', 'rtl')
  expect(i18n.t('garden:gate')).toBe('The gate')
  expect(i18n.t('garden:fence')).toBe('garden:fence')
  expect(i18n.t('garden:fence', { defaultValue: 'A fence' })).toBe('A fence')
  expect(i18n.exists('garden:fence')).toBe(false)
})

test('words of a namespace that is added later are loaded, and English ones stand in for those that cannot be', async () => {
  setLanguage('ar', 'rtl')
  addTexts('lane', { name: 'Lane' }, { ar: async () => ({ default: { name: 'درب' } }) })
  addTexts('wall', { name: 'Wall' }, { ar: async () => Promise.reject(new Error('offline')) })
  await expect.poll(() => i18n.t('lane:name')).toBe('درب')
  expect(i18n.t('wall:name')).toBe('Wall')
})

test('a language that cannot be loaded is told', async () => {
  addTexts('roof', { name: 'Roof' }, { xx: async () => Promise.reject(new Error('offline')) })
  await expect(loadLanguage('xx')).rejects.toThrow('offline')
})

test('words that are added while a language is loaded are loaded with it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  addTexts('yard', { name: 'Yard' }, { yy: async () => (await promise, { default: { name: 'yyard' } }) })
  const language = loadLanguage('yy')
  addTexts('shed', { name: 'Shed' }, { yy: async () => ({ default: { name: 'yshed' } }) })
  resolve()
  await language
  setLanguage('yy', 'ltr')
  expect([i18n.t('yard:name'), i18n.t('shed:name')]).toEqual(['yyard', 'yshed'])
})
