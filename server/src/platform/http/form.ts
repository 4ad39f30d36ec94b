/** Forms with files (RFC 7578), taken apart by looking for their borders only: no byte of a file is copied. */
import { fail } from './refusal.ts'

export interface FormFile {
  /** The field it came as. */
  readonly field: string
  /** As the sender calls it; anything may stand there. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export interface Form {
  readonly fields: ReadonlyMap<string, string>
  readonly files: readonly FormFile[]
}

/** Of the line between parts (RFC 2046, section 5.1.1). */
const longestBoundary = 70
const longestHead = 16 * 1024
const mostParts = 50

/** `contentType` is the header as it came. Refuses with `unsupported_media_type`, or `validation_failed` when it is broken or cut off. */
export const readForm = (body: Uint8Array, contentType: string): Form => {
  const boundary = checkBoundary(contentType)
  if (boundary === null) throw fail('unsupported_media_type', 'Send the file as multipart/form-data.')
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = Buffer.from(`--${boundary}`, 'latin1')
  const fields = new Map<string, string>()
  const files: FormFile[] = []
  let at = bytes.indexOf(delimiter)
  for (let parts = 0; at >= 0 && parts <= mostParts; parts++) {
    at += delimiter.length
    if (bytes[at] === 0x2d && bytes[at + 1] === 0x2d) return { fields, files }
    const headStart = bytes.indexOf('\r\n', at) + 2
    const headEnd = bytes.indexOf('\r\n\r\n', headStart - 2)
    const next = bytes.indexOf(`\r\n${delimiter.toString('latin1')}`, headEnd, 'latin1')
    if (headStart < 2 || headEnd < 0 || next < 0 || headEnd - headStart > longestHead) break
    const { field, fileName, mediaType } = readHead(bytes.toString('utf8', headStart, headEnd))
    const content = bytes.subarray(Math.min(headEnd + 4, next), next)
    if (field === null) break
    if (fileName === null) fields.set(field, content.toString('utf8'))
    else files.push({ field, name: fileName, mediaType, bytes: content })
    at = next + 2
  }
  throw fail('validation_failed', 'This form is broken, or not all of it arrived.')
}

/** The boundary that the header names; null where it names none. Refuses one that is longer than forms may have. */
export const checkBoundary = (contentType: string): string | null => {
  const named = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType)
  const boundary = named?.[1] ?? named?.[2] ?? null
  if (boundary !== null && boundary.length > longestBoundary)
    throw fail('validation_failed', `The boundary of a form has at most ${longestBoundary} characters.`)
  return boundary
}

const readHead = (head: string): { field: string | null; fileName: string | null; mediaType: string } => {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1] ?? ''
  const parameter = (name: string): string | null => {
    const found = new RegExp(`(?:^|;)\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i').exec(disposition)
    return found ? unescape(found[1]?.replace(/\\(["\\])/g, '$1') ?? found[2] ?? '') : null
  }
  const mediaType = /^content-type:\s*(.*)$/im.exec(head)?.[1]?.trim() ?? ''
  return { field: parameter('name'), fileName: parameter('filename'), mediaType }
}

/** Browsers write these three, and nothing else, as escapes. */
const unescape = (text: string): string =>
  text.replace(/%22|%0D|%0A/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
