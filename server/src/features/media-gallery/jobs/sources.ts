/** Pictures to work from: sent with the request, or of the own gallery. */
import { readHead } from '../../../platform/formats/picture/head.ts'
import { withoutMetadata } from '../../../platform/formats/picture/strip.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { SourcePicture } from '../../../providers/operations/index.ts'
import { findLive } from '../handlers.ts'
import type { MediaJobContext } from './context.ts'

export const mostSources = 4
export const maxSourceBytes = 10 * 1024 * 1024
const extensions: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** What cameras write into a picture does not leave with it. Refuses what is no PNG, JPEG or WebP. */
export function toSource(bytes: Uint8Array, field: string): SourcePicture {
  if (bytes.byteLength > maxSourceBytes) throw fail('too_large', 'Source images can have at most 10 MB.')
  const mediaType = readHead(bytes)?.mediaType
  const extension = extensions[mediaType ?? '']
  if (mediaType === undefined || extension === undefined || (field === 'mask' && mediaType !== 'image/png')) {
    const message = field === 'mask' ? 'takes a PNG' : 'takes PNG, JPEG and WebP'
    throw fail('validation_failed', undefined, [{ path: `body.${field}`, message }])
  }
  return { bytes: withoutMetadata(bytes, mediaType).bytes, mediaType, name: `${field}.${extension}` }
}

/** An own picture of the gallery. Refuses with `media_not_found`. */
export async function readSource(
  context: MediaJobContext,
  accountId: string,
  id: string,
  field: string,
): Promise<SourcePicture> {
  const row = await findLive(context, accountId, id)
  if (row.kind !== 'image')
    throw fail('validation_failed', undefined, [{ path: `body.${field}`, message: 'names no picture' }])
  if (row.size_bytes > maxSourceBytes) throw fail('too_large', 'Source images can have at most 10 MB.')
  const bytes = await context.files.read(accountId, row.file_id)
  if (!bytes) throw fail('media_not_found')
  return toSource(bytes, field)
}
