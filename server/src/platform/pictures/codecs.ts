/**
 * Pictures from bytes and back, by codecs in WebAssembly. Only processes that may be killed import this (see index.ts):
 * what it is given is hostile, and what it decodes is large.
 */
import { withoutMetadata } from '../formats/picture/strip.ts'
import { compileWasm } from '../work/wasm.ts'
import { PictureFault } from './fault.ts'
import { decodeGif } from './gif.ts'
import { mostDecodedPixels, readPictureFacts, type Size } from './head.ts'
import { fitInto, orientPixels, shrinkPixels, type Pixels } from './pixels.ts'

export interface DecodedPicture {
  readonly pixels: Pixels
  /** Of the whole picture, as it is to be seen. */
  readonly original: Size
}

/**
 * The picture as it is to be seen, with `longSide` as its longer side at most. It is made smaller as soon as it is
 * decoded, by whole factors first, so that the large one is held once. Throws PictureFault.
 */
export const decodePicture = async (bytes: Uint8Array, longSide: number): Promise<DecodedPicture> => {
  const facts = readPictureFacts(bytes)
  if (!facts || facts.mediaType === 'image/avif') throw new PictureFault('unsupported')
  if (facts.width * facts.height > mostDecodedPixels) throw new PictureFault('too_complex')
  const { orientation } = withoutMetadata(bytes, facts.mediaType)
  const whole = await decoders[facts.mediaType](bytes).catch((error: unknown) => {
    throw error instanceof PictureFault ? error : new PictureFault('damaged')
  })
  // The head is what was judged; a codec that finds another size was led there.
  if (whole.width * whole.height > mostDecodedPixels || whole.data.length !== whole.width * whole.height * 4)
    throw new PictureFault('damaged')
  const factor = Math.floor(Math.max(whole.width, whole.height) / (longSide * 2))
  const pixels = orientPixels(await scale(shrinkPixels(whole, factor), longSide), orientation)
  const { width, height } = whole
  return { pixels, original: orientation >= 5 ? { width: height, height: width } : { width, height } }
}

/** With transparency; as it is, at a quality at which a small picture looks as the large one. */
export const encodeWebp = async (pixels: Pixels, quality = 80): Promise<Uint8Array> => {
  const { default: encode, init } = await import('@jsquash/webp/encode.js')
  await init(compileWasm('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))
  return new Uint8Array(await encode(pixels, { quality, method: 3 }))
}

/** At a quality at which nobody sees that it was encoded once more. */
export const encodeJpeg = async ({ data, width, height }: Pixels): Promise<Uint8Array> => {
  giveImageData()
  const { default: encode, init } = await import('@jsquash/jpeg/encode.js')
  // The types of the codec know no module that is compiled already; it takes one.
  await init(compileWasm('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') as never)
  return new Uint8Array(await encode({ data, width, height, colorSpace: 'srgb' }, { quality: 92 }))
}

const scale = async (pixels: Pixels, longSide: number): Promise<Pixels> => {
  const size = fitInto(pixels, longSide)
  if (size.width === pixels.width && size.height === pixels.height) return pixels
  giveImageData()
  const { default: resize, initResize } = await import('@jsquash/resize')
  await initResize(compileWasm('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'))
  return asPixels(await resize(pixels, { ...size, method: 'catrom' }))
}

const decoders = {
  'image/png': async (bytes: Uint8Array): Promise<Pixels> => {
    giveImageData()
    const { default: decode, init } = await import('@jsquash/png/decode.js')
    await init(compileWasm('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
    return asPixels(await decode(asBuffer(bytes)))
  },
  'image/jpeg': async (bytes: Uint8Array): Promise<Pixels> => {
    const { default: decode, init } = await import('@jsquash/jpeg/decode.js')
    await init(compileWasm('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'))
    return asPixels(await decode(asBuffer(bytes)))
  },
  'image/webp': async (bytes: Uint8Array): Promise<Pixels> => {
    const { default: decode, init } = await import('@jsquash/webp/decode.js')
    await init(compileWasm('@jsquash/webp/codec/dec/webp_dec.wasm'))
    return asPixels(await decode(asBuffer(bytes)))
  },
  'image/gif': async (bytes: Uint8Array): Promise<Pixels> => decodeGif(bytes),
}

/** Typed as if all of its memory were the picture’s, which the codecs do not ask for. */
const asBuffer = (bytes: Uint8Array) => bytes as unknown as ArrayBuffer

const asPixels = ({ data, width, height }: Size & { data: Uint8Array | Uint8ClampedArray }): Pixels => ({
  data: new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.length),
  width,
  height,
})

/** The codecs are made for browsers, and give what these would draw. */
const giveImageData = (): void => {
  const world = globalThis as { ImageData?: unknown }
  world.ImageData ??= class {
    readonly data: Uint8ClampedArray
    readonly width: number
    readonly height: number
    constructor(data: Uint8ClampedArray, width: number, height: number) {
      this.data = data
      this.width = width
      this.height = height
    }
  }
}
