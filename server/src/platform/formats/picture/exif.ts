/** The little that is read of Exif (CIPA DC-008), and the little that is kept of it. */

export interface ExifFacts {
  /** How the picture is to be turned, 1 to 8; 1: as it is. */
  readonly orientation: number
  /** Whether it tells a place. */
  readonly located: boolean
}

const orientationTag = 0x0112
const placeTag = 0x8825
/** More entries than any camera writes. */
const mostEntries = 1000

/** Reads a TIFF block as it stands in Exif, without `Exif\0\0`. What is broken tells nothing. */
export const readExif = (tiff: Buffer): ExifFacts => {
  const order = tiff.toString('latin1', 0, 2)
  const little = order === 'II'
  let orientation = 1
  let located = false
  if (tiff.length < 14 || (!little && order !== 'MM')) return { orientation, located }
  const short = (at: number): number => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return { orientation, located }
  const count = Math.min(short(first), mostEntries)
  for (let entry = first + 2; entry + 12 <= tiff.length && entry < first + 2 + count * 12; entry += 12) {
    const tag = short(entry)
    if (tag === placeTag) located = true
    if (tag === orientationTag) orientation = short(entry + 8)
  }
  return { orientation: orientation >= 1 && orientation <= 8 ? orientation : 1, located }
}

/** A TIFF block that says nothing but how the picture is to be turned. */
export const sayOrientation = (orientation: number): Buffer => {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** Whether XMP or IPTC tells a place. */
export const holdsPlace = (data: Buffer): boolean =>
  /GPS(Latitude|Longitude)|photoshop:(City|State|Country)|Iptc4xmp\w*:\w*Location/.test(data.toString('latin1'))
