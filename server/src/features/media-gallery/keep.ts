/** Keeps the bytes of an item as they arrive, with a small picture of them, and measures what they are. */
import { type MediaKind, maxMediaBytes } from '@atrium/contract/media-gallery'
import type { OpenFile } from '../../platform/files/read.ts'
import { isTooLarge } from '../../platform/formats/picture/head.ts'
import { measureFile, type ReadableParts } from '../../platform/formats/playback/measure.ts'
import { fail } from '../../platform/http/refusal.ts'
import { makeThumbnail, readPictureFacts } from '../../platform/pictures/index.ts'
import type { MediaContext } from './context.ts'
import { isSmall } from './rules.ts'
import type { MediaItemRow } from './tables.ts'

/** Pictures are looked at whole: no provider gives a larger one. */
const maxPictureBytes = 80 * 1024 * 1024

export type StoredContent = Pick<
  MediaItemRow,
  'file_id' | 'size_bytes' | 'width' | 'height' | 'duration_ms' | 'thumbnail_file_id' | 'thumbnail_type'
>

interface Content {
  readonly kind: MediaKind
  readonly mimeType: string
  readonly pieces: AsyncIterable<Uint8Array>
  readonly withinQuota: boolean
  readonly signal: AbortSignal | undefined
}

/** Refuses with `too_large`, `quota_full` and `storage_full`; then nothing is kept. */
export const keepContent = async (
  context: MediaContext,
  accountId: string,
  { kind, mimeType, pieces, withinQuota, signal }: Content,
): Promise<StoredContent> => {
  const { files } = context
  const maxBytes = kind === 'image' ? maxPictureBytes : maxMediaBytes
  const options = { maxBytes, pastQuota: !withinQuota, ...(signal && { signal }) }
  const saved = await files.saveStream(accountId, pieces, options)
  const about = { file_id: saved.id, size_bytes: saved.size }
  try {
    if (kind === 'image') return Object.assign(about, await readPicture(context, accountId, { ...about, mimeType }))
    const file = await files.open(accountId, saved.id)
    const { width, height, durationMs } = await measureFile(file ? partsOf(file) : nothing, mimeType)
    return Object.assign(about, {
      width,
      height,
      duration_ms: durationMs,
      thumbnail_file_id: null,
      thumbnail_type: null,
    })
  } catch (error) {
    // Best effort: the first error says more.
    await files.remove([saved.id]).catch(() => undefined)
    throw error
  }
}

const readPicture = async (
  context: MediaContext,
  accountId: string,
  { file_id, size_bytes, mimeType }: Pick<StoredContent, 'file_id' | 'size_bytes'> & { readonly mimeType: string },
): Promise<Omit<StoredContent, 'file_id' | 'size_bytes'>> => {
  const bytes = (await context.files.read(accountId, file_id)) ?? new Uint8Array()
  const facts = readPictureFacts(bytes)
  // A small file can say that it is larger than any page can show.
  if (facts && isTooLarge(facts)) throw fail('too_large', 'This image has more pixels than can be shown.')
  const { width, height } = facts ?? { width: null, height: null }
  const plain = { width, height, duration_ms: null, thumbnail_file_id: null, thumbnail_type: null }
  // The others may say that they are to be turned.
  const isUpright = mimeType === 'image/png' || mimeType === 'image/gif'
  if (isUpright && isSmall({ kind: 'image', size_bytes, width, height })) return plain
  try {
    const made = await makeThumbnail(bytes)
    if ('failure' in made) return plain
    const thumbnail = await context.files.save(accountId, made.bytes, { uncounted: true })
    return {
      width: made.original.width,
      height: made.original.height,
      duration_ms: null,
      thumbnail_file_id: thumbnail,
      thumbnail_type: made.mediaType,
    }
  } catch (error) {
    // What was paid for is kept, with or without a small picture of it.
    context.log.warn('A thumbnail could not be made.', { error })
    return plain
  }
}

const partsOf = (file: OpenFile): ReadableParts => ({
  size: file.size,
  async read(start, end) {
    const pieces: Uint8Array[] = []
    for await (const piece of file.read(start, Math.min(end, file.size))) pieces.push(piece)
    return Buffer.concat(pieces)
  },
})

const nothing: ReadableParts = { size: 0, read: async () => Buffer.alloc(0) }
