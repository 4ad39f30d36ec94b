/** The task of making a thumbnail; it runs in a process of its own (see index.ts). */
import { decodePicture, encodeWebp } from './codecs.ts'
import { PictureFault, type PictureFailure } from './fault.ts'
import type { Size } from './head.ts'

export interface ThumbnailRequest {
  readonly bytes: Uint8Array
  readonly longSide: number
}
export interface EncodedThumbnail extends Size {
  readonly bytes: Uint8Array
  /** Of the picture it was made of, as it is seen: turned as it says. */
  readonly original: Size
}

/** Bytes in, a WebP or why there is none out. Throws nothing. */
export const encodeThumbnail = async ({
  bytes,
  longSide,
}: ThumbnailRequest): Promise<EncodedThumbnail | { failure: PictureFailure }> => {
  try {
    const { pixels, original } = await decodePicture(bytes, longSide)
    return { bytes: await encodeWebp(pixels), width: pixels.width, height: pixels.height, original }
  } catch (error) {
    if (error instanceof PictureFault) return { failure: error.failure }
    return { failure: error instanceof RangeError ? 'too_complex' : 'damaged' }
  }
}
