import { expect, test } from 'vitest'
import { formatMoney } from '../../lib/format.ts'
import { costOf } from './cost.ts'

const price = (amount: string) => ({ price: { amount, currency: 'USD' } })
const words = (cost: ReturnType<typeof costOf>) => cost && formatMoney(cost.amount, cost.currency)

test.each([
  ['each picture', costOf('image', price('0.04'), { text: 'A boat', count: 3 }), '$0.12'],
  ['a film as one', costOf('video', price('1.2'), { text: 'A boat', count: 3 }), '$1.20'],
  ['each character that is spoken', costOf('speech', price('0.000015'), { text: 'Hi 👋', count: 3 }), '$0.00006'],
  ['what costs nothing', costOf('image', price('0'), { text: 'A boat', count: 2 }), '$0.00'],
])('the cost counts %s', (_name, cost, expected) => {
  expect(words(cost)).toBe(expected)
})

test('no cost is told where no price is known, nothing is spoken yet, or units come with the result', () => {
  expect(costOf('image', {}, { text: 'A boat', count: 1 })).toBeNull()
  expect(costOf('speech', price('0.1'), { text: '', count: 1 })).toBeNull()
  expect(costOf('sound', price('0.1'), { text: 'Hum', count: 1 })).toBeNull()
})
