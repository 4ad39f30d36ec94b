/** Paths of a change, as RFC 7644 section 3.5.2 writes them and as directories do. Pure. */
import { fail } from '../../platform/http/refusal.ts'

export interface AttributePath {
  /** In small letters. */
  readonly attribute: string
  /** The filter in brackets: which of several values is meant. */
  readonly filter: { readonly attribute: string; readonly value: string } | null
  readonly sub: string | null
  /** Of a schema that is not kept here. */
  readonly isForeign: boolean
}

const form =
  /^([A-Za-z$][\w$-]*)(?:\[\s*([A-Za-z$][\w$-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*\])?(?:\.([A-Za-z$][\w$-]*))?$/i

/** Refuses with `scim_path`. */
export const parsePath = (written: string): AttributePath => {
  const own = written.trim().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '')
  if (/^urn:/i.test(own)) return { attribute: own, filter: null, sub: null, isForeign: true }
  const match = form.exec(own)
  if (!match) throw fail('scim_path')
  const [, attribute = '', filterName, filterValue, sub] = match
  return {
    attribute: attribute.toLowerCase(),
    filter: filterName ? { attribute: filterName.toLowerCase(), value: unquoted(filterValue ?? '') } : null,
    sub: sub?.toLowerCase() ?? null,
    isForeign: false,
  }
}

export type PatchOperation = 'add' | 'replace' | 'remove'
/** Directories write these with capitals as they like. Refuses with `validation_failed`. */
export const readOp = (written: string): PatchOperation => {
  const op = written.toLowerCase()
  if (op === 'add' || op === 'replace' || op === 'remove') return op
  throw fail('validation_failed', 'Operations can be add, replace or remove.')
}

const unquoted = (written: string): string => {
  if (!written.startsWith('"')) return written.toLowerCase()
  try {
    return String(JSON.parse(written))
  } catch {
    throw fail('scim_path')
  }
}
