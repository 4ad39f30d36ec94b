import { expect, test } from 'vitest'
import { formatMoney } from '../../lib/format.ts'
import { costOf, secondsOf } from './cost.ts'

const price = (amount: string) => ({ price: { amount, currency: 'USD' } })
const perSecond = (amount: string) => ({ secondPrice: { amount, currency: 'USD' } })
const words = (cost: ReturnType<typeof costOf>) => cost && formatMoney(cost.amount, cost.currency)

test.each([
  ['each picture', costOf('image', price('0.04'), { text: 'A boat', count: 3 }), '$0.12'],
  ['a film as one', costOf('video', price('1.2'), { text: 'A boat', count: 3 }), '$1.20'],
  ['the seconds of a film', costOf('video', perSecond('0.4'), { text: '', count: 1, seconds: 8 }), '$3.20'],
  [
    'a film and its seconds',
    costOf('video', { ...price('1'), ...perSecond('0.1') }, { text: '', count: 1, seconds: 4 }),
    '$1.40',
  ],
  ['each character that is spoken', costOf('speech', price('0.000015'), { text: 'Hi 👋', count: 3 }), '$0.00006'],
  ['what costs nothing', costOf('image', price('0'), { text: 'A boat', count: 2 }), '$0.00'],
])('the cost counts %s', (_name, cost, expected) => {
  expect(words(cost)).toBe(expected)
})

test('no cost is told where no price is known, nothing is spoken yet, or units come with the result', () => {
  expect(costOf('image', {}, { text: 'A boat', count: 1 })).toBeNull()
  expect(costOf('speech', price('0.1'), { text: '', count: 1 })).toBeNull()
  expect(costOf('video', perSecond('0.4'), { text: '', count: 1 })).toBeNull()
  expect(costOf('sound', price('0.1'), { text: 'Hum', count: 1 })).toBeNull()
})

test('a film lasts as long as was chosen, or as its model does by itself', () => {
  const choices = [{ field: 'durationMs', values: ['4', '8'], usual: '8' }]
  expect(secondsOf(choices, { durationMs: '4' })).toBe(4)
  expect(secondsOf(choices, { durationMs: '5' })).toBe(8)
  expect(secondsOf([{ field: 'durationMs', values: ['4'], usual: '' }], {})).toBeNull()
  expect(secondsOf([], {})).toBeNull()
})
