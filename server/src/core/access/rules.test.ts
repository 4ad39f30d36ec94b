import { expect, test } from 'vitest'
import { widest } from './rules.ts'
import type { GrantRow } from './tables.ts'

const grant = (over: Partial<GrantRow>): GrantRow => ({
  ...{ id: 'g', resource_type: 'collection', resource_id: 'r', principal_type: 'account', principal_id: 'ben' },
  ...{ access_right: 'read', expires_at: null, created_at: 1 },
  ...over,
})

test('of several grants on a thing the widest right counts, then the later end, then the older grant', () => {
  const cases: [string, Partial<GrantRow>[], string][] = [
    ['a wider right over a longer stay', [{ id: 'a' }, { id: 'b', access_right: 'write', expires_at: 5 }], 'b'],
    [
      'admin over write',
      [
        { id: 'a', access_right: 'admin' },
        { id: 'b', access_right: 'write' },
      ],
      'a',
    ],
    ['no end over an end', [{ id: 'a', expires_at: 9 }, { id: 'b' }], 'b'],
    [
      'the later end',
      [
        { id: 'a', expires_at: 9 },
        { id: 'b', expires_at: 8 },
      ],
      'a',
    ],
    [
      'the older of equals',
      [
        { id: 'a', created_at: 2 },
        { id: 'b', created_at: 1 },
      ],
      'b',
    ],
  ]
  for (const [name, rows, id] of cases)
    expect(
      widest(rows.map(grant)).map((row) => row.id),
      name,
    ).toEqual([id])
})

test('grants on different things stand beside each other', () => {
  expect(widest([grant({ resource_id: 'r' }), grant({ resource_id: 's' })])).toHaveLength(2)
})
