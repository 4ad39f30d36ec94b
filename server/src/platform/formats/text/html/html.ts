/** HTML files. */
import type { Extract } from '../../types.ts'
import { decodeText } from '../decode.ts'
import { pageExtract } from './page.ts'

export const readHtml = (bytes: Uint8Array): Extract => pageExtract(decodeText(bytes, declaredIn(bytes)))

/** The encoding that the page names in its first 4 KB. */
const declaredIn = (bytes: Uint8Array): string | null => {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4_096))
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w:-]{2,40})/i.exec(start)?.[1] ?? null
}
