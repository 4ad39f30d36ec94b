/** Files of messages: sealed with the key of their channel, checked by their bytes, and given out as they came. */
import type { ChannelAttachment, channelsRoutes } from '@atrium/contract/channels'
import { isTooLarge, type PictureHead, readHead } from '../../platform/formats/picture/head.ts'
import { withoutMetadata } from '../../platform/formats/picture/strip.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import { type ChannelContext, requireChannel } from './context.ts'
import { rowToAttachment } from './present.ts'
import { ownerOf } from './rules.ts'
import type { AttachmentRow } from './tables.ts'

type Routes = Pick<typeof channelsRoutes, 'attach' | 'attachment'>

/** What is not sent after so long is removed. */
export const keptUnsentMs = 60 * 60_000

export const attachmentHandlers = (context: ChannelContext): Handlers<Routes> => ({
  async attach({ query: { name }, file }, { resource, caller }): Promise<ChannelAttachment> {
    const channel = await requireChannel(context, resource.id)
    if (channel.archived_at !== null) throw fail('channel_archived')
    const sent = await file.bytes()
    const picture = inspect(sent, file.mediaType)
    // Where a picture was taken is nobody's business.
    const bytes = picture ? withoutMetadata(sent, picture.mediaType).bytes : sent
    await requireRoom(context, caller.accountId, bytes.byteLength)
    const owner = ownerOf(channel.id)
    const keys = await context.vault.keyring(owner)
    // The file first: a row without its file would be a lie, a file without its row only takes space.
    const id = await context.files.save(owner, bytes, { uncounted: true })
    const row: AttachmentRow = {
      id,
      channel_id: channel.id,
      account_id: caller.accountId,
      message_id: null,
      scheduled_id: null,
      place: 0,
      name: keys.seal('channel_attachments.name', id, name),
      media_type: picture?.mediaType ?? plainType(file.mediaType),
      size_bytes: bytes.byteLength,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      created_at: context.clock.now(),
    }
    await context.store.attachments.insert(row)
    return rowToAttachment(keys, row)
  },

  async attachment({ params: { attachmentId } }, { caller }) {
    const row = await context.store.attachments.find(attachmentId)
    if (!row || (row.message_id === null && row.account_id !== caller.accountId))
      throw fail('channel_attachment_not_found')
    await requireReader(context, caller, row)
    const message = row.message_id === null ? null : await context.store.messages.find(row.message_id)
    if (message && message.seq <= (await context.store.history.floorOf(row.channel_id, caller.accountId)))
      throw fail('channel_attachment_not_found')
    const body = await context.files.open(ownerOf(row.channel_id), row.id)
    if (!body) throw fail('channel_attachment_not_found')
    const { name } = rowToAttachment(await context.vault.keyring(ownerOf(row.channel_id)), row)
    const isPicture = row.width !== null
    // Pixels never run and may be shown in place; all else is only to be saved.
    return { body, mediaType: row.media_type, fileName: name, disposition: isPicture ? 'inline' : 'attachment' }
  },
})

type Reader = Parameters<ChannelContext['access']['authorise']>[0]

const requireReader = async ({ access }: ChannelContext, caller: Reader, row: AttachmentRow): Promise<void> => {
  try {
    await access.authorise(caller, { resource: 'channel', id: 'channelId', right: 'read' }, row.channel_id)
  } catch (error) {
    if (isRefusal(error) && error.code === 'channel_not_found') throw fail('channel_attachment_not_found')
    throw error
  }
}

/**
 * Copies of files of another channel, as this account’s own in this one, not sent yet; gives their ids. Refuses with
 * `quota_full`, and with `channel_attachment_not_found` where one is gone.
 */
export const copyFiles = async (
  context: ChannelContext,
  rows: readonly AttachmentRow[],
  { channelId, accountId }: { readonly channelId: string; readonly accountId: string },
): Promise<string[]> => {
  if (rows.length === 0) return []
  await requireRoom(
    context,
    accountId,
    rows.reduce((sum, { size_bytes: size }) => sum + size, 0),
  )
  const owner = ownerOf(channelId)
  const keys = await context.vault.keyring(owner)
  const ids: string[] = []
  for (const row of rows) {
    const bytes = await context.files.read(ownerOf(row.channel_id), row.id)
    if (bytes === null) throw fail('channel_attachment_not_found')
    const { name } = rowToAttachment(await context.vault.keyring(ownerOf(row.channel_id)), row)
    const id = await context.files.save(owner, bytes, { uncounted: true })
    await context.store.attachments.insert({
      ...row,
      id,
      channel_id: channelId,
      account_id: accountId,
      message_id: null,
      scheduled_id: null,
      name: keys.seal('channel_attachments.name', id, name),
      created_at: context.clock.now(),
    })
    ids.push(id)
  }
  return ids
}

/** What somebody sends to channels counts against their own room, together with what they keep. */
const requireRoom = async (
  { files, quotaBytes, store }: ChannelContext,
  accountId: string,
  size: number,
): Promise<void> => {
  const quota = await quotaBytes()
  if (quota === 0) return
  const [kept, sent] = await Promise.all([files.used(accountId), store.attachments.sizeOf(accountId)])
  if (kept + sent + size > quota) throw fail('quota_full')
}

/** What a picture is; null for other files. Refuses with `channel_file_unsupported` what lies, or is empty. */
const inspect = (bytes: Uint8Array, mediaType: string): PictureHead | null => {
  if (bytes.byteLength === 0) throw fail('channel_file_unsupported')
  const type = plainType(mediaType)
  const picture = readHead(bytes)
  if (picture && isTooLarge(picture)) throw fail('channel_file_unsupported')
  if (!type.startsWith('image/')) return picture
  const claimed = type === 'image/jpg' ? 'image/jpeg' : type
  if (picture?.mediaType !== claimed) throw fail('channel_file_unsupported')
  return picture
}

/** The type without parameters; what is none is told as bytes. */
const plainType = (mediaType: string): string => {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type.length <= 100 ? type : 'application/octet-stream'
}
