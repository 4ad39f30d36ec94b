/** A multipart form with one file (RFC 7578), as bytes. */
import { createHash } from 'node:crypto'

export type Field = readonly [name: string, value: string]

export interface FormFile {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export function encodeForm(fields: readonly Field[], file: FormFile): { type: string; bytes: Uint8Array } {
  // Made of what it parts, so that it stands nowhere within it.
  const digest = createHash('sha256').update(file.bytes).update(JSON.stringify(fields)).digest('hex')
  const boundary = `atrium-${digest.slice(0, 40)}`
  const head = (disposition: string, type = '') =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`)
  const parts = fields.flatMap(([name, value]) => [head(`name="${quotable(name)}"`), Buffer.from(`${value}\r\n`)])
  const type = `Content-Type: ${/^[\w.+-]+\/[\w.+-]+$/.test(file.mediaType) ? file.mediaType : 'application/octet-stream'}\r\n`
  const bytes = Buffer.concat([
    ...parts,
    head(`name="file"; filename="${quotable(file.name)}"`, type),
    file.bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, bytes }
}

/** As browsers write them. */
const quotable = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
