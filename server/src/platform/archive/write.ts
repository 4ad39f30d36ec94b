/**
 * A zip archive, written piece by piece: neither it nor any of its files is ever whole in memory. Texts are packed,
 * files that are packed already are only stored. Without the ZIP64 extension an archive ends at 4 GB.
 */
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** One file of an archive. */
export interface ArchiveFile {
  /** With slashes for folders. */
  readonly name: string
  /** Integer milliseconds. */
  readonly modifiedAt: number
  /** false for what is packed already: pictures, PDF, office files. */
  readonly pack: boolean
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** The archive of these files, in pieces of any size. Throws what reading one of them throws. */
export async function* writeArchive(files: AsyncIterable<ArchiveFile>): AsyncIterable<Uint8Array> {
  const ready: Uint8Array[] = []
  let failure: Error | null = null
  let size = 0
  const zip = new Zip((error, piece) => {
    if (error) failure = error
    else ready.push(piece)
  })
  function* take(): Iterable<Uint8Array> {
    if (failure) throw failure
    for (const piece of ready.splice(0)) {
      size += piece.byteLength
      if (size > largest) throw new RangeError('An archive cannot be larger than 4 GB.')
      yield piece
    }
  }
  for await (const file of files) {
    const entry = file.pack ? new ZipDeflate(file.name, { level: 6 }) : new ZipPassThrough(file.name)
    entry.mtime = Math.max(file.modifiedAt, earliest)
    zip.add(entry)
    for await (const content of file.content)
      for (let at = 0; at < content.byteLength; at += slice) {
        entry.push(content.subarray(at, at + slice))
        yield* take()
        // Everybody else gets a turn between two slices.
        await new Promise((resolve) => setImmediate(resolve))
      }
    entry.push(new Uint8Array(), true)
    yield* take()
  }
  zip.end()
  yield* take()
}

const slice = 64 * 1024
const largest = 0xff_ff_ff_ff
/** Archives know no time before 1980. */
const earliest = Date.UTC(1980, 0, 2)

const encoder = new TextEncoder()
/** Texts as content, each piece as it comes. */
export async function* bytesOf(texts: AsyncIterable<string> | Iterable<string>): AsyncIterable<Uint8Array> {
  for await (const text of texts) yield encoder.encode(text)
}
/** A value as content. */
export const jsonBytes = (value: unknown): Uint8Array[] => [encoder.encode(`${JSON.stringify(value, null, 2)}\n`)]

/** A name that every file system takes, told apart from others by `mark`; `end` with its dot. */
export const safeName = (name: string, mark: string, end = ''): string => {
  const plain = name
    .normalize('NFC')
    // eslint-disable-next-line no-control-regex -- control characters are what has to go
    .replace(/[\u0000-\u001f<>:"/\\|?*\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  return `${mark}${plain ? ` ${Array.from(plain).slice(0, 80).join('')}` : ''}${end}`
}
