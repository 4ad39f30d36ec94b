/** What a model gets to see of the files in a channel: all members may see them. The text of documents, and pictures. */
import type { ChannelMessage } from '@atrium/contract/channels'
import { readFile } from '../../../platform/formats/index.ts'
import type { ChannelContext } from '../context.ts'
import { ownerOf } from '../rules.ts'

/** So many documents and pictures are read at most, those of the question and of the last messages first. */
const mostDocuments = 6
const mostPictures = 4
/** Providers refuse larger pictures. */
const mostPictureBytes = 5 * 2 ** 20
const pictureTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])
/** Nothing can be read in these by looking for text. */
const soundOrFilm = /^(?:audio|video)\//

export interface ReadFiles {
  /** The text of documents, by the id of the attachment; cut where it is long. */
  readonly texts: ReadonlyMap<string, string>
  readonly pictures: readonly { readonly id: string; readonly mediaType: string; readonly data: string }[]
}

/**
 * Reads the files of some messages, the most important first. `mostLetters`: of all documents together. What cannot be read
 * is left out: it is named by its message all the same.
 */
export const readFiles = async (
  { files, log }: ChannelContext,
  channelId: string,
  messages: readonly Pick<ChannelMessage, 'attachments' | 'deletedAt'>[],
  { mostLetters, takesPictures }: { readonly mostLetters: number; readonly takesPictures: boolean },
): Promise<ReadFiles> => {
  const attachments = messages.flatMap((message) => (message.deletedAt === null ? message.attachments : []))
  const pictures = takesPictures
    ? attachments.filter(({ mediaType, sizeBytes }) => pictureTypes.has(mediaType) && sizeBytes <= mostPictureBytes)
    : []
  const documents = attachments.filter(({ mediaType, width }) => width === null && !soundOrFilm.test(mediaType))
  const bytesOf = (id: string) => files.read(ownerOf(channelId), id)
  const texts = new Map<string, string>()
  let left = mostLetters
  for (const { id, name, mediaType } of documents.slice(0, mostDocuments)) {
    const bytes = left > 0 ? await bytesOf(id) : null
    if (!bytes) continue
    const read = await readFile({ bytes, name, mediaType })
    if ('failure' in read)
      log.debug('A file of a channel could not be read', { attachmentId: id, failure: read.failure })
    else if (read.extract.text.trim() !== '') {
      const text = read.extract.text.slice(0, left)
      texts.set(id, text)
      left -= text.length
    }
  }
  const shown: ReadFiles['pictures'][number][] = []
  for (const { id, mediaType } of pictures.slice(0, mostPictures)) {
    const bytes = await bytesOf(id)
    if (bytes) shown.push({ id, mediaType, data: Buffer.from(bytes).toString('base64') })
  }
  return { texts, pictures: shown }
}
