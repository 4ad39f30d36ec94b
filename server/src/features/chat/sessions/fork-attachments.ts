/** What becomes of attachments where a chat is copied: of an own chat they stay what they are, of another they are copied. */
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { contentForReader } from '../sharing/redact.ts'
import { type MessageContent, rowToAttachment, sealAttachmentName } from '../stores/rows.ts'
import type { SessionRow } from '../tables.ts'

/** What opens a chat, and what seals its copy: the same but for a chat of somebody else. */
export interface ForkKeys {
  readonly from: Keyring
  readonly to: Keyring
}

export interface ForkAttachments {
  /** What messages hold of the copy. */
  idsOf(ids: readonly string[]): Promise<string[]>
  /** A message as a reader sees it, with sources that lead to the copies of files. */
  ofReader(content: MessageContent): Promise<MessageContent>
}

export const attachmentsFor = (
  context: ChatContext,
  keys: ForkKeys,
  chat: SessionRow,
  accountId: string,
): ForkAttachments => {
  const copied = new Map<string, string | null>()
  /** Copies bytes and name once for each fork; null: it is in no message any more. */
  const copy = async (id: string): Promise<string | null> => {
    const row = await context.store.attachments.sentIn(chat.id, id)
    const bytes = row && (await context.files.read(row.account_id, row.id))
    if (!row || !bytes) return null
    const newId = await context.files.save(accountId, bytes)
    const name = sealAttachmentName(keys.to, newId, rowToAttachment(keys.from, row).name)
    await context.store.attachments.insert({
      ...row,
      id: newId,
      account_id: accountId,
      name,
      created_at: context.clock.now(),
    })
    return newId
  }
  const idOf = async (id: string): Promise<string | null> => {
    const known = copied.get(id)
    if (known !== undefined) return known
    const newId = chat.account_id === accountId ? id : await copy(id)
    copied.set(id, newId)
    return newId
  }
  return {
    async idsOf(ids) {
      const all: string[] = []
      for (const id of ids) {
        const newId = await idOf(id)
        if (newId === null) throw fail('attachment_not_found')
        all.push(newId)
      }
      return all
    },

    async ofReader(content) {
      const seen = contentForReader(content)
      const sources: MessageContent['sources'] = []
      for (const { attachmentId, ...source } of seen.sources) {
        const id = attachmentId === undefined ? null : await idOf(attachmentId)
        sources.push(id === null ? source : { ...source, attachmentId: id })
      }
      return { ...seen, sources }
    },
  }
}
