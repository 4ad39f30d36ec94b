/**
 * Reads one file of any format. It runs in a process of its own (see index.ts): nothing of the server may import it, for
 * the libraries it needs are large, and what they are given is hostile.
 */
import type { CalendarFile } from './calendar/types.ts'
import { freshBudget, openArchive, type Budget } from './archive.ts'
import { mostText } from './compose.ts'
import { ReadFault } from './fault.ts'
import { claimedType, mediaTypeOf } from './kinds.ts'
import type { FileDescription, Reader, ReaderOutput, ReadInner } from './reader.ts'
import type { Article } from './text/html/article.ts'
import { isZipped, typeOf, type KnownType } from './type.ts'
import type { Extract, FileType, Picture, ReadFailure, ReadRequest, ReadResult } from './types.ts'

/** The task: bytes in, what was read or why not out. Never throws. */
export const read = async (request: ReadRequest): Promise<ReadResult> => {
  try {
    // Readers slice; a Buffer would share where an array of bytes copies.
    const { buffer, byteOffset, byteLength } = request.bytes
    return await readWithin({ ...request, bytes: new Uint8Array(buffer, byteOffset, byteLength) }, freshBudget(), 0)
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

/** The task for web pages. Never throws. */
export const readPage = async (html: string): Promise<Article | { failure: ReadFailure }> => {
  try {
    return (await import('./text/html/article.ts')).readArticle(html)
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

/** The task for the events of calendars. Never throws. */
export const readCalendar = async ({
  bytes,
  most,
}: {
  readonly bytes: Uint8Array
  readonly most: number
}): Promise<CalendarFile | { failure: ReadFailure }> => {
  try {
    return (await import('./calendar/entries.ts')).readCalendarEntries(bytes, most)
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

/** A file in a file in a file in a file is a trick. */
const mostDepth = 3
const mostPictures = 20
const mostPictureBytes = 40 * 2 ** 20

/** Throws ReadFault. */
const readWithin = async (request: ReadRequest, budget: Budget, depth: number): Promise<ReadResult> => {
  if (depth > mostDepth) throw new ReadFault('too_complex')
  const type = typeOf(request)
  if ('failure' in type) return type
  const known = isZipped(type.fileType) ? insideZip(type, request.bytes, budget) : type
  const reading = await (await readers[known.fileType]())(request.bytes, request, {
    budget,
    picturesFrom: request.picturesFrom ?? 1,
    readInner: (bytes, name, mediaType) => readInner({ bytes, name, mediaType }, budget, depth + 1),
  })
  return resultOf(known, reading)
}

const readInner = async (request: ReadRequest, budget: Budget, depth: number): Promise<ReadResult> => {
  try {
    return await readWithin(request, budget, depth)
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'too_complex') throw new ReadFault(failure)
    return { failure }
  }
}

const failureOf = (error: unknown): ReadFailure => {
  if (error instanceof ReadFault) return error.failure
  // The stack, a string or an array grew beyond what the language allows.
  return error instanceof RangeError ? 'too_complex' : 'damaged'
}

const resultOf = (
  known: KnownType,
  { extract, pictures = [], sound = false, parts = null, unread = { waiting: [], lost: [] } }: ReaderOutput,
): ReadResult => {
  if (extract.text.length > mostText) return { failure: 'too_complex' }
  if (extract.text.trim() === '' && pictures.length === 0 && !sound) return { failure: 'no_text' }
  const kept: Picture[] = []
  const left = new Set<number>()
  let bytes = 0
  for (const picture of pictures) {
    bytes += picture.bytes.length
    if (kept.length < mostPictures && bytes <= mostPictureBytes) kept.push(picture)
    else if (picture.page !== null) left.add(picture.page)
  }
  const waiting = [...new Set([...left, ...unread.waiting])].toSorted((a, b) => a - b)
  return { ...known, extract, pictures: kept, sound, parts, unread: { waiting, lost: unread.lost } }
}

/** What a zip holds says what it is, whatever it is called. */
const insideZip = (type: KnownType, bytes: Uint8Array, budget: Budget): KnownType => {
  const archive = openArchive(bytes, { ...budget })
  const holds = (folder: string) => archive.names.some((name) => name.startsWith(folder))
  if (archive.names.includes('mimetype')) {
    const declared = new TextDecoder().decode(archive.read('mimetype') ?? undefined).trim()
    const found = claimedType('', declared.replace(/-template$/, ''))
    if (found !== null && isZipped(found)) return { fileType: found, mediaType: declared }
  }
  if (archive.names.includes('META-INF/container.xml')) return known('epub')
  if (holds('word/')) return known('docx')
  if (holds('ppt/')) return known('pptx')
  if (holds('xl/')) return known('xlsx')
  return archive.names.includes('[Content_Types].xml') ? type : known('zip')
}
const known = (fileType: 'docx' | 'pptx' | 'xlsx' | 'epub' | 'zip'): KnownType => ({
  fileType,
  mediaType: mediaTypeOf[fileType],
})

/** Loaded when first needed: most processes meet few formats. */
const readers: Readonly<Record<FileType, () => Promise<Reader>>> = {
  pdf: async () => (await import('./pdf/pdf.ts')).readPdf,
  docx: async () => (await import('./office/docx.ts')).readDocx,
  pptx: async () => (await import('./office/pptx.ts')).readPptx,
  xlsx: async () => (await import('./office/xlsx.ts')).readXlsx,
  odt: async () => (await import('./office/odt.ts')).readOdt,
  odp: async () => (await import('./office/odp.ts')).readOdp,
  ods: async () => (await import('./office/ods.ts')).readOds,
  epub: async () => (await import('./epub.ts')).readEpub,
  zip: async () => (await import('./zip.ts')).readZip,
  image: async () => (await import('./media.ts')).readImage,
  audio: async () => (await import('./media.ts')).readAudio,
  rtf: async () => plain((await import('./text/rtf.ts')).readRtf),
  md: async () => plain((await import('./text/markdown.ts')).readMarkdown),
  html: async () => plain((await import('./text/html/html.ts')).readHtml),
  csv: async () => plain((await import('./text/csv.ts')).readCsv),
  txt: async () => plain((await import('./text/plain.ts')).readText),
  json: async () => plain((await import('./text/json.ts')).readJson),
  code: async () => plain((await import('./text/code.ts')).readCode),
  ics: async () => plain((await import('./text/ics.ts')).readIcs),
  eml: async () => plain((await import('./text/eml.ts')).readEml),
}

const plain =
  (reader: (bytes: Uint8Array, about: FileDescription & { inner: ReadInner }) => Extract | Promise<Extract>): Reader =>
  async (bytes, about, { readInner: inner }) => ({ extract: await reader(bytes, { ...about, inner }) })
