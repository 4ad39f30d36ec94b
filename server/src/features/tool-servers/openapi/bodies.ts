/** Bodies as they are sent. Pure, but for the border of a form. */
import { randomBytes } from 'node:crypto'
import type { Body } from './operation.ts'
import { ArgumentFault } from './argument-fault.ts'

export interface SentBody {
  readonly mediaType: string
  readonly content: string | Uint8Array
}

export const toBody = (value: unknown, { kind, mediaType, files }: Body): SentBody => {
  if (kind === 'json') return { mediaType, content: JSON.stringify(value) }
  if (kind === 'text') return { mediaType, content: textOf(value) }
  const fields = fieldsOf(value)
  if (kind === 'form') {
    const form = new URLSearchParams(fields.map(([name, one]): [string, string] => [name, textOf(one)]))
    return { mediaType, content: form.toString() }
  }
  return toForm(fields, new Set(files))
}

const fieldsOf = (value: unknown): [string, unknown][] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ArgumentFault('The body must be an object.')
  return Object.entries(value).flatMap(([name, one]) =>
    (Array.isArray(one) ? (one as unknown[]) : [one])
      .filter((each) => each !== null && each !== undefined)
      .map((each): [string, unknown] => [name, each]),
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value)

/** RFC 7578. */
const toForm = (fields: readonly [string, unknown][], files: ReadonlySet<string>): SentBody => {
  const border = `atrium-${randomBytes(16).toString('hex')}`
  const parts: Uint8Array[] = []
  for (const [name, value] of fields) {
    const isFile = files.has(name)
    const about = `form-data; name="${quoted(name)}"${isFile ? `; filename="${quoted(name)}"` : ''}`
    const type = isFile ? '\r\ncontent-type: application/octet-stream' : ''
    parts.push(Buffer.from(`--${border}\r\ncontent-disposition: ${about}${type}\r\n\r\n`))
    parts.push(isFile ? bytesOf(name, value) : Buffer.from(textOf(value)), Buffer.from('\r\n'))
  }
  parts.push(Buffer.from(`--${border}--\r\n`))
  return { mediaType: `multipart/form-data; boundary=${border}`, content: Buffer.concat(parts) }
}

/** As browsers write names, so that none ends its line. */
const quoted = (name: string): string =>
  name
    .toWellFormed()
    .replace(/\r\n?|\n/g, '%0D%0A')
    .replaceAll('"', '%22')

const bytesOf = (name: string, value: unknown): Uint8Array => {
  const text = typeof value === 'string' ? value.replace(/\s+/g, '') : ''
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw new ArgumentFault(`${name} must be base64.`)
  return Buffer.from(text, 'base64')
}
