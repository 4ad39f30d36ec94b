import { expect, it } from 'vitest'
import { cutPage, decodeCursor, encodeCursor } from './index.ts'

it('a page marker comes back as the place it was made from', () => {
  const key = { time: 1_795_190_400_000, id: '019aa0c0-0000-7000-8000-000000000000' }
  expect(decodeCursor(encodeCursor(key))).toEqual(key)
})

it.each(['', 'x', 'AAAA', Buffer.from('1.').toString('base64url'), Buffer.from("1.a' or 1=1").toString('base64url')])(
  'a page marker that we did not make is refused: %j',
  (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ code: 'bad_cursor', status: 400 }))
  },
)

it('a page ends at its limit and points to the next one only if there is more', () => {
  const rows = [3, 2, 1].map((time) => ({ time, id: `id-${time}` }))
  const page = cutPage(rows, 2, (row) => row)
  expect(page.items).toEqual(rows.slice(0, 2))
  expect(decodeCursor(page.nextCursor ?? '')).toEqual({ time: 2, id: 'id-2' })
  expect(cutPage(rows, 3, (row) => row)).toEqual({ items: rows, nextCursor: null })
  expect(cutPage([], 3, (row: never) => row)).toEqual({ items: [], nextCursor: null })
})
