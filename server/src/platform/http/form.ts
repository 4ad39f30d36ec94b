/** Forms with files (RFC 7578), taken apart while they arrive: beside the parts nothing of the body is kept. */
import { Dicer } from '@fastify/busboy'
import type { z } from 'zod'
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

/** What a schema makes of the fields of a form. Refuses with `validation_failed`, which names each of them. */
export const readFields = <S extends z.ZodType>(
  schema: S,
  fields: Iterable<readonly [string, string]>,
): z.output<S> => {
  const read = schema.safeParse(Object.fromEntries(fields))
  if (read.success) return read.data
  const issues = read.error.issues.map(({ path, message }) => ({ path: `body.${path.join('.')}`, message }))
  throw fail('validation_failed', undefined, issues.slice(0, 20))
}

export interface FormReader {
  push(bytes: Buffer): void
  /** Call it after the last bytes. Refuses with `validation_failed` when the form is broken or cut off. */
  end(): Promise<Form>
}

/** `contentType` is the header as it came. Refuses with `unsupported_media_type` where it announces no form. */
export const createFormReader = (contentType: string): FormReader => {
  const boundary = checkBoundary(contentType)
  if (boundary === null) throw fail('unsupported_media_type', 'Send the file as multipart/form-data.')
  const fields = new Map<string, string>()
  const files: FormFile[] = []
  const parts: Promise<boolean>[] = []
  const keep = ({ field, fileName, mediaType }: PartHead, bytes: Buffer): boolean => {
    if (field === null) return false
    if (fileName === null) fields.set(field, bytes.toString('utf8'))
    else files.push({ field, name: fileName, mediaType, bytes })
    return true
  }
  // The types of the package do not know the bound of a head, which its parser has.
  const options = { boundary, maxHeaderSize: longestHead }
  const parser = new Dicer(options)
  const finished = new Promise<boolean>((resolve) => {
    parser.on('finish', () => resolve(true))
    parser.on('error', () => resolve(false))
  })
  parser.on('part', (part) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const chunks: Buffer[] = []
    let head: PartHead | null = null
    parts.push(promise)
    part.on('header', (lines: object) => {
      head = readHead(lines as HeadLines)
    })
    part.on('data', (chunk: Buffer) => void (parts.length <= mostParts && chunks.push(chunk)))
    part.on('end', () => resolve(head !== null && keep(head, Buffer.concat(chunks))))
    part.on('error', () => resolve(false))
  })
  return {
    push: (bytes) => void parser.write(bytes),
    async end() {
      parser.end()
      if (!(await finished) || parts.length > mostParts || (await Promise.all(parts)).includes(false))
        throw fail('validation_failed', 'This form is damaged or incomplete.')
      return { fields, files }
    },
  }
}

/** The boundary that the header names; null where it names none. Refuses one that is longer than forms may have. */
export const checkBoundary = (contentType: string): string | null => {
  const named = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType)
  const boundary = named?.[1] ?? named?.[2] ?? null
  if (boundary !== null && boundary.length > longestBoundary)
    throw fail('validation_failed', `A form’s boundary can have at most ${longestBoundary} characters.`)
  return boundary
}

/** The lines of a part's head by their names in lower case, one character a byte. */
type HeadLines = Readonly<Record<string, readonly string[] | undefined>>

interface PartHead {
  readonly field: string | null
  readonly fileName: string | null
  readonly mediaType: string
}

const readHead = (lines: HeadLines): PartHead => {
  const line = (name: string): string => Buffer.from(lines[name]?.[0] ?? '', 'latin1').toString('utf8')
  const disposition = /^form-data\s*;(.*)$/i.exec(line('content-disposition'))?.[1] ?? ''
  const parameter = (name: string): string | null => {
    const found = new RegExp(`(?:^|;)\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i').exec(disposition)
    return found ? unescape(found[1]?.replace(/\\(["\\])/g, '$1') ?? found[2] ?? '') : null
  }
  return { field: parameter('name'), fileName: parameter('filename'), mediaType: line('content-type').trim() }
}

/** Browsers write these three, and nothing else, as escapes. */
const unescape = (text: string): string =>
  text.replace(/%22|%0D|%0A/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
