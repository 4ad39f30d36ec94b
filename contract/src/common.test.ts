import { expect, test } from 'vitest'
import { PageQuery } from './common.ts'

test('a page of a list has at most 200 items, and 40 where nobody says how many', () => {
  expect(PageQuery.parse({})).toEqual({ limit: 40 })
  expect(PageQuery.parse({ limit: '200' })).toEqual({ limit: 200 })
  for (const limit of ['0', '201', '1.5', 'x']) expect(PageQuery.safeParse({ limit }).success, limit).toBe(false)
})
