import { expect, it } from 'vitest'
import { readDefinition } from './read-definition.ts'

const whole = {
  id: 'far',
  name: 'Far',
  type: 'completion',
  endpoint: 'https://far.example/v1/chat/completions',
  auth: { header: '', key_env: '' },
  model_map: ['one'],
}

it('takes a definition as it is', () => {
  expect(readDefinition(JSON.stringify(whole))).toEqual({ definition: whole })
  expect(readDefinition(JSON.stringify(whole), 'far')).toEqual({ definition: whole })
})

it.each([
  ['', { wrong: 'empty' }],
  ['[]', { wrong: 'list' }],
  ['"text"', { wrong: 'shape' }],
  ['{"id": "a"}', { wrong: 'fields', more: { fields: 'name, type, endpoint, auth, model_map' } }],
])('says what is wrong with %s', (text, expected) => {
  expect(readDefinition(text)).toEqual(expected)
})

it('says where JSON breaks off', () => {
  expect(readDefinition('{\n  "id": "a",\n  oops\n}')).toEqual({ wrong: 'json', more: { where: '3:3' } })
  expect(readDefinition('{\n  "id": oops\n}')).toEqual({ wrong: 'json', more: { where: '2:9' } })
  expect(readDefinition('{"id": "a"')).toEqual({ wrong: 'json', more: { where: '1:11' } })
})

it('refuses another definition in the place of one', () => {
  expect(readDefinition(JSON.stringify(whole), 'near')).toEqual({ wrong: 'other', more: { id: 'far', only: 'near' } })
})
