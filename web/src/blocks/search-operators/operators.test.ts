import { describe, expect, test } from 'vitest'
import { operatorOf, suggestOperators, unknownTags } from './operators.ts'

const values = { tag: ['Work', 'homework', 'tax 2026'], is: ['pinned', 'shared'] }
const operators = (typed: string) => suggestOperators(typed, values).map(({ operator }) => operator)

describe('operators of the search', () => {
  test('are suggested with what fits what is typed behind the colon, what begins so first', () => {
    expect(operators('tag:')).toEqual(['tag:Work', 'tag:homework', 'tag:"tax 2026"'])
    expect(operators('roof TAG:work')).toEqual(['tag:homework'])
    expect(operators('roof tag:wor')).toEqual(['tag:Work', 'tag:homework'])
    expect(operators('tag:"tax 2')).toEqual(['tag:"tax 2026"'])
    expect(suggestOperators('in:"the big', { in: ['The "big" plan'] }).map(({ operator }) => operator)).toEqual([
      'in:"The big plan"',
    ])
    expect(suggestOperators('roof is:p', values)).toEqual([{ search: 'roof is:pinned ', operator: 'is:pinned' }])
  })

  test.each(['', 'roof', 'tag:Work ', 'is:pinned', 'http://', 'tag:"tax 2026"', 'before:'])(
    'are not suggested behind %s',
    (typed) => expect(operators(typed)).toEqual([]),
  )

  test('name the tags that nobody has, and no others', () => {
    expect(unknownTags('roof tag:WORK tag:"Tax  2026" tag:gone tag:', values.tag)).toEqual(['gone'])
    expect(operatorOf('tag', 'tax 2026')).toBe('tag:"tax 2026"')
  })
})
