import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'

const told = (before: string, after: string) => diffLines(before, after).map(({ sign, line }) => `${sign}${line}`)

test('what stayed keeps its place between what went and what came', () => {
  expect(told('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '−b', '+x', ' c', ' d', '+e'])
})

test('the same text has no difference, and an empty one is all new', () => {
  expect(told('a\nb', 'a\nb')).toEqual([' a', ' b'])
  expect(told('', 'a')).toEqual(['−', '+a'])
})

test('texts of very many lines are told as gone and new', () => {
  const long = Array.from({ length: 2000 }, (_, n) => `line ${n}`).join('\n')
  expect(diffLines(long, `${long}\none more`)).toHaveLength(4001)
})
