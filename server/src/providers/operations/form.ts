/** A multipart form (RFC 7578) as bytes. */
import { createHash } from 'node:crypto'

export type Field = readonly [name: string, value: string]

export interface FormFile {
  /** The field that it is in. */
  readonly field: string
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export interface Form {
  readonly fields: readonly Field[]
  readonly files: readonly FormFile[]
}

export function encodeForm({ fields, files }: Form): { type: string; bytes: Uint8Array } {
  // Made of what it parts, so that it stands nowhere within it.
  const digest = createHash('sha256').update(JSON.stringify(fields))
  for (const { bytes } of files) digest.update(bytes)
  const boundary = `atrium-${digest.digest('hex').slice(0, 40)}`
  const head = (disposition: string, type = '') =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`)
  const end = Buffer.from('\r\n')
  const bytes = Buffer.concat([
    ...fields.flatMap(([name, value]) => [head(`name="${quotable(name)}"`), Buffer.from(value), end]),
    ...files.flatMap((file) => [
      head(`name="${quotable(file.field)}"; filename="${quotable(file.name)}"`, typeLine(file)),
      file.bytes,
      end,
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, bytes }
}

const typeLine = ({ mediaType }: FormFile): string =>
  `Content-Type: ${/^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream'}\r\n`

/** As browsers write them. */
const quotable = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Fields that have a value, as text. */
export const fieldsOf = (values: Readonly<Record<string, string | number | boolean | undefined>>): Field[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as const],
  )
