/** What a picture, a film or a sound is, told by its first bytes. Never by what anybody calls it. */

/** Enough of a file for `mediaTypeOf`. */
export const headBytes = 4096

/**
 * The type of the bytes, where they are of this kind and of a type that browsers show without running anything: never
 * SVG, never HTML. Containers that hold films and sound alike go by the kind. null for everything else.
 */
export const mediaTypeOf = (head: Uint8Array, kind: 'image' | 'video' | 'audio'): string | null => {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, headBytes)).toString('latin1')
  if (kind === 'image') return imageType(text)
  const container = containerOf(text)
  if (container !== null) return `${kind}/${container}`
  if (kind === 'video') return isBrand(text, /^qt {2}/) ? 'video/quicktime' : null
  return audioType(text)
}

const imageType = (text: string): string | null => {
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'
  return isBrand(text, /avi[fs]/) ? 'image/avif' : null
}

const audioType = (text: string): string | null => {
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'audio/wav'
  if (text.startsWith('fLaC')) return 'audio/flac'
  if (text.startsWith('OggS')) return oggSounds.some((mark) => text.slice(0, 512).includes(mark)) ? 'audio/ogg' : null
  if (text.startsWith('ID3')) return 'audio/mpeg'
  const [first, second, third] = [0, 1, 2].map((at) => text.charCodeAt(at)) as [number, number, number]
  if (first !== 0xff) return null
  // ADTS: layer 0 (ISO 13818-7, 6.2). Then a frame of layer III (ISO 11172-3, 2.4.1.3).
  if ((second & 0xf6) === 0xf0) return 'audio/aac'
  return (second & 0xe6) === 0xe2 && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c ? 'audio/mpeg' : null
}

/** Films in Ogg say Theora or another name. */
const oggSounds = ['OpusHead', '\x01vorbis', 'Speex   ', '\x7fFLAC']

/** `mp4` or `webm`; Matroska says further in which of its kinds it is. ISO files have more brands than a list could hold. */
const containerOf = (text: string): 'mp4' | 'webm' | null => {
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.slice(0, 64).includes('webm') ? 'webm' : null
  return text.startsWith('ftyp', 4) && !isBrand(text, otherBrands) ? 'mp4' : null
}

/** Of pictures, and of QuickTime, which has a type of its own. */
const otherBrands = /^(avi[fs]|he[iv][cfmsx]|mif1|msf1|miaf|jp2 |jpx |crx |qt {2})/

/** Whether the main brand of an ISO file (ISO 14496-12, 4.3) is one of these; of pictures any of the brands. */
const isBrand = (text: string, brands: RegExp): boolean => {
  if (!text.startsWith('ftyp', 4)) return false
  const main = text.slice(8, 12)
  if (brands.test(main)) return true
  const size = (text.charCodeAt(2) << 8) | text.charCodeAt(3)
  return main === 'mif1' && brands.test(text.slice(16, Math.min(size, 256)))
}
