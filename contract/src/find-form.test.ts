import { expect, test } from 'vitest'
import { countInForm, toFindForm, toFindFormWithPlaces } from './find-form.ts'

test('words are compared without case, accents, marks of Markdown and addresses of links', () => {
  expect(toFindForm('**Café** au\n\n  `lait`')).toBe('cafe au lait')
  expect(toFindForm('see [the page](https://example.org/x) now')).toBe('see the page now')
  expect(toFindForm('مُحَمَّد')).toBe('محمد')
  expect(countInForm(toFindForm('Anna and ANNA, annanna'), 'anna')).toBe(3)
})

test('each character of the form knows where it comes from', () => {
  const text = 'Ça ﬁne\n\t  über 𝐀'
  const { form, places } = toFindFormWithPlaces(text)
  expect(form).toBe(toFindForm(text))
  expect(places).toHaveLength(form.length)
  const at = form.indexOf('uber')
  expect(text.slice(places[at], (places[at + 3] ?? 0) + 1)).toBe('über')
})
