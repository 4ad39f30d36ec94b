/** One event as a line of a file. Pure. */
import type { AuditEvent } from '@atrium/contract/audit'

type Event = AuditEvent & { readonly hash: string }

const columns = [
  'seq',
  'occurredAt',
  'action',
  'result',
  'actorKind',
  'actorUserId',
  'actorName',
  'targetType',
  'targetId',
  'targetName',
  'address',
  'requestId',
  'details',
  'hash',
] as const

/** CSV as in RFC 4180, with a mark by which spreadsheets know that it is UTF-8. */
export const csvHeader = `\uFEFF${columns.join(',')}\r\n`

export const csvLine = (event: Event): string =>
  `${columns.map((name) => cell(name === 'details' ? event.details && JSON.stringify(event.details) : event[name])).join(',')}\r\n`

/** As it was written: what is called how is for the page. */
export const jsonLine = ({ names: _names, ...event }: Event): string => `${JSON.stringify(event)}\n`

/** Spreadsheets take cells that begin so for formulas. */
const formula = /^[=+\-@\t\r]/

const cell = (value: string | number | null): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const plain = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
