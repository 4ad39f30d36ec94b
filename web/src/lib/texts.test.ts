import { afterEach, expect, test } from 'vitest'
import { addTexts, i18n, setLanguage } from './texts.ts'

addTexts('garden', {
  gate: 'The gate',
  tree: { name: 'Tree of {{owner}}' },
  leaf_one: '{{count}} leaf',
  leaf_other: '{{count}} leaves',
})
addTexts(
  'garden',
  {
    tree: { name: 'شجرة {{owner}}' },
    leaf_zero: 'لا أوراق',
    leaf_one: 'ورقة',
    leaf_two: 'ورقتان',
    leaf_few: '{{count}} أوراق',
    leaf_many: '{{count}} ورقة',
    leaf_other: '{{count}} ورقة',
  },
  'ar',
)
afterEach(() => setLanguage('en'))

test('words are found by path and filled in', () => {
  expect(i18n.t('garden:tree.name', { owner: 'Noor' })).toBe('Tree of Noor')
})

test('the form of a plural follows the language', () => {
  expect([1, 2].map((count) => i18n.t('garden:leaf', { count }))).toEqual(['1 leaf', '2 leaves'])
  setLanguage('ar')
  expect([0, 1, 2, 3, 11].map((count) => i18n.t('garden:leaf', { count }).replace(/[\d\u0660-\u0669]+/, 'N'))).toEqual([
    'لا أوراق',
    'ورقة',
    'ورقتان',
    'N أوراق',
    'N ورقة',
  ])
})

test('what another language lacks is said in English, what nobody has by its key', () => {
  setLanguage('ar')
  expect(i18n.t('garden:gate')).toBe('The gate')
  expect(i18n.t('garden:fence')).toBe('garden:fence')
  expect(i18n.t('garden:fence', { defaultValue: 'A fence' })).toBe('A fence')
  expect(i18n.exists('garden:fence')).toBe(false)
})
