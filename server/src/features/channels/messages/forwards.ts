/** What was forwarded, as it stands with the message that carries it. */
import { z } from 'zod'
import { storedJson, unlessUnreadable } from '../../../platform/stored-json.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { MessageRow } from '../tables.ts'

const StoredForward = z.strictObject({
  channelId: z.string(),
  messageId: z.string(),
  parentId: z.string().nullable(),
  authorId: z.string().nullable(),
  content: z.string(),
  createdAt: z.string(),
})
export type StoredForward = z.infer<typeof StoredForward>
export const forwardJson = storedJson('channel_messages.forwarded', StoredForward)

/** What a message carries along; null for most. */
export const openForward = (
  keys: Keyring,
  { id, forwarded }: Pick<MessageRow, 'id' | 'forwarded'>,
): StoredForward | null =>
  forwarded === null ? null : unlessUnreadable(() => forwardJson.open(keys, id, forwarded), null)
