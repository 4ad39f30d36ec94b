/** Chunks on their way into packs, and out of them. */
import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type Destination, DestinationFailure } from './destinations/destination.ts'
import { BackupFailure } from './failure.ts'
import { packName, type StoredChunk } from './manifest.ts'
import { freeBehind, freeMemory } from '../memory.ts'
import { openObject, sealObject } from './seal.ts'

/** A pack is closed once it has so much. */
const fullPackBytes = 8 * 1024 * 1024
/** A row of the largest size that a database gives, and a chunk beside it. */
const maxChunkBytes = 1024 ** 3 - 1
/** Packs that are kept open while chunks are read: tables that change are spread over many. */
const openPacks = 6

export interface BackupPlace {
  readonly destination: Destination
  readonly set: string
  readonly objects: KeyObject
  readonly names: KeyObject
  readonly signal?: AbortSignal | undefined
}

/** Tells contents apart; keyed, so that a name says nothing about what is in it. */
export const nameChunk = (names: KeyObject, content: Uint8Array): string =>
  createHmac('sha256', names).update(content).digest('hex').slice(0, 32)

export interface PackWriter {
  /** Where the content will lie. */
  add(name: string, content: Uint8Array, items: number): Promise<StoredChunk>
  /** Waits until all packs are stored. */
  finish(): Promise<{ packs: ReadonlyMap<string, number>; sentBytes: number }>
  /** Takes away what was stored, for a backup that is not made after all. What cannot go now is swept later. */
  discard(): Promise<void>
}

export const createPackWriter = ({ destination, set, objects, signal }: BackupPlace): PackWriter => {
  const packs = new Map<string, number>()
  let sentBytes = 0
  let pack = randomBytes(16).toString('hex')
  let pieces: Uint8Array[] = []
  let offset = 0
  // One is sent while the next is filled.
  let sending: Promise<void> = Promise.resolve()

  const close = async (): Promise<void> => {
    if (offset === 0) return
    const [id, content] = [pack, pieces]
    packs.set(id, offset)
    pack = randomBytes(16).toString('hex')
    pieces = []
    offset = 0
    await sending
    const name = packName(set, id)
    const sealed = sealObject(objects, name, ...content)
    for (const piece of content) freeMemory(piece)
    sentBytes += sealed.byteLength
    sending = destination.write(name, sealed, signal)
    // Whoever waits for it next hears of its failure.
    sending.catch(() => undefined)
  }
  return {
    add: async (name, content, items) => {
      const packed = compress(content)
      const stored = { name, pack, offset, length: packed.byteLength, items }
      pieces.push(packed)
      offset += packed.byteLength
      if (offset >= fullPackBytes) await close()
      return stored
    },
    finish: async () => {
      await close()
      await sending
      return { packs, sentBytes }
    },
    discard: async () => {
      await sending.catch(() => undefined)
      for (const id of packs.keys())
        try {
          await destination.remove(packName(set, id), signal)
        } catch (error) {
          if (!(error instanceof DestinationFailure)) throw error
          // The same would come of the others.
          if (error.kind === 'unreachable') return
        }
    },
  }
}

/** With tables for so much and no more, and one buffer for what comes out: many chunks are small. */
const compress = (content: Uint8Array): Uint8Array => {
  const { byteLength: length } = content
  const options = { pledgedSrcSize: length, chunkSize: length + (length >> 8) + 512 }
  const packed = zstdCompressSync(content, options)
  // It waits until its pack is full: without the rest of that buffer.
  const own = new Uint8Array(packed)
  freeBehind(packed)
  return own
}

export interface ChunkReader {
  /** The content of a chunk, which is what it was. One at a time. Throws BackupFailure `missing` or `damaged`. */
  read(chunk: StoredChunk): Promise<Buffer>
}

export const createChunkReader = ({ destination, set, objects, names, signal }: BackupPlace): ChunkReader => {
  const contents = new Map<string, Buffer>()
  const close = (pack: string): void => {
    const content = contents.get(pack)
    contents.delete(pack)
    if (content) freeBehind(content)
  }
  const open = async (pack: string): Promise<Buffer> => {
    const known = contents.get(pack)
    if (known) {
      contents.delete(pack)
      contents.set(pack, known)
      return known
    }
    const name = packName(set, pack)
    const bytes = await destination.read(name, signal)
    if (!bytes) throw new BackupFailure('missing', `${name} is missing.`)
    const content = openObject(objects, name, bytes)
    freeMemory(bytes)
    if (contents.size >= openPacks) close(contents.keys().next().value ?? '')
    contents.set(pack, content)
    return content
  }
  return {
    read: async (chunk) => {
      signal?.throwIfAborted()
      const content = await open(chunk.pack)
      const packed = content.subarray(chunk.offset, chunk.offset + chunk.length)
      const plain = zstdDecompressSync(packed, { maxOutputLength: maxChunkBytes })
      if (packed.byteLength !== chunk.length || nameChunk(names, plain) !== chunk.name)
        throw new BackupFailure('damaged', `A chunk of ${packName(set, chunk.pack)} is not what it should be.`)
      return plain
    },
  }
}
