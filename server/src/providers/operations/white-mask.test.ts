import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { samplePng } from '../../testing/sample-pictures.ts'
import { toWhiteMask } from './white-mask.ts'

const chunk = (kind: string, inside: Buffer): Buffer => {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), inside])
  length.writeUInt32BE(inside.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG of these rows, each with the number of its filter in front. */
const png = (
  width: number,
  rows: readonly (readonly number[])[],
  { colour = 6, depth = 8, height = rows.length } = {},
) => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, colour, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const data = chunk('IDAT', deflateSync(Buffer.from(rows.flat())))
  return Buffer.concat([signature, chunk('IHDR', head), data, chunk('IEND', Buffer.alloc(0))])
}

const read = (mask: Uint8Array): { type: number | undefined; rows: number[] } => {
  const bytes = Buffer.from(mask)
  const at = bytes.indexOf('IDAT')
  const data = bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4))
  return { type: bytes[25], rows: [...inflateSync(data)] }
}

test('what is transparent becomes white, and what is not black, whatever the rows are filtered by', async () => {
  const pixel = (alpha: number) => [9, 9, 9, alpha]
  const plain = [0, ...pixel(0), ...pixel(255), ...pixel(100)]
  const sub = [1, ...pixel(10), ...pixel(245), ...pixel(1)]
  const up = [2, ...pixel(1), ...pixel(0), ...pixel(0)]
  const average = [3, ...pixel(1), ...pixel(0), ...pixel(0)]
  const paeth = [4, ...pixel(1), ...pixel(2), ...pixel(3)]
  const { type, rows } = read(await toWhiteMask(png(3, [plain, sub, up, average, paeth])))
  const alphas = [
    [0, 255, 100],
    [10, 255, 0],
    [11, 255, 0],
    [6, 130, 65],
    [7, 132, 68],
  ]
  expect(type).toBe(0)
  expect(rows).toEqual(alphas.flatMap((row) => [0, ...row.map((alpha) => 255 - alpha)]))
  expect(read(await toWhiteMask(png(2, [[0, 50, 0, 50, 255]], { colour: 4 }))).rows).toEqual([0, 255, 0])
})

test.each([
  ['without transparency', samplePng(2, 2), 'rejected'],
  ['of 16 bits', png(1, [[0, 0, 0, 0, 0, 0, 0, 0, 0]], { depth: 16 }), 'rejected'],
  ['that holds less than its head says', png(2, [[0, 1, 2, 3, 4]]), 'rejected'],
  ['that holds more than its head says', png(1, [[0, 1, 2, 3, 4, 5, 6, 7, 8]]), 'rejected'],
  ['of a filter that does not exist', png(1, [[7, 1, 2, 3, 4]]), 'rejected'],
  ['that is cut off', png(1, [[0, 1, 2, 3, 4]]).subarray(0, 45), 'rejected'],
  ['that is none', Buffer.from('<svg/>'), 'rejected'],
  ['that says it is 50,000 pixels wide and high', png(50_000, [[0]], { height: 50_000 }), 'too_large'],
])('a mask %s is refused', async (_, mask, kind) => {
  await expect(toWhiteMask(mask)).rejects.toMatchObject({ kind })
})
