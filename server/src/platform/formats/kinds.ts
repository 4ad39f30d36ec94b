/** What names and declared types say about a file. Data only; cheap enough for the main thread. */
import type { FileType } from './types.ts'

/** By the end of the name, in lower case, without the dot. */
const extensions: Readonly<Record<FileType, string>> = {
  pdf: 'pdf',
  docx: 'docx docm dotx',
  pptx: 'pptx pptm ppsx potx',
  xlsx: 'xlsx xlsm xltx',
  odt: 'odt ott',
  odp: 'odp otp',
  ods: 'ods ots',
  rtf: 'rtf',
  md: 'md markdown mdx mkd qmd',
  html: 'html htm xhtml',
  csv: 'csv tsv tab',
  txt: 'txt text log out err lst nfo srt vtt asc rst adoc org diff patch',
  json: 'json jsonl ndjson geojson ipynb webmanifest',
  code:
    'ts tsx mts cts js jsx mjs cjs py pyi rb php java kt kts scala groovy c h cc cpp cxx hpp hh cs go rs swift m mm dart lua ' +
    'pl pm r jl hs ml ex exs erl clj lisp el sh bash zsh fish ps1 bat sql css scss sass less vue svelte xml svg xsd yaml yml ' +
    'toml ini cfg conf properties env tf proto graphql gql tex bib cmake gradle zig nim v asm s f90 vb pas sol',
  eml: 'eml mht mhtml',
  epub: 'epub',
  ics: 'ics ical ifb',
  zip: 'zip',
  image: 'png jpg jpeg webp gif',
  audio: 'wav webm weba mp3 mpga m4a m4b flac ogg oga opus',
}

/** Names without an end that mean something. */
const wholeNames: Readonly<Record<string, FileType>> = {
  readme: 'txt',
  license: 'txt',
  licence: 'txt',
  changelog: 'txt',
  authors: 'txt',
  makefile: 'code',
  dockerfile: 'code',
  jenkinsfile: 'code',
  gemfile: 'code',
  rakefile: 'code',
}

const mediaTypes: Readonly<Record<string, FileType>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/plain': 'txt',
  'application/json': 'json',
  'application/jsonl': 'json',
  'application/x-ndjson': 'json',
  'application/javascript': 'code',
  'text/javascript': 'code',
  'text/css': 'code',
  'text/xml': 'code',
  'application/xml': 'code',
  'image/svg+xml': 'code',
  'message/rfc822': 'eml',
  'multipart/related': 'eml',
  'application/epub+zip': 'epub',
  'text/calendar': 'ics',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/webp': 'image',
  'image/gif': 'image',
  'audio/wav': 'audio',
  'audio/x-wav': 'audio',
  'audio/wave': 'audio',
  'audio/webm': 'audio',
  'audio/mpeg': 'audio',
  'audio/mp3': 'audio',
  'audio/mp4': 'audio',
  'audio/x-m4a': 'audio',
  'audio/flac': 'audio',
  'audio/x-flac': 'audio',
  'audio/ogg': 'audio',
  'audio/opus': 'audio',
  'video/webm': 'audio',
}

const byExtension = new Map<string, FileType>()
for (const [fileType, list] of Object.entries(extensions))
  for (const extension of list.split(' ')) byExtension.set(extension, fileType as FileType)

/** The name first, then the declared type; any other `text/*` is text. null when neither says anything. */
export const claimedType = (name: string, mediaType: string): FileType | null => {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).toLowerCase()
  const dot = base.lastIndexOf('.')
  const byName = dot > 0 ? byExtension.get(base.slice(dot + 1)) : wholeNames[base]
  if (byName) return byName
  const declared = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  return mediaTypes[declared] ?? (declared.startsWith('text/') ? 'txt' : null)
}

/** What a file of a type is called where it is handed out again. */
export const mediaTypeOf: Readonly<Record<Exclude<FileType, 'image' | 'audio'>, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  rtf: 'application/rtf',
  md: 'text/markdown',
  html: 'text/html',
  csv: 'text/csv',
  txt: 'text/plain',
  json: 'application/json',
  code: 'text/plain',
  eml: 'message/rfc822',
  epub: 'application/epub+zip',
  ics: 'text/calendar',
  zip: 'application/zip',
}
