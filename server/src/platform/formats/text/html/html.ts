/** HTML files. */
import type { Extract } from '../../types.ts'
import { decodeText } from '../decode.ts'
import { pageExtract } from './page.ts'

/** The title is what people look a page up by: it stands before the text where the text does not say it. */
export const readHtml = (bytes: Uint8Array): Extract => {
  const extract = pageExtract(decodeText(bytes, declaredIn(bytes)))
  const { title, text, segments } = extract
  if (title === null || text.replace(/\s+/g, ' ').includes(title.replace(/…$/, ''))) return extract
  const before = title.length + 2
  const moved = segments.map((segment) => ({ ...segment, start: segment.start + before, end: segment.end + before }))
  return { title, text: `${title}\n\n${text}`, segments: moved }
}

/** The encoding that the page names in its first 64 KB; scripts may stand before. */
const declaredIn = (bytes: Uint8Array): string | null => {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 65_536))
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w:-]{2,40})/i.exec(start)?.[1] ?? null
}
