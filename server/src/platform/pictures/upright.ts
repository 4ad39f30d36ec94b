/** The task of turning a picture as it is seen; it runs in a process of its own (see index.ts). */
import { decodePicture, encodeJpeg, encodeWebp } from './codecs.ts'
import { PictureFault, type PictureFailure } from './fault.ts'
import { readPictureFacts } from './head.ts'

export interface UprightRequest {
  readonly bytes: Uint8Array
}
export interface UprightPicture {
  readonly bytes: Uint8Array
  readonly mediaType: 'image/jpeg' | 'image/webp'
}

const wholeSide = Number.MAX_SAFE_INTEGER
const fineQuality = 95

/** Bytes in, the picture or why there is none out: a JPEG of a JPEG, else a WebP. Throws nothing. */
export const encodeUpright = async ({
  bytes,
}: UprightRequest): Promise<UprightPicture | { readonly failure: PictureFailure }> => {
  try {
    const { pixels } = await decodePicture(bytes, wholeSide)
    return readPictureFacts(bytes)?.mediaType === 'image/jpeg'
      ? { bytes: await encodeJpeg(pixels), mediaType: 'image/jpeg' }
      : { bytes: await encodeWebp(pixels, fineQuality), mediaType: 'image/webp' }
  } catch (error) {
    if (error instanceof PictureFault) return { failure: error.failure }
    return { failure: error instanceof RangeError ? 'too_complex' : 'damaged' }
  }
}
