/**
 * What is big is sent in pieces, so that neither end is long busy with one of them: long strings, bytes and lists go bit
 * by bit, and are put together again at their places.
 */

type Path = readonly (string | number)[]
type Bulk = string | Uint8Array | readonly unknown[]

export type Chunk = { readonly path: Path; readonly more: Bulk } | { readonly rest: unknown }

/** What the end that was sent a piece says when it is ready for another one. */
export const readyForNext = 'next'

/** Characters or bytes of a piece, about. */
const most = 256 * 1024

/** The pieces of a value in the order to be sent; a small one is a single piece. */
export function* splitIntoChunks(value: unknown): Generator<Chunk> {
  const rest = yield* lighten(value, [])
  yield { rest }
}

/** Puts the pieces together; the last one gives the value. Throws when a piece has no place. */
export const createChunkReader = (): ((parcel: Chunk) => { readonly value: unknown } | null) => {
  const bulks = new Map<string, { readonly path: Path; readonly parts: Bulk[] }>()
  return (parcel) => {
    if (!('rest' in parcel)) {
      const place = JSON.stringify(parcel.path)
      const bulk = bulks.get(place)
      if (bulk) bulk.parts.push(parcel.more)
      else bulks.set(place, { path: parcel.path, parts: [parcel.more] })
      return null
    }
    // A list first, and then what is big inside.
    const sorted = [...bulks.values()].toSorted((a, b) => a.path.length - b.path.length)
    bulks.clear()
    return { value: sorted.reduce((value, { path, parts }) => put(value, path, join(parts)), parcel.rest) }
  }
}

function* lighten(value: unknown, path: Path): Generator<Chunk, unknown> {
  if (estimateSize(value) <= most) return value
  if (typeof value === 'string') {
    for (let at = 0; at < value.length; at += most) yield { path, more: value.slice(at, at + most) }
    return ''
  }
  if (value instanceof Uint8Array) {
    // Copies: a view would take all that it is a view of along.
    for (let at = 0; at < value.length; at += most) yield { path, more: new Uint8Array(value.subarray(at, at + most)) }
    return new Uint8Array()
  }
  return yield* Array.isArray(value) ? lightenList(value, path) : lightenObject(value as object, path)
}

function* lightenList(list: readonly unknown[], path: Path): Generator<Chunk, unknown> {
  let some: unknown[] = []
  let weight = 0
  for (const [at, item] of list.entries()) {
    const light = yield* lighten(item, [...path, at])
    const more = estimateSize(light)
    if (some.length > 0 && weight + more > most) {
      yield { path, more: some }
      some = []
      weight = 0
    }
    some.push(light)
    weight += more
  }
  yield { path, more: some }
  return []
}

function* lightenObject(object: object, path: Path): Generator<Chunk, unknown> {
  const light: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) light[name] = yield* lighten(value, [...path, name])
  return light
}

/** What neither is a list nor a plain object, such as a key, is sent as it is. */
const estimateSize = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  if (value instanceof Uint8Array) return value.byteLength
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + 8 + estimateSize(item), 0)
  if (Object.getPrototypeOf(value) !== Object.prototype) return 8
  let weight = 0
  for (const name in value) weight += name.length + estimateSize((value as Record<string, unknown>)[name])
  return weight
}

const put = (value: unknown, [first, ...others]: Path, bulk: Bulk): unknown => {
  if (first === undefined) return bulk
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first))
    throw new Error('A piece of a result has no place.')
  const holder = value as Record<string | number, unknown>
  holder[first] = put(holder[first], others, bulk)
  return value
}

const join = (parts: readonly Bulk[]): Bulk => {
  const [first] = parts
  if (typeof first === 'string') return parts.join('')
  if (!(first instanceof Uint8Array)) return (parts as readonly unknown[][]).flat()
  const bytes = parts as readonly Uint8Array[]
  const whole = new Uint8Array(bytes.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const some of bytes) {
    whole.set(some, at)
    at += some.byteLength
  }
  return whole
}
