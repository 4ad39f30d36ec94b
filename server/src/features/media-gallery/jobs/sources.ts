/** Pictures to work from: sent with the request, or of the own gallery. */
import { isWholeAvif, withoutAvifMetadata } from '../../../platform/formats/picture/avif.ts'
import { withoutMetadata } from '../../../platform/formats/picture/strip.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { readPictureFacts, turnUpright } from '../../../platform/pictures/index.ts'
import type { SourcePicture } from '../../../providers/operations/index.ts'
import { findLive } from '../handlers.ts'
import type { MediaJobContext } from './context.ts'

export const mostSources = 4
export const maxSourceBytes = 10 * 1024 * 1024
const extensions: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/**
 * What cameras write into a picture does not leave with it. Refuses what is no PNG, JPEG or WebP, and no AVIF where the
 * model takes one.
 */
export function toSource(bytes: Uint8Array, field: string, takesAvif = false): SourcePicture {
  if (bytes.byteLength > maxSourceBytes) throw fail('too_large', 'Source images can have at most 10 MB.')
  const mediaType = readPictureFacts(bytes)?.mediaType
  if (field === 'mask' && mediaType !== 'image/png') throw refuseSource(field, 'takes a PNG')
  if (mediaType === 'image/avif') return toAvifSource(bytes, field, takesAvif)
  const extension = extensions[mediaType ?? '']
  if (mediaType === undefined || extension === undefined) throw refuseSource(field, takes(takesAvif))
  return { bytes: withoutMetadata(bytes, mediaType).bytes, mediaType, name: `${field}.${extension}` }
}

const toAvifSource = (bytes: Uint8Array, field: string, isTaken: boolean): SourcePicture => {
  if (!isTaken) throw refuseSource(field, `this model ${takes(false)}, and this image is AVIF`)
  const stripped = isWholeAvif(bytes) ? withoutAvifMetadata(bytes) : null
  if (!stripped) throw refuseSource(field, 'this AVIF image is damaged')
  return { bytes: stripped.bytes, mediaType: 'image/avif', name: `${field}.avif` }
}

const takes = (avif: boolean): string => (avif ? 'takes PNG, JPEG, WebP and AVIF' : 'takes PNG, JPEG and WebP')

const refuseSource = (field: string, message: string) =>
  fail('validation_failed', undefined, [{ path: `body.${field}`, message }])

/**
 * As `toSource`, with the pixels as they are seen: a mask, and what the model is told of left and right, mean what the
 * person saw, and not every provider turns a picture as it says. One that cannot be turned goes as it is.
 */
export async function toUprightSource(bytes: Uint8Array, field: string, takesAvif = false): Promise<SourcePicture> {
  const source = toSource(bytes, field, takesAvif)
  const turned = await turnUpright(source.bytes)
  if (turned === null || 'failure' in turned) return source
  return { ...turned, name: `${field}.${extensions[turned.mediaType]}` }
}

/** An own picture of the gallery. Refuses with `media_not_found`. */
export async function readSource(
  context: MediaJobContext,
  accountId: string,
  id: string,
  field: string,
  takesAvif = false,
): Promise<SourcePicture> {
  const row = await findLive(context, accountId, id)
  if (row.kind !== 'image')
    throw fail('validation_failed', undefined, [{ path: `body.${field}`, message: 'names no picture' }])
  if (row.size_bytes > maxSourceBytes) throw fail('too_large', 'Source images can have at most 10 MB.')
  const bytes = await context.files.read(accountId, row.file_id)
  if (!bytes) throw fail('media_not_found')
  return await toUprightSource(bytes, field, takesAvif)
}
