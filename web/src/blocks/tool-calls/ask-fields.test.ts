import { expect, test } from 'vitest'
import { answersOf, faultOf, fieldsOf } from './ask-fields.ts'

test('a flat schema becomes fields with their names, helps and defaults', () => {
  const fields = fieldsOf({
    schema: {
      type: 'object',
      required: ['mail', 'age'],
      properties: {
        mail: { type: 'string', title: 'E-mail', description: 'Where the receipt goes' },
        age: { type: 'integer', default: 30 },
        news: { type: 'boolean', default: true },
        size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
        colours: { type: 'array', items: { anyOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] } },
        odd: 7,
      },
    },
  })
  expect(fields.map(({ id, label, kind, required, initial }) => [id, label, kind, required, initial])).toEqual([
    ['mail', 'E-mail', 'text', true, ''],
    ['age', 'age', 'number', true, '30'],
    ['news', 'news', 'boolean', false, true],
    ['size', 'size', 'choice', false, ''],
    ['colours', 'colours', 'choice', false, []],
  ])
  expect(fields[3]?.options).toEqual([
    { value: 's', label: 'Small' },
    { value: 'm', label: 'Medium' },
  ])
  expect(answersOf(fields, { mail: 'a@b.c', colours: ['g'] })).toEqual({
    mail: 'a@b.c',
    age: 30,
    news: true,
    colours: ['g'],
  })
})

test('what must be answered, and numbers, are checked', () => {
  const [number, text] = fieldsOf({
    questions: [
      { id: 'a', text: 'How many?', kind: 'number' },
      { id: 'b', text: 'Who?', kind: 'text' },
    ],
  })
  if (!number || !text) throw new Error('two questions are two fields')
  expect([faultOf(number, 'many'), faultOf(number, '4'), faultOf(text, ' '), faultOf(text, 'Ada')]).toEqual([
    'number',
    null,
    'missing',
    null,
  ])
  expect(faultOf({ ...number, isInteger: true }, '1.5')).toBe('integer')
})

test('a schema of another shape asks nothing', () => {
  expect(fieldsOf({ schema: { properties: 'none' } })).toEqual([])
  expect(fieldsOf({})).toEqual([])
})

test('a question for a file is answered once the file is uploaded', () => {
  const fields = fieldsOf({ questions: [{ id: 'q1', text: 'Which list?', kind: 'file' }] })
  const [field] = fields
  if (!field) throw new Error('There is no field.')
  expect(faultOf(field, field.initial)).toBe('file')
  const uploading = { name: 'list.csv', answer: null }
  expect(faultOf(field, uploading)).toBe('uploading')
  expect(answersOf(fields, { q1: uploading })).toEqual({})
  const ready = { name: 'list.csv', answer: { attachmentId: 'a1' } }
  expect(faultOf(field, ready)).toBe(null)
  expect(answersOf(fields, { q1: ready })).toEqual({ q1: { attachmentId: 'a1' } })
})
