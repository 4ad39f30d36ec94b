/** The filters that directories send: comparisons with `eq`, joined by `and` (RFC 7644, section 3.4.2.2). Pure. */
import { fail } from '../../platform/http/refusal.ts'

export interface FilterComparison {
  /** In small letters, without the schema's name. */
  readonly attribute: string
  readonly value: string | boolean
}

const comparison = /^\s*((?:urn:[A-Za-z0-9.:_-]+:)?[A-Za-z$][\w$.-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*/i

/** Refuses with `scim_filter` what is anything else, or compares an attribute that is not in `known`. */
export const parseFilter = (filter: string, known: ReadonlySet<string>): FilterComparison[] => {
  const found: FilterComparison[] = []
  let rest = filter
  for (;;) {
    const match = comparison.exec(rest)
    if (!match) throw fail('scim_filter')
    const attribute = (match[1] ?? '').toLowerCase().replace(/^urn:.*:/, '')
    if (!known.has(attribute)) throw fail('scim_filter', `Filtering by ${attribute.slice(0, 100)} isn’t supported.`)
    found.push({ attribute, value: readValue(match[2] ?? '') })
    rest = rest.slice(match[0].length)
    if (rest === '') return found
    const joined = /^and\s+/i.exec(rest)
    if (!joined || found.length >= 10) throw fail('scim_filter')
    rest = rest.slice(joined[0].length)
  }
}

const readValue = (written: string): string | boolean => {
  if (!written.startsWith('"')) return written.toLowerCase() === 'true'
  try {
    return String(JSON.parse(written))
  } catch {
    throw fail('scim_filter')
  }
}
