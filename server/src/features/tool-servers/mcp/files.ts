/** What servers give, as files with names that say what they are. Pure. */
import type { ServerFile } from '@atrium/contract/tool-servers'

const endings: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/css': 'css',
  'text/javascript': 'js',
  'application/javascript': 'js',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/yaml': 'yaml',
  'text/yaml': 'yaml',
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
}

/** The last part of an address, as far as it can be a name. */
export const nameOfUri = (uri: string): string => {
  const last =
    uri
      .replace(/[?#].*$/s, '')
      .split('/')
      .findLast((part) => part !== '') ?? ''
  return decoded(last)
    .replace(/[\p{C}\\/:*?"<>|]+/gu, '_')
    .slice(0, 100)
    .toWellFormed()
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // Percent signs that encode nothing stay.
    return text
  }
}

/** `base64` is given on as it came. What has no ending gets one by its type. */
export const fileOf = (
  name: string,
  given: string,
  { text = null, base64 = null }: { readonly text?: string | null; readonly base64?: string | null },
): ServerFile => {
  const mediaType = given.split(';')[0]?.trim().toLowerCase() ?? ''
  const ending = endings[mediaType] ?? (text === null ? 'bin' : 'txt')
  const hasEnding = /\.[a-z0-9]{1,8}$/i.test(name)
  return { name: hasEnding ? name : `${name || 'resource'}.${ending}`, mediaType, text, base64 }
}
