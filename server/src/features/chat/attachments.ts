/** Files that people put into their prompts: text and images, checked by their bytes. */
import { isUtf8 } from 'node:buffer'
import type { Attachment, chatRoutes } from '@atrium/contract/chat'
import { estimateTokens, imageTokens } from '../../core/generation/index.ts'
import type { BytesAnswer, Handlers } from '../../platform/http/area.ts'
import { isTooLarge, type PictureHead, readHead } from '../../platform/formats/picture/head.ts'
import { withoutMetadata } from '../../platform/formats/picture/strip.ts'
import { fail } from '../../platform/http/refusal.ts'
import { type ChatContext, openChat } from './context.ts'
import { rowToAttachment, sealAttachmentName } from './stores/rows.ts'
import type { AttachmentRow } from './tables.ts'

type Routes = Pick<typeof chatRoutes, 'attach' | 'attachmentContent' | 'sentAttachment' | 'removeAttachment'>

export const attachmentHandlers = (context: ChatContext): Handlers<Routes> => ({
  async attach({ query, file }, { caller }): Promise<Attachment> {
    const sent = await file.bytes()
    const facts = await inspect(sent, file.mediaType, query.name)
    // Where a picture was taken is nobody's business: it would go to the provider, and to all who read the chat.
    const { bytes, located } = facts.image
      ? withoutMetadata(sent, facts.image.mediaType)
      : { bytes: sent, located: false }
    const keys = await context.vault.keyring(caller.accountId)
    // The file first: a row without its file would be a lie, a file without its row only takes space.
    const id = await context.files.save(caller.accountId, bytes)
    const row: AttachmentRow = {
      id,
      account_id: caller.accountId,
      name: sealAttachmentName(keys, id, query.name),
      kind: facts.image ? 'image' : 'text',
      media_type: facts.image?.mediaType ?? 'text/plain',
      size_bytes: bytes.byteLength,
      tokens: facts.image ? imageTokens : facts.tokens,
      width: facts.image?.width ?? null,
      height: facts.image?.height ?? null,
      print: null,
      print_tokens: null,
      created_at: context.clock.now(),
    }
    await context.store.attachments.insert(row)
    return { ...rowToAttachment(keys, row), ...(located ? { locationRemoved: true } : {}) }
  },

  async attachmentContent({ params }, { caller }) {
    return bytesOf(context, await context.store.attachments.read(params.attachmentId, caller.accountId))
  },

  async sentAttachment({ params }, { resource }) {
    const { chat } = await openChat(context, resource.id, resource.ownerId)
    return bytesOf(context, await context.store.attachments.sentIn(chat.id, params.attachmentId))
  },

  async removeAttachment({ params }, { caller }) {
    const row = await context.store.attachments.read(params.attachmentId, caller.accountId)
    if (!row) throw fail('attachment_not_found')
    if (await context.store.attachments.isSent(row.id)) {
      throw fail('conflict', 'This attachment belongs to a message. Delete the message instead.')
    }
    await context.store.attachments.remove([row.id])
    await context.files.remove([row.id])
    return {}
  },
})

/** Refuses with `attachment_not_found` where there is none. */
export const bytesOf = async (context: ChatContext, row: AttachmentRow | null): Promise<BytesAnswer> => {
  const body = row && (await context.files.open(row.account_id, row.id))
  if (!row || !body) throw fail('attachment_not_found')
  const { name } = rowToAttachment(await context.vault.keyring(row.account_id), row)
  // Text never runs, and pixels never do: both may be shown in place.
  return { body, mediaType: row.media_type, fileName: name, disposition: 'inline' }
}

/** The account's attachments of these ids, in order. Refuses with `attachment_not_found`. */
export const findAttachments = async (
  context: ChatContext,
  accountId: string,
  ids: readonly string[],
): Promise<AttachmentRow[]> => {
  const rows = await context.store.attachments.readMany([...new Set(ids)], accountId)
  if (rows.length < new Set(ids).size) throw fail('attachment_not_found')
  return rows
}

const textTypes =
  /^text\/|^application\/(json|xml|yaml|x-yaml|toml|javascript|typescript|x-sh|sql|x-ndjson|octet-stream)\b|\+(json|xml)\b|^$/

/** What the bytes are. Refuses with `attachment_unsupported` what is neither text nor a known image. */
const inspect = async (
  bytes: Uint8Array,
  mediaType: string,
  name: string,
): Promise<{ image: PictureHead | null; tokens: number }> => {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  const image = readHead(bytes)
  if (image) {
    if (isTooLarge(image)) throw fail('attachment_unsupported', pictureTooLarge(name, image))
    if (type.startsWith('image/') && !sameType(type, image.mediaType)) {
      throw fail('attachment_unsupported', `"${cut(name)}" claims to be ${type}, but isn’t.`)
    }
    return { image, tokens: imageTokens }
  }
  if (type.startsWith('image/')) {
    throw fail('attachment_unsupported', 'Only PNG, JPEG, WebP and GIF images can be attached.')
  }
  if (!textTypes.test(type)) throw fail('attachment_unsupported')
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw fail('attachment_unsupported', 'This isn’t plain text in UTF-8.')
  }
  return {
    image: null,
    tokens: await estimateSlowly(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')),
  }
}

const pictureTooLarge = (name: string, { width, height }: PictureHead): string =>
  `"${cut(name)}" says that it is ${width} × ${height} pixels, which is more than can be shown. Make it smaller and attach it again.`

const sameType = (claimed: string, real: string): boolean =>
  claimed === real || (claimed === 'image/jpg' && real === 'image/jpeg')

const cut = (name: string): string => (name.length > 60 ? `${name.slice(0, 57)}…` : name)

/** Estimates a long text in slices, so that other requests are served in between. */
const estimateSlowly = async (text: string): Promise<number> => {
  const slice = 500_000
  let tokens = 0
  for (let i = 0; i < text.length; i += slice) {
    if (i > 0) await new Promise(setImmediate)
    tokens += estimateTokens(text.slice(i, i + slice))
  }
  return tokens
}
