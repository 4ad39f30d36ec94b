/** What the name of a file says that it is; only its ending counts, and what is not known is bytes. */
const known: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'application/xml',
  zip: 'application/zip',
}

export const mediaTypeOf = (name: string): string =>
  known[/\.([a-z]{2,4})$/.exec(name.toLowerCase())?.[1] ?? ''] ?? 'application/octet-stream'

/** Pictures that browsers show and that run nothing; their bytes must say the same as their name. */
export const isPicture = (name: string, bytes: Uint8Array): boolean => {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  const type = mediaTypeOf(name)
  if (type === 'image/png') return start.startsWith('\x89PNG')
  if (type === 'image/jpeg') return start.startsWith('\xff\xd8\xff')
  if (type === 'image/gif') return start.startsWith('GIF8')
  return type === 'image/webp' && start.startsWith('RIFF') && start.endsWith('WEBP')
}
