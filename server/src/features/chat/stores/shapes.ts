/** Rows become shapes of the contract here: content is sealed on the way in and opened on the way out. */
import { Selection } from '@atrium/contract/common'
import { ContextPlan, Failure, Retrieval, Source, ToolCall, Usage } from '@atrium/contract/generation'
import { type Attachment, ChatSettings, type ChatSummary } from '@atrium/contract/chat'
import { z } from 'zod'
import type { Keyring, Sealed } from '../../../platform/vault/types.ts'
import type { Kept } from '../../../core/generation/index.ts'
import type { AttachmentRow, ReplayRow, SessionRow } from '../tables.ts'

/** The sealed document of a message. */
const MessageContent = z.object({
  text: z.string(),
  reasoning: z.string().nullable().default(null),
  toolCalls: z.array(ToolCall).default([]),
  sources: z.array(Source).default([]),
  retrieval: Retrieval.nullable().default(null),
  usage: Usage.nullable().default(null),
  context: ContextPlan.nullable().default(null),
  failure: Failure.nullable().default(null),
})
export type MessageContent = z.infer<typeof MessageContent>

export const plainContent = (text: string): MessageContent => ({
  text,
  reasoning: null,
  toolCalls: [],
  sources: [],
  retrieval: null,
  usage: null,
  context: null,
  failure: null,
})

export const sealContent = (keys: Keyring, messageId: string, content: MessageContent): Sealed =>
  keys.seal('chat_messages.content', messageId, JSON.stringify(content))

export const openContent = (
  keys: Keyring,
  row: { readonly id: string; readonly content: Uint8Array },
): MessageContent => MessageContent.parse(JSON.parse(keys.open('chat_messages.content', row.id, row.content)))

/** Only the text of a message: for walks over many, which need nothing else of it. */
export const openText = (keys: Keyring, row: { readonly id: string; readonly content: Uint8Array }): string => {
  const { text } = JSON.parse(keys.open('chat_messages.content', row.id, row.content)) as { text?: unknown }
  if (typeof text !== 'string') throw new Error('a message without text')
  return text
}

const KeptItems = z.object({ wire: z.string(), items: z.array(z.unknown()) })
export const sealKept = (keys: Keyring, messageId: string, kept: Kept): ReplayRow => ({
  message_id: messageId,
  content: keys.seal('chat_replays.content', messageId, JSON.stringify(kept)),
})
export const openKept = (keys: Keyring, row: ReplayRow): Kept =>
  KeptItems.parse(JSON.parse(keys.open('chat_replays.content', row.message_id, row.content)))

export const sealTitle = (keys: Keyring, chatId: string, title: string): Sealed =>
  keys.seal('chat_sessions.title', chatId, title)
export const openTitle = (keys: Keyring, row: Pick<SessionRow, 'id' | 'title'>): string =>
  keys.open('chat_sessions.title', row.id, row.title)

export const sealSettings = (keys: Keyring, chatId: string, settings: ChatSettings): Sealed =>
  keys.seal('chat_sessions.settings', chatId, JSON.stringify(settings))
export const openSettings = (keys: Keyring, row: Pick<SessionRow, 'id' | 'settings'>): ChatSettings =>
  row.settings ? ChatSettings.parse(JSON.parse(keys.open('chat_sessions.settings', row.id, row.settings))) : {}

const ForkedFrom = z.object({ chatId: z.string(), title: z.string(), messageId: z.string().nullable() })
export type ForkedFrom = z.infer<typeof ForkedFrom>
export const sealForkedFrom = (keys: Keyring, chatId: string, from: ForkedFrom): Sealed =>
  keys.seal('chat_sessions.forked_from', chatId, JSON.stringify(from))
export const openForkedFrom = (keys: Keyring, row: Pick<SessionRow, 'id' | 'forked_from'>): ForkedFrom | null =>
  row.forked_from ? ForkedFrom.parse(JSON.parse(keys.open('chat_sessions.forked_from', row.id, row.forked_from))) : null

export const selectionToText = (selection: Selection | null): string | null =>
  selection === null ? null : JSON.stringify(selection)
export const textToSelection = (text: string | null): Selection | null =>
  text === null ? null : Selection.parse(JSON.parse(text))

export const time = (ms: number): string => new Date(ms).toISOString()

export const rowToSummary = (keys: Keyring, row: SessionRow, shared: boolean): ChatSummary => ({
  id: row.id,
  title: openTitle(keys, row),
  titleSource: row.title_source,
  selection: textToSelection(row.selection),
  folderId: row.folder_id,
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  runningGenerationId: row.running_generation_id,
  failed: row.failed === 1,
  unread: row.unread === 1,
  shared,
  createdAt: time(row.created_at),
  updatedAt: time(row.updated_at),
  deletedAt: row.deleted_at === null ? null : time(row.deleted_at),
})

export const sealAttachmentName = (keys: Keyring, id: string, name: string): Sealed =>
  keys.seal('chat_attachments.name', id, name)
export const rowToAttachment = (keys: Keyring, row: AttachmentRow): Attachment => ({
  id: row.id,
  name: keys.open('chat_attachments.name', row.id, row.name),
  kind: row.kind,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  tokens: row.tokens,
  width: row.width,
  height: row.height,
})
