import { serialize } from 'node:v8'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createChunkReader, type Chunk, splitIntoChunks } from './chunks.ts'

const travelled = (value: unknown): { value: unknown; parcels: readonly Chunk[] } => {
  const parcels = [...splitIntoChunks(value)]
  const receive = createChunkReader()
  const received = parcels.map((parcel) => receive(structuredClone(parcel)))
  expect(received.slice(0, -1).every((some) => some === null)).toBe(true)
  return { value: received.at(-1)?.value, parcels }
}

test('what is small is one piece', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(travelled(value)).toEqual({ value, parcels: [{ rest: value }] })
    }),
  )
})

test('what is big comes in pieces of bounded size, and is the same again', () => {
  const long = '𝒳é'.repeat(400_000)
  const value = {
    text: `x${long}`,
    segments: Array.from({ length: 40_000 }, (_, i) => ({ label: `Page ${i}`, start: i, head: undefined })),
    pictures: [{ bytes: new Uint8Array(900_000).fill(5), page: null }, { bytes: new Uint8Array(3) }, long],
    nothing: [],
  }
  const { value: same, parcels } = travelled(value)
  expect(same).toEqual(value)
  expect(parcels.length).toBeGreaterThan(10)
  for (const parcel of parcels) expect(serialize(parcel).byteLength).toBeLessThan(1_000_000)
})

test('a long string is one piece for each stretch', () => {
  const lengths = travelled('a'.repeat(1_000_000)).parcels.map((parcel) =>
    'more' in parcel && typeof parcel.more === 'string' ? parcel.more.length : null,
  )
  expect(lengths).toEqual([262_144, 262_144, 262_144, 213_568, null])
})

test('a piece without a place is refused', () => {
  for (const path of [['a', 'b'], ['__proto__'], ['constructor', 'prototype']]) {
    const receive = createChunkReader()
    receive({ path, more: 'x' })
    expect(() => receive({ rest: { a: 1 } })).toThrow('no place')
  }
})
