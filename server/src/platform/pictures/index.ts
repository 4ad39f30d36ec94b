/**
 * Pictures: what they are, and small ones made of them. The size is told by the head; decoding runs in a process of its
 * own with a limit on time and memory, so that a hostile picture fails alone.
 */
import { withoutMetadata } from '../formats/picture/strip.ts'
import { WorkFailure } from '../work/failure.ts'
import { runInProcess } from '../work/process.ts'
import type { PictureFailure } from './fault.ts'
import { mostDecodedPixels, readPictureFacts, type PictureFacts, type Size } from './head.ts'
import type { EncodedThumbnail, ThumbnailRequest } from './thumbnail.ts'
import type { UprightPicture, UprightRequest } from './upright.ts'

export { readPictureFacts }
export type { PictureFacts, PictureFailure, Size }

export interface Thumbnail extends EncodedThumbnail {
  readonly mediaType: 'image/webp'
}

export interface ThumbnailOptions {
  /** Of the longer side, in pixels. Default 512. */
  readonly longSide?: number
  readonly signal?: AbortSignal
}

/**
 * A small WebP of a PNG, JPEG, WebP or GIF (of a film its first picture); a smaller picture keeps its size. What cannot
 * be decoded is an answer: AVIF, CMYK and broken ones, and more than 40 megapixels. WorkFailure `aborted` is thrown when
 * `signal` calls it off.
 */
export const makeThumbnail = async (
  bytes: Uint8Array,
  { longSide = 512, signal }: ThumbnailOptions = {},
): Promise<Thumbnail | { readonly failure: PictureFailure }> => {
  const facts = readPictureFacts(bytes)
  if (!facts || facts.mediaType === 'image/avif') return { failure: 'unsupported' }
  if (facts.width * facts.height > mostDecodedPixels) return { failure: 'too_complex' }
  const made = await apart<ThumbnailRequest, EncodedThumbnail>(
    new URL('./thumbnail.ts', import.meta.url),
    'encodeThumbnail',
    { bytes, longSide },
    signal,
  )
  return 'failure' in made ? made : { ...made, mediaType: 'image/webp' }
}

/**
 * The picture with its pixels as they are seen, where it says that it is to be turned; null where it says nothing, or is no
 * PNG, JPEG or WebP. What cannot be decoded is an answer, as of `makeThumbnail`.
 */
export const turnUpright = async (
  bytes: Uint8Array,
): Promise<UprightPicture | { readonly failure: PictureFailure } | null> => {
  const facts = readPictureFacts(bytes)
  if (!facts || facts.mediaType === 'image/avif' || facts.mediaType === 'image/gif') return null
  if (withoutMetadata(bytes, facts.mediaType).orientation === 1) return null
  if (facts.width * facts.height > mostDecodedPixels) return { failure: 'too_complex' }
  return await apart<UprightRequest, UprightPicture>(new URL('./upright.ts', import.meta.url), 'encodeUpright', {
    bytes,
  })
}

const apart = async <Q, A>(
  file: URL,
  task: string,
  request: Q,
  signal?: AbortSignal,
): Promise<A | { readonly failure: PictureFailure }> => {
  try {
    return await runInProcess<Q, A | { failure: PictureFailure }>(file, task, request, {
      signal,
      timeoutMs: 60_000,
      processorMs: 15_000,
      memoryMb: 768,
    })
  } catch (error) {
    const failure = error instanceof WorkFailure ? failures[error.kind] : undefined
    if (!failure) throw error
    return { failure }
  }
}

/** A process that ends without an answer was ended by the picture; `failed` and `aborted` are not its fault. */
const failures: Partial<Record<WorkFailure['kind'], PictureFailure>> = {
  timeout: 'timeout',
  memory: 'too_complex',
  crashed: 'damaged',
}
