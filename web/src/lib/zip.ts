/** Archives in the ZIP format (PKWARE APPNOTE 6.3), whose files lie in them as they are. Pure. */

export interface ZipFile {
  /** With `/` between folders. */
  readonly name: string
  readonly text: string
}

/** `at` is when the files were written, in the time of this machine. At most 4 GB, and 65,535 files. */
export function makeZip(files: readonly ZipFile[], at: Date): Blob {
  const encoder = new TextEncoder()
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  const date = ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  const parts: Uint8Array<ArrayBuffer>[] = []
  const entries: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const file of files) {
    const [name, bytes] = [encoder.encode(file.name), encoder.encode(file.text)]
    // What stands in the head of a file and again in its entry. Version 2.0, names in UTF-8, stored.
    const facts = [2, 20, 2, 0x0800, 2, 0, 2, time, 2, date, 4, crcOf(bytes), 4, bytes.length, 4, bytes.length]
    const head = fieldsOf([4, 0x04034b50, ...facts, 2, name.length, 2, 0])
    parts.push(head, name, bytes)
    entries.push(
      fieldsOf([4, 0x02014b50, 2, 20, ...facts, 2, name.length, 2, 0, 2, 0, 2, 0, 2, 0, 4, 0, 4, offset]),
      name,
    )
    offset += head.length + name.length + bytes.length
  }
  const size = entries.reduce((sum, { length }) => sum + length, 0)
  const end = fieldsOf([4, 0x06054b50, 2, 0, 2, 0, 2, files.length, 2, files.length, 4, size, 4, offset, 2, 0])
  return new Blob([...parts, ...entries, end], { type: 'application/zip' })
}

/** Pairs of a width in bytes and a value, one after the other, the lowest byte first. */
function fieldsOf(pairs: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  for (let at = 0; at < pairs.length; at += 2)
    for (let byte = 0; byte < (pairs[at] ?? 0); byte += 1) bytes.push(((pairs[at + 1] ?? 0) >>> (8 * byte)) & 0xff)
  return Uint8Array.from(bytes)
}

const crcTable = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 as ZIP has it. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}
