import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeZip } from './zip.ts'

test('files lie in an archive as they are, each found by its entry at the end', async () => {
  const files = [
    { name: 'index.html', text: '<p>Ünïcode 😀</p>' },
    { name: 'source/empty.txt', text: '' },
  ]
  const zip = Buffer.from(await makeZip(files, new Date(2026, 4, 6, 7, 8, 10)).arrayBuffer())
  const end = zip.length - 22
  expect([zip.readUInt32LE(end), zip.readUInt16LE(end + 10)]).toEqual([0x06054b50, 2])
  let entry = zip.readUInt32LE(end + 16)
  for (const { name, text } of files) {
    expect([zip.readUInt32LE(entry), zip.readUInt16LE(entry + 8)]).toEqual([0x02014b50, 0x0800])
    const head = zip.readUInt32LE(entry + 42)
    const nameLength = zip.readUInt16LE(head + 26)
    const [size, crc] = [zip.readUInt32LE(head + 18), zip.readUInt32LE(head + 14)]
    const start = head + 30 + nameLength
    expect(zip.toString('utf8', head + 30, start)).toBe(name)
    expect(zip.toString('utf8', start, start + size)).toBe(text)
    expect(crc).toBe(crc32(text))
    expect(zip.readUInt32LE(entry + 16)).toBe(crc)
    entry += 46 + nameLength
  }
  expect(entry).toBe(end)
  expect([zip.readUInt16LE(12), zip.readUInt16LE(10)]).toEqual([(46 << 9) | (5 << 5) | 6, (7 << 11) | (8 << 5) | 5])
})
