import { expect, test } from 'vitest'
import { fuseRankings } from './fuse.ts'

test('rankings are fused by the reciprocal of the rank', () => {
  const cases: [string, string[][], string[]][] = [
    ['nothing', [], []],
    ['one ranking keeps its order', [['a', 'b', 'c']], ['a', 'b', 'c']],
    ['an empty one changes nothing', [['a', 'b'], []], ['a', 'b']],
    [
      'what both have comes before what one has first',
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
      ['b', 'a', 'c'],
    ],
    ['of equals, the one of the earlier ranking is first', [['a'], ['b']], ['a', 'b']],
    [
      'second and third beat first alone',
      [
        ['a', 'b', 'x'],
        ['y', 'z', 'b'],
      ],
      ['b', 'a', 'y', 'z', 'x'],
    ],
    [
      'both in opposite orders stay in the first order',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      ['a', 'b'],
    ],
  ]
  for (const [name, rankings, order] of cases)
    expect(
      fuseRankings(rankings).map(({ id }) => id),
      name,
    ).toEqual(order)
})

test('a score is the sum of 1 / (60 + rank)', () => {
  const [both, one] = fuseRankings([['a', 'b'], ['a']])
  expect(both).toEqual({ id: 'a', score: 2 / 61 })
  expect(one).toEqual({ id: 'b', score: 1 / 62 })
})
