/** What is refused before it is sent, and what of a folder is left out. */
import { maxDocumentBytes } from '@atrium/contract/documents'

/** The size of a file itself; the rest of the route's limit is for the form around it. */
export const largestFile = maxDocumentBytes

export type UploadRefusal = 'too-large' | 'empty' | 'unsupported'

/** Kinds of files that hold no text that anybody could read. The server has the last word on all others. */
const unreadable =
  /\.(exe|dll|so|dylib|msi|dmg|pkg|deb|rpm|apk|iso|img|bin|class|jar|o|a|pyc|wasm|mp4|m4v|mov|avi|mkv|wmv|flv|7z|rar|gz|tgz|bz2|xz|zst|tar|psd|ai|sketch|fig|blend|ttf|otf|woff2?|db|sqlite3?|doc|ppt|xls|pages|numbers|key|mobi|azw3?)$/i

export function refusalOf({ name, size }: { readonly name: string; readonly size: number }): UploadRefusal | null {
  if (size > largestFile) return 'too-large'
  if (unreadable.test(name)) return 'unsupported'
  return size === 0 ? 'empty' : null
}

/** What the system keeps for itself, and what programs put together again: nobody means to upload these with a folder. */
export const isLeftOut = (name: string): boolean =>
  name.startsWith('.') || /^(thumbs\.db|desktop\.ini|node_modules|__pycache__|__MACOSX)$/i.test(name)
