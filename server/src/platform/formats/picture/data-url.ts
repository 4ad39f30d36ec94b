/** Small pictures that come as data URLs in JSON. Pure: nothing is decoded. */
import { type PictureHead, readHead } from './head.ts'
import { withoutMetadata } from './strip.ts'

export interface SmallPicture {
  readonly mediaType: Exclude<PictureHead['mediaType'], 'image/gif'>
  readonly bytes: Uint8Array
}

/** What browsers and programs write. What it is called says nothing: the bytes do. */
const dataUrl = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/

/**
 * The picture in a data URL, by what its bytes say, without what it tells of camera and place; null for what is no PNG,
 * JPEG or WebP, and for what has more bytes, or along a side more pixels, than it may.
 */
export const readPictureUrl = (
  text: string,
  most: { readonly bytes: number; readonly pixels: number },
): SmallPicture | null => {
  const encoded = dataUrl.exec(text)?.[1]
  if (encoded === undefined) return null
  const sent = Buffer.from(encoded, 'base64')
  if (sent.byteLength > most.bytes) return null
  const head = readHead(sent)
  if (!head || head.mediaType === 'image/gif' || Math.max(head.width, head.height) > most.pixels) return null
  return { mediaType: head.mediaType, bytes: withoutMetadata(sent, head.mediaType).bytes }
}
