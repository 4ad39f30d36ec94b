/** Pictures that models draw in their answers: kept as attachments of the answer as they come, and in the gallery. */
import { type DrawnPicture, imageTokens, type KeptPicture } from '../../../core/generation/index.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import { readPictureFacts } from '../../../platform/pictures/index.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { firstWords } from '../rules.ts'
import { rowToAttachment, sealAttachmentName } from '../stores/rows.ts'
import type { AttachmentRow, SessionRow } from '../tables.ts'

interface DrawnIn {
  readonly chat: Pick<SessionRow, 'id' | 'account_id' | 'expires_at'>
  /** The answer. */
  readonly messageId: string
  readonly question: string
  readonly model: { readonly model: string; readonly providerId: string | null }
  /** It is in the gallery already, and the answer is nothing else. */
  readonly isKept?: boolean
}

const longestPrompt = 10_000

/**
 * Keeps the pictures of one answer. A draft stays where the answer ends before the picture is done: it is what there
 * is. They are paid for: where the account had room when the first one came, they are kept past its quota. What cannot
 * be kept is null, and the answer goes on without it; where it is all of the answer, it is refused with
 * `attachment_unsupported` and `storage_full`. Refuses with `message_not_found`.
 */
export const createPictureKeeper = (context: ChatContext, keys: Keyring, drawnIn: DrawnIn) => {
  const { chat, messageId, question } = drawnIn
  const { attachments } = context.store
  /** How many the answer held before: it may be one that is continued. */
  let held: Promise<number> | null = null
  let pastQuota: Promise<boolean> | null = null
  const keep = async ({ index, bytes, partial }: DrawnPicture): Promise<KeptPicture> => {
    held ??= attachments.ofHolders([messageId]).then((found) => found.get(messageId)?.length ?? 0)
    const place = (await held) + index
    const head = readPictureFacts(bytes)
    if (!head) throw fail('attachment_unsupported')
    pastQuota ??= drawnIn.isKept ? Promise.resolve(true) : hasRoom(context, chat.account_id)
    const id = await context.files.save(chat.account_id, bytes, { pastQuota: await pastQuota })
    const row: AttachmentRow = {
      id,
      account_id: chat.account_id,
      name: sealAttachmentName(keys, id, nameOf(question, place, head.mediaType)),
      kind: 'image',
      media_type: head.mediaType,
      size_bytes: bytes.byteLength,
      tokens: imageTokens,
      width: head.width,
      height: head.height,
      print: null,
      print_tokens: null,
      created_at: context.clock.now(),
    }
    const kept = await context.store.write((trx) => attachments.draw(trx, row, { chatId: chat.id, messageId, place }))
    if (kept === 'gone') {
      await context.files.remove([id])
      throw fail('message_not_found')
    }
    if (kept.replaced !== null) {
      await attachments.remove([kept.replaced])
      await context.files.remove([kept.replaced])
    }
    if (!partial && !drawnIn.isKept) await keepInGallery(context, drawnIn, bytes)
    return { attachment: rowToAttachment(keys, row), place }
  }
  return async (picture: DrawnPicture): Promise<KeptPicture | null> => {
    try {
      return await keep(picture)
    } catch (error) {
      if (drawnIn.isKept || (isRefusal(error) && error.code === 'message_not_found')) throw error
      context.log.warn('A picture of an answer could not be kept.', { error })
      return null
    }
  }
}

/** Whether anything more may be kept for an account. */
const hasRoom = async ({ files }: ChatContext, accountId: string): Promise<boolean> => {
  try {
    await files.requireRoom(accountId, 1)
    return true
  } catch (error) {
    if (isRefusal(error) && error.code === 'quota_full') return false
    throw error
  }
}

/** Best effort: the answer has it in any case. What a temporary chat holds is to be gone with it. */
const keepInGallery = async (context: ChatContext, { chat, question, model }: DrawnIn, bytes: Uint8Array) => {
  if (chat.expires_at !== null || !context.gallery) return
  try {
    await context.gallery.addItem(chat.account_id, {
      kind: 'image',
      content: bytes,
      prompt: question.slice(0, longestPrompt),
      model: model.model,
      pluginId: model.providerId,
      chatId: chat.id,
    })
  } catch (error) {
    context.log.warn('A picture of an answer could not be put in the gallery.', { error })
  }
}

const nameOf = (question: string, place: number, mediaType: string): string => {
  const number = place === 0 ? '' : ` ${place + 1}`
  return `${firstWords(question) || 'Picture'}${number}.${mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice('image/'.length)}`
}
