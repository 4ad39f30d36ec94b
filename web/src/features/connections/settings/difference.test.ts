import { expect, it } from 'vitest'
import { diffDefinitions } from './difference.ts'

const before = {
  id: 'a',
  name: 'A',
  model_map: ['one', 'two'],
  variables: [{ name: 'temperature', type: 'number', default: 0.7 }],
}

it('finds nothing between equal definitions, whatever their order', () => {
  const { id, name, variables } = before
  expect(diffDefinitions(before, { variables, model_map: ['two', 'one'], name, id })).toEqual([])
})

it('names what comes, what goes and what changes, down to the member', () => {
  expect(
    diffDefinitions(before, {
      ...before,
      name: 'B',
      model_map: ['two', 'three'],
      variables: [{ name: 'temperature', type: 'number', default: 1 }, { name: 'seed' }],
      description: 'new',
    }),
  ).toEqual([
    { kind: 'changed', path: 'name', before: 'A', after: 'B' },
    { kind: 'removed', path: 'model_map › one', value: 'one' },
    { kind: 'added', path: 'model_map › three', value: 'three' },
    { kind: 'changed', path: 'variables › temperature › default', before: '0.7', after: '1' },
    { kind: 'added', path: 'variables › seed', value: '{"name":"seed"}' },
    { kind: 'added', path: 'description', value: 'new' },
  ])
})

it('takes a list that becomes something else as one change', () => {
  expect(diffDefinitions({ a: [1] }, { a: { b: 1 } })).toEqual([
    { kind: 'changed', path: 'a', before: '[1]', after: '{"b":1}' },
  ])
})
