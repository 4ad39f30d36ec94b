import type { Connection, Variable, VariableValue } from '@atrium/contract/connections'
import { expect, it } from 'vitest'
import { changesOf, choicesOf, stillShown, typedValue } from './rules.ts'

const variable = (more: Partial<Variable>): Variable => ({ name: 'v', type: 'string', label: 'V', ...more })
const value = (name: string, is: VariableValue['value'], hasValue = false): VariableValue => ({
  name,
  value: is,
  isSensitive: false,
  hasValue,
  isConnection: true,
})

it('reads choices that are plain and choices with a name', () => {
  expect(choicesOf(variable({ type: 'select', options: ['a', 2, { value: 'c', label: 'Third' }] }))).toEqual([
    { value: 'a', label: 'a' },
    { value: 2, label: '2' },
    { value: 'c', label: 'Third' },
  ])
})

it.each<[Partial<Variable>, string, unknown]>([
  [{ type: 'number', min: 0, max: 2 }, ' 0.7 ', 0.7],
  [{ type: 'number', min: 0, max: 2 }, '3', undefined],
  [{ type: 'number' }, 'warm', undefined],
  [{ type: 'number' }, '', null],
  [{ type: 'string' }, ' https://a.example ', 'https://a.example'],
  [{ type: 'boolean' }, 'false', false],
  [{ type: 'select', options: [1, 2] }, '2', 2],
  [{ type: 'select', options: [1, 2] }, '3', undefined],
])('takes what is typed for %o: %s', (more, text, expected) => {
  expect(typedValue(variable(more), text)).toBe(expected)
})

it('sends what has changed only, and sets back what was emptied', () => {
  const variables = [
    variable({ name: 'base_url' }),
    variable({ name: 'api_path' }),
    variable({ name: 'depth', type: 'number' }),
  ]
  const values = { base_url: value('base_url', 'https://a.example', true), api_path: value('api_path', '/chat') }
  expect(changesOf(variables, values, { base_url: '', api_path: '/chat', depth: 'deep' })).toEqual({
    variables: {},
    unset: ['base_url'],
    wrong: ['depth'],
  })
  expect(changesOf(variables, values, { base_url: 'https://b.example' })).toEqual({
    variables: { base_url: 'https://b.example' },
    unset: [],
    wrong: [],
  })
})

it('keeps a card in its place when what it stands for is switched off, and drops it when it is deleted', () => {
  const one = (id: string, source: Connection['source'], active = true) => ({ id, source, active }) as Connection
  const before = [one('a', 'bundled'), one('b', 'installed'), one('c', 'bundled')]
  expect(stillShown(before, [one('d', 'installed'), one('c', 'bundled')])).toEqual([
    one('a', 'bundled', false),
    one('c', 'bundled'),
    one('d', 'installed'),
  ])
})
