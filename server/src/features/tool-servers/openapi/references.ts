/** References within a document. What leads out of it, or round in it, is a fault of the operation that needs it. */
import { OperationFault } from './faults.ts'
import { isObject, type Json, type JsonObject } from './parse-document.ts'

/** So many references may stand behind one another. */
export const mostReferences = 8

/** What a reference names, and the references on the way to it. */
export interface ReferenceTarget {
  readonly value: JsonObject
  readonly chain: readonly string[]
}

/** Follows `$ref` until something stands there itself. Throws OperationFault. */
export const follow = (
  document: JsonObject,
  given: Json | undefined,
  before: readonly string[] = [],
): ReferenceTarget => {
  let value = given
  let chain = before
  while (isObject(value) && typeof value['$ref'] === 'string') {
    const ref = value['$ref']
    chain = [...chain, requireNew(ref, chain)]
    value = lookUp(document, ref)
  }
  if (!isObject(value)) throw new OperationFault('bad-schema')
  return { value, chain }
}

/** Throws where a reference leads out, leads round, or is one too many. */
export const requireNew = (ref: string, chain: readonly string[]): string => {
  if (!ref.startsWith('#')) throw new OperationFault('outside-reference')
  if (chain.includes(ref)) throw new OperationFault('circular-reference')
  if (chain.length >= mostReferences) throw new OperationFault('too-large')
  return ref
}

/** A JSON pointer (RFC 6901) as a fragment. */
export const lookUp = (document: JsonObject, ref: string): Json => {
  let value: Json = document
  for (const piece of ref.slice(1).split('/').slice(1)) {
    const name = decode(piece).replaceAll('~1', '/').replaceAll('~0', '~')
    const next: Json | undefined = Array.isArray(value)
      ? (value as readonly Json[])[/^\d{1,6}$/.test(name) ? Number(name) : -1]
      : isObject(value) && Object.hasOwn(value, name)
        ? value[name]
        : undefined
    if (next === undefined) throw new OperationFault('bad-schema')
    value = next
  }
  return value
}

const decode = (piece: string): string => {
  try {
    return decodeURIComponent(piece)
  } catch {
    // It is no escape: it stands as it is.
    return piece
  }
}
