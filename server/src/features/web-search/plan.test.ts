import { expect, test } from 'vitest'
import { choosePassages } from './passages.ts'
import { plainPlan, planQuestion, readPlan } from './plan.ts'

test.each([
  [
    '{"queries":["kites height"],"time_range":null,"category":null}',
    { queries: ['kites height'], span: null, topic: null },
  ],
  [
    '```json\n{"queries": ["a", "a", "b"], "time_range": "week", "category": "news"}\n```',
    { queries: ['a', 'b'], span: 'week', topic: 'news' },
  ],
  [
    'Sure! {"queries":["one","two","three","four"],"time_range":"decade","category":"sports"}',
    { queries: ['one', 'two', 'three'], span: null, topic: null },
  ],
])('a plan is read from %s', (answer, plan) => {
  expect(readPlan(answer)).toEqual(plan)
})

test.each([
  '',
  'no idea',
  '{"queries":[]}',
  '{"queries":"x"}',
  '[]',
  '{',
  '{"queries":["  ", "?!"]}',
  'null',
  '{"queries":[{"a":1}]}',
])('there is no plan in %j', (answer) => {
  expect(readPlan(answer)).toBe(null)
})

test('without a plan the question itself is searched for, in one line and cut', () => {
  expect(plainPlan('How high\n do kites fly?').queries).toEqual(['How high do kites fly?'])
  expect(plainPlan('x'.repeat(900)).queries[0]).toHaveLength(400)
})

test('the model that plans knows the day and what was said last', () => {
  const history = Array.from({ length: 9 }, (_, n) => ({ role: 'user' as const, text: `line ${n}` }))
  const words = planQuestion({ text: 'And tomorrow?', history }, '2026-03-01')
  expect(words).toContain('2026-03-01')
  expect(words).toContain('line 8')
  expect(words).not.toContain('line 4')
  expect(words).toMatch(/question: And tomorrow\?$/)
})

test('passages come from several pages, the best first, and none twice', () => {
  const long = (word: string) =>
    Array.from({ length: 6 }, (_, n) => `A ${word} paragraph, number ${n}, of some length.`).join('\n\n')
  const chosen = choosePassages({
    queries: ['how high do kites fly'],
    most: 4,
    pages: [
      { url: 'https://a.example/', title: 'Kites', content: 'number 0', text: long('kites') },
      { url: 'https://b.example/', title: 'Bread', content: 'How to bake bread.', text: 'Flour and water.' },
      { url: 'https://c.example/', title: 'High', content: 'Kites fly as high as 4879 metres.', text: null },
    ],
  })
  expect(chosen.length).toBeLessThanOrEqual(4)
  expect(chosen.filter(({ url }) => url === 'https://a.example/').length).toBeLessThanOrEqual(2)
  expect(chosen.slice(0, 2).map(({ url }) => url)).toContain('https://c.example/')
  expect(chosen.at(-1)).toMatchObject({ url: 'https://b.example/', score: 0 })
  expect(new Set(chosen.map(({ text }) => text)).size).toBe(chosen.length)
})
