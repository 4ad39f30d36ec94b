/** JPEGs that say how they are to be turned, as cameras write them. */
import { encodeJpeg } from '../platform/pictures/codecs.ts'
import { sayOrientation } from '../platform/formats/picture/exif.ts'

/** With an Exif segment behind its first two bytes. */
export const withOrientation = (jpeg: Uint8Array, orientation: number): Uint8Array<ArrayBuffer> => {
  const inside = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), sayOrientation(orientation)])
  const head = Buffer.from([0xff, 0xe1, 0, inside.length + 2])
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), head, inside, jpeg.subarray(2)]))
}

/** Red on the left and blue on the right of what is stored, whatever is seen of it. */
export const turnedJpeg = async (
  { width, height }: { readonly width: number; readonly height: number },
  orientation: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let i = 0; i < width * height; i++) data.set(i % width < width / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255], i * 4)
  return withOrientation(await encodeJpeg({ data, width, height }), orientation)
}
