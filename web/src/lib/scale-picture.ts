/** Makes a small picture of a large one, on a canvas: what the file tells of camera and place stays behind. */
import { type PictureSize, readPictureSize } from './picture-size.ts'

/** What a person is told of a file that cannot be used. */
export class PictureFault extends Error {
  readonly kind: 'unsupported' | 'too-large'
  constructor(kind: PictureFault['kind']) {
    super(`The picture is ${kind}.`)
    this.name = 'PictureFault'
    this.kind = kind
  }
}

/** What a browser decodes without running out of memory. */
const mostPixels = 100_000_000
const mostFileBytes = 50 * 1024 * 1024
export const pictureTypes = 'image/png,image/jpeg,image/webp'

export interface Scaling {
  /** `cover`: exactly these sides, cut from the middle. `contain`: whole, at most these sides, and never enlarged. */
  readonly fit: 'cover' | 'contain'
  readonly width: number
  readonly height: number
  readonly maxBytes: number
  /** In which types it may be written, the best first; a browser may know only some of them. */
  readonly types: readonly ('image/png' | 'image/jpeg' | 'image/webp')[]
}

/** Gives a data URL. Throws `PictureFault`. */
export async function scalePicture(file: Blob, scaling: Scaling): Promise<string> {
  if (file.size > mostFileBytes) throw new PictureFault('too-large')
  const size = readPictureSize(new Uint8Array(await file.arrayBuffer()))
  if (!size) throw new PictureFault('unsupported')
  if (size.width * size.height > mostPixels) throw new PictureFault('too-large')
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new PictureFault('unsupported')
  })
  try {
    const { from, to } = placesOf(bitmap, scaling)
    for (const type of scaling.types)
      for (const quality of type === 'image/png' ? [1] : [0.9, 0.75, 0.5]) {
        const blob = await draw(bitmap, from, to, type, quality)
        // A browser that does not write a type gives PNG instead.
        if (blob?.type === type && blob.size <= scaling.maxBytes) return await dataUrlOf(blob)
      }
    throw new PictureFault('too-large')
  } finally {
    bitmap.close()
  }
}

interface Part extends PictureSize {
  readonly x: number
  readonly y: number
}

/** Which part of a picture is drawn, and how large. */
export function placesOf(
  { width, height }: PictureSize,
  { fit, width: toWidth, height: toHeight }: Pick<Scaling, 'fit' | 'width' | 'height'>,
): { from: Part; to: PictureSize } {
  if (fit === 'contain') {
    const scale = Math.min(1, toWidth / width, toHeight / height)
    const to = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
    return { from: { x: 0, y: 0, width, height }, to }
  }
  const scale = Math.max(toWidth / width, toHeight / height)
  const [cutWidth, cutHeight] = [toWidth / scale, toHeight / scale]
  return {
    from: { x: (width - cutWidth) / 2, y: (height - cutHeight) / 2, width: cutWidth, height: cutHeight },
    to: { width: toWidth, height: toHeight },
  }
}

async function draw(
  bitmap: ImageBitmap,
  from: Part,
  to: PictureSize,
  type: string,
  quality: number,
): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = to.width
  canvas.height = to.height
  const pen = canvas.getContext('2d')
  if (!pen) return null
  if (type === 'image/jpeg') {
    // JPEG knows no transparency, and what is clear would be black.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, to.width, to.height)
  }
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(bitmap, from.x, from.y, from.width, from.height, 0, 0, to.width, to.height)
  return await new Promise((done) => canvas.toBlob(done, type, quality))
}

const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((done, failed) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result))
    reader.onerror = () => failed(reader.error)
    reader.readAsDataURL(blob)
  })
