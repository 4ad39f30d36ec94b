/**
 * The one way into a zip, whatever it calls itself. The directory is read and judged first: number, sizes, ratios, overlaps
 * and names. A member is inflated when asked for, and never beyond the size that was judged. No name is used as a path.
 */
import { inflateRawSync } from 'node:zlib'
import { ReadFault } from './fault.ts'
import { guessEncoding } from './text/decode.ts'

export interface Archive {
  /** In the order of the directory, with `/` between folders; folders themselves are left out. */
  readonly names: readonly string[]
  /** The bytes of a member; null when there is none of that name. Throws ReadFault. */
  read(name: string): Uint8Array | null
}

/** What a file and all files inside it may take together. */
export interface Budget {
  /** Bytes that may still be inflated. */
  inflated: number
  /** Members that may still be listed. */
  members: number
}
export const freshBudget = (): Budget => ({ inflated: 384 * 2 ** 20, members: 10_000 })

const mostPart = 192 * 2 ** 20
/** Real parts stay far below this ratio; judged from a size that could hurt. */
const mostRatio = 250
const ratioCheckedFrom = 4 * 2 ** 20

/** Throws ReadFault: damaged, too_complex. */
export const openArchive = (bytes: Uint8Array, budget: Budget): Archive => {
  const members = readDirectory(bytes, budget)
  requireSafeArchive(members, budget)
  const byName = new Map(members.map((member) => [member.name, member]))
  return {
    names: members.filter(({ name }) => !name.endsWith('/')).map(({ name }) => name),
    read(name) {
      const member = byName.get(name)
      if (!member) return null
      budget.inflated -= member.size
      if (budget.inflated < 0) throw new ReadFault('too_complex')
      return inflate(bytes, member)
    },
  }
}

interface Member {
  readonly name: string
  /** As it stands in the file. */
  readonly rawName: Uint8Array
  readonly locked: boolean
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const requireSafeArchive = (members: readonly Member[], budget: Budget): void => {
  budget.members -= members.length
  if (budget.members < 0) throw new ReadFault('too_complex')
  let total = 0
  let reached = 0
  for (const { packed, size, offset } of members.toSorted((a, b) => a.offset - b.offset)) {
    total += size
    const bomb = size > ratioCheckedFrom && size / Math.max(1, packed) > mostRatio
    if (size > mostPart || bomb || offset < reached) throw new ReadFault('too_complex')
    reached = offset + localHeader + packed
  }
  if (total > budget.inflated) throw new ReadFault('too_complex')
}

const localHeader = 30
const directoryHeader = 46

/** The central directory (APPNOTE 4.3.12), sizes of more than 4 GB (4.5.3) included. */
const readDirectory = (bytes: Uint8Array, budget: Budget): Member[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { count, start } = findDirectory(bytes, view)
  if (count > budget.members) throw new ReadFault('too_complex')
  const encoding = nameEncoding(bytes, view, start, count)
  const members: Member[] = []
  let at = start
  for (let i = 0; i < count; i += 1) {
    if (at + directoryHeader > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw new ReadFault('damaged')
    const flags = view.getUint16(at + 8, true)
    const nameLength = view.getUint16(at + 28, true)
    const extraLength = view.getUint16(at + 30, true)
    const nameAt = at + directoryHeader
    if (nameAt + nameLength + extraLength > bytes.length) throw new ReadFault('damaged')
    const sizes = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)] as const
    const [size, packed, offset] = wideSizes(view, nameAt + nameLength, extraLength, sizes)
    const rawName = bytes.subarray(nameAt, nameAt + nameLength)
    members.push({
      name: nameOf(rawName, (flags & 0x800) !== 0, encoding),
      rawName,
      locked: (flags & 1) !== 0,
      method: view.getUint16(at + 10, true),
      packed,
      size,
      offset,
    })
    at = nameAt + nameLength + extraLength + view.getUint16(at + 32, true)
  }
  return members.every((member) => startsAt(bytes, member)) ? members : relocated(bytes, members)
}

const header = Buffer.from([0x50, 0x4b, 3, 4])
const startsAt = (bytes: Uint8Array, { offset }: Member): boolean =>
  header.equals(bytes.subarray(offset, offset + header.length))

/**
 * Some writers forget to count what stands before the archive, or the descriptors behind members (APPNOTE 4.3.9), so that
 * offsets point beside the members: these are found by their own headers then, in one pass.
 */
const relocated = (bytes: Uint8Array, members: readonly Member[]): Member[] => {
  const keyOf = (name: Uint8Array): string => Buffer.from(name).toString('latin1')
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const wanted = new Map(members.map((member) => [keyOf(member.rawName), member]))
  const found = new Map<Member, number>()
  for (let at = file.indexOf(header); at !== -1 && at + localHeader <= file.length; ) {
    const nameEnd = at + localHeader + file.readUInt16LE(at + 26)
    const member = wanted.get(keyOf(file.subarray(at + localHeader, nameEnd)))
    const isFirst = member !== undefined && !found.has(member)
    if (isFirst) found.set(member, at)
    at = file.indexOf(header, isFirst ? nameEnd + file.readUInt16LE(at + 28) + member.packed : at + 1)
  }
  return members.map((member) => Object.assign(member, { offset: found.get(member) ?? member.offset }))
}

const findDirectory = (bytes: Uint8Array, view: DataView): { count: number; start: number } => {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at -= 1) {
    if (bytes[at] !== 0x50 || view.getUint32(at, true) !== 0x06054b50) continue
    const stated = view.getUint32(at + 16, true)
    const isThere = stated + 4 <= bytes.length && view.getUint32(stated, true) === 0x02014b50
    // It stands right before its end; what was put before the archive moves it.
    const start = isThere ? stated : Math.max(0, at - view.getUint32(at + 12, true))
    return { count: view.getUint16(at + 10, true), start }
  }
  throw new ReadFault('damaged')
}

type Sizes = readonly [size: number, packed: number, offset: number]
const wideSizes = (view: DataView, start: number, length: number, sizes: Sizes): Sizes => {
  if (!sizes.includes(0xffffffff)) return sizes
  for (let at = start; at + 4 <= start + length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue
    let field = at + 4
    const [size, packed, offset] = sizes.map((value) => {
      if (value !== 0xffffffff || field + 8 > start + length) return value
      field += 8
      return Number(view.getBigUint64(field - 8, true))
    })
    return [size ?? 0, packed ?? 0, offset ?? 0]
  }
  return sizes
}

/** Names are in the encoding of the machine that wrote them, which the file does not say: guessed from all together. */
const nameEncoding = (bytes: Uint8Array, view: DataView, start: number, count: number): string => {
  const names: Uint8Array[] = []
  let at = start
  for (let i = 0; i < count && at + directoryHeader <= bytes.length; i += 1) {
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    const from = at + directoryHeader
    names.push(bytes.subarray(from, from + (name ?? 0)))
    at = from + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  const foreign = Buffer.concat(names.filter((name) => !isUtf8(name)))
  return foreign.length === 0 ? 'utf-8' : guessEncoding(foreign)
}

/** A name that climbs out of its folder is only ever written to do harm. */
const nameOf = (bytes: Uint8Array, unicode: boolean, otherwise: string): string => {
  const name = new TextDecoder(unicode || isUtf8(bytes) ? 'utf-8' : otherwise).decode(bytes).replaceAll('\\', '/')
  if (name.startsWith('/') || name.includes('\0') || name.split('/').includes('..')) throw new ReadFault('damaged')
  return name
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const inflate = (bytes: Uint8Array, member: Member): Uint8Array => {
  if (member.locked) throw new ReadFault('encrypted')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { offset, packed, size, method } = member
  if (offset + localHeader > bytes.length || view.getUint32(offset, true) !== 0x04034b50) throw new ReadFault('damaged')
  const start = offset + localHeader + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  const body = bytes.subarray(start, start + packed)
  if (body.length !== packed) throw new ReadFault('damaged')
  if (method === 0) return body
  if (method !== 8) throw new ReadFault('unsupported')
  try {
    // One piece of the size that was judged: pieces put together later would take it twice.
    const whole = inflateRawSync(body, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size) })
    return new Uint8Array(whole.buffer, whole.byteOffset, whole.byteLength)
  } catch {
    // What does not inflate, or inflates to more than the directory says, is not what it says.
    throw new ReadFault('damaged')
  }
}
