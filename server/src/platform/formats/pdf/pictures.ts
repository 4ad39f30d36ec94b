/** The pictures that pages without text are made of: JPEGs with the bytes they were put in with, through pdf-lib. */
import { inflateSync } from 'node:zlib'
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  type PDFContext,
  type PDFObject,
} from 'pdf-lib'
import { isSoundJpeg } from '../media.ts'
import type { Picture, UnreadPages } from '../types.ts'

export interface PageRef {
  readonly num: number
  readonly gen: number
}

export interface PagePictures {
  readonly pictures: readonly Picture[]
  /** Pages that are a picture, whether or not it is one that can be handed on. */
  readonly pictured: ReadonlySet<number>
  readonly unread: UnreadPages
}

const mostPictures = 20
const leastBytes = 4 * 1024
const mostBytes = 8 * 2 ** 20
/** Smaller ones are rules, logos and bullets. */
const leastPixels = 200 * 200

/** `pages`: by physical number, those to look at, in order; pictures are given `from` one of them on. Never throws: a file that pdf-lib cannot read has no pictures. */
export const pagePictures = async (
  bytes: Uint8Array,
  pages: ReadonlyMap<number, PageRef>,
  from: number,
): Promise<PagePictures> => {
  const pictures: Picture[] = []
  const pictured = new Set<number>()
  const [waiting, lost]: [number[], number[]] = [[], []]
  const found = { pictures, pictured, unread: { waiting, lost } }
  if (pages.size === 0) return found
  const context = await contextOf(bytes)
  if (!context) return found
  for (const [page, ref] of pages) {
    const node = context.lookup(PDFRef.of(ref.num, ref.gen))
    if (!(node instanceof PDFDict)) continue
    const images = imagesOf(context, resourcesOf(context, node))
    const full = pictures.length >= mostPictures
    let usable = false
    for (const image of images) {
      const large = numberOf(context, image.dict, 'Width') * numberOf(context, image.dict, 'Height') >= leastPixels
      // A small picture is a mark beside others; alone it is the page.
      const jpeg = jpegOf(context, image, images.length === 1 ? 1 : leastBytes)
      if (large || jpeg) pictured.add(page)
      usable ||= jpeg !== null
      if (jpeg && page >= from && !full) pictures.push({ page, mediaType: 'image/jpeg', bytes: jpeg })
    }
    if (usable && page >= from && full) waiting.push(page)
    else if (!usable && pictured.has(page)) lost.push(page)
  }
  return found
}

const contextOf = async (bytes: Uint8Array): Promise<PDFContext | null> => {
  try {
    return (await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false })).context
  } catch {
    // pdf.js forgives more than pdf-lib.
    return null
  }
}

/** Resources may be those of a folder of pages above; a tree that runs in a circle ends here. */
const resourcesOf = (context: PDFContext, page: PDFDict): PDFDict | null => {
  let node: PDFObject | undefined = page
  for (let steps = 0; steps < 50 && node instanceof PDFDict; steps += 1) {
    const resources = context.lookup(node.get(PDFName.of('Resources')))
    if (resources instanceof PDFDict) return resources
    node = context.lookup(node.get(PDFName.of('Parent')))
  }
  return null
}

/** Images of a page, those inside of forms included; forms that share their resources are looked into once. */
const imagesOf = (
  context: PDFContext,
  resources: PDFDict | null,
  depth = 0,
  seen = new Set<PDFObject>(),
): PDFRawStream[] => {
  const objects = resources && context.lookup(resources.get(PDFName.of('XObject')))
  if (!(objects instanceof PDFDict) || depth > 3 || seen.has(objects)) return []
  seen.add(objects)
  return objects
    .values()
    .slice(0, 100)
    .flatMap((entry) => {
      const stream = context.lookup(entry)
      if (!(stream instanceof PDFRawStream)) return []
      const subtype = nameOf(context, stream.dict.get(PDFName.of('Subtype')))
      if (subtype === 'Image') return [stream]
      const inner = context.lookup(stream.dict.get(PDFName.of('Resources')))
      return subtype === 'Form' && inner instanceof PDFDict ? imagesOf(context, inner, depth + 1, seen) : []
    })
}

const jpegOf = (context: PDFContext, image: PDFRawStream, least: number): Uint8Array | null => {
  const filter = context.lookup(image.dict.get(PDFName.of('Filter')))
  const filters = (filter instanceof PDFArray ? filter.asArray() : [filter]).map((one) => nameOf(context, one))
  const packed = filters.length === 2 && filters[0] === 'FlateDecode'
  if (filters.at(-1) !== 'DCTDecode' || filters.length > (packed ? 2 : 1)) return null
  const bytes = packed ? unpack(image.contents) : image.contents
  const fits = bytes !== null && bytes.length >= least && bytes.length <= mostBytes
  return fits && isSoundJpeg(bytes) ? new Uint8Array(bytes) : null
}

const unpack = (bytes: Uint8Array): Uint8Array | null => {
  try {
    return inflateSync(bytes, { maxOutputLength: mostBytes })
  } catch {
    // Damaged, or more than may be handed on.
    return null
  }
}

const nameOf = (context: PDFContext, object: PDFObject | undefined): string => {
  const found = context.lookup(object)
  return found instanceof PDFName ? found.decodeText() : ''
}

const numberOf = (context: PDFContext, dict: PDFDict, key: string): number => {
  const found = context.lookup(dict.get(PDFName.of(key)))
  return found instanceof PDFNumber ? found.asNumber() : 0
}
