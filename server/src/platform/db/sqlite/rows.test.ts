import { expect, it } from 'vitest'
import { packRows, unpackRows } from './rows.ts'

it('rows come out as they went in, with bytes as Buffers', () => {
  const rows = [
    { id: 'a', bytes: Buffer.from('one'), n: 1 },
    { id: 'b', bytes: null, n: null },
    { id: 'c', bytes: Buffer.alloc(0), n: 2.5 },
    { id: 'd', bytes: Buffer.from('three'), n: 0 },
  ]
  const unpacked = unpackRows(structuredClone(packRows(rows)))
  expect(unpacked).toEqual(rows)
  expect(Buffer.isBuffer(unpacked[0]?.['bytes'])).toBe(true)
  expect(unpackRows(structuredClone(packRows([{ n: 1 }, { n: 2 }])))).toEqual([{ n: 1 }, { n: 2 }])
})
