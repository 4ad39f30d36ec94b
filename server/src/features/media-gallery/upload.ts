/** Own pictures to work from: told by their bytes, and without what cameras write into them. */
import { type mediaGalleryRoutes, maxUploadBytes } from '@atrium/contract/media-gallery'
import { isWholeAvif, withoutAvifMetadata } from '../../platform/formats/picture/avif.ts'
import { isTooLarge } from '../../platform/formats/picture/head.ts'
import { withoutMetadata } from '../../platform/formats/picture/strip.ts'
import { isWhole } from '../../platform/formats/picture/whole.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { readPictureFacts } from '../../platform/pictures/index.ts'
import { addItem } from './add.ts'
import type { MediaContext } from './context.ts'
import { checkRoom } from './quota.ts'
import { titleOfFile } from './rules.ts'

export const uploadHandlers = (context: MediaContext): Handlers<Pick<typeof mediaGalleryRoutes, 'upload'>> => ({
  async upload({ query, file }, { caller }) {
    const bytes = withoutTraces(await file.bytes())
    await checkRoom(context, caller.accountId, bytes.byteLength)
    const title = titleOfFile(query.name) || 'Image'
    return await addItem(context, caller.accountId, {
      kind: 'image',
      content: bytes,
      title,
      prompt: '',
      model: null,
      pluginId: null,
      metadata: { upload: true },
      withinQuota: true,
    })
  },
})

/** The picture alone. Refuses what is none, what is too large to be drawn, and what is cut off. */
const withoutTraces = (bytes: Uint8Array): Uint8Array => {
  if (bytes.byteLength > maxUploadBytes) throw fail('too_large')
  const facts = readPictureFacts(bytes)
  if (!facts) throw fail('media_unsupported')
  if (isTooLarge(facts)) throw fail('media_too_complex')
  if (facts.mediaType === 'image/avif') {
    const stripped = isWholeAvif(bytes) ? withoutAvifMetadata(bytes) : null
    if (!stripped) throw fail('media_damaged')
    return stripped.bytes
  }
  if (!isWhole(bytes, facts.mediaType)) throw fail('media_damaged')
  return withoutMetadata(bytes, facts.mediaType).bytes
}
