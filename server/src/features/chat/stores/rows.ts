/** Rows become shapes of the contract here: content is sealed on the way in and opened on the way out. */
import { Selection } from '@atrium/contract/common'
import { ContextPlan, Failure, Retrieval, Source, ToolCall, ToolChoice, Usage } from '@atrium/contract/generation'
import {
  type Attachment,
  ChatSettings,
  type ChatSummary,
  FolderSettings,
  MakeWish,
  Making,
  Quote,
  SentDocument,
  SentQuote,
} from '@atrium/contract/chat'
import { z } from 'zod'
import { openWords, storedJson, unlessUnreadable, unreadableWords } from '../../../platform/stored-json.ts'
import type { Keyring, Sealed } from '../../../platform/vault/types.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import type { ReplayData } from '../../../core/generation/index.ts'
import type { AttachmentRow, DraftRow, FolderRow, MessageRow, QueueRow, ReplayRow, SessionRow } from '../tables.ts'

/** The sealed document of a message. */
const MessageContent = z.object({
  text: z.string(),
  reasoning: z.string().nullable().default(null),
  toolCalls: z.array(ToolCall).default([]),
  /** What the model was told of their results, by their ids: it is told so again, and no page shows it. */
  toolTexts: z.record(z.string(), z.string()).default({}),
  /** Which tools were chosen for it alone; null: as the chat is set. */
  tools: ToolChoice.nullable().default(null),
  sources: z.array(Source).default([]),
  documents: z.array(SentDocument).default([]),
  quotes: z.array(SentQuote).default([]),
  retrieval: Retrieval.nullable().default(null),
  usage: Usage.nullable().default(null),
  context: ContextPlan.nullable().default(null),
  failure: Failure.nullable().default(null),
  making: Making.nullable().default(null),
  lostPictures: z.number().int().nonnegative().default(0),
  /** Where untrusted text begins: what an event or a webhook brought to an automation, or all of it in a copy of a chat of somebody else. null: all of it is its writer’s. */
  foreignFrom: z.number().int().nonnegative().nullable().default(null),
})
export type MessageContent = z.infer<typeof MessageContent>

export const plainContent = (text: string, documents: SentDocument[] = []): MessageContent => ({
  text,
  documents,
  quotes: [],
  reasoning: null,
  toolCalls: [],
  toolTexts: {},
  tools: null,
  sources: [],
  retrieval: null,
  usage: null,
  context: null,
  failure: null,
  making: null,
  lostPictures: 0,
  foreignFrom: null,
})

/** A message whose words are there is shown, whatever stands beside them: figures of before there were bounds, say. */
const contentJson = storedJson('chat_messages.content', MessageContent, (stored) => {
  const { text, ...beside } = stored as Record<string, unknown>
  const sound = Object.entries(beside).filter(
    ([name, value]) => MessageContent.shape[name as keyof MessageContent]?.safeParse(value).success,
  )
  return { text, ...Object.fromEntries(sound) }
})

export const sealContent = (keys: Keyring, messageId: string, content: MessageContent): Sealed =>
  contentJson.seal(keys, messageId, content)

/** A message that cannot be read is one that failed, without words. */
export const openContent = (
  keys: Keyring,
  row: { readonly id: string; readonly content: Uint8Array },
): MessageContent => unlessUnreadable(() => contentJson.open(keys, row.id, row.content), unreadableContent)

const unreadableContent: MessageContent = {
  ...plainContent(unreadableWords),
  failure: { code: 'unreadable', detail: 'This message can’t be read.' },
}

const textJson = storedJson('chat_messages.content', z.object({ text: z.string() }))
/** Only the text of a message: for walks over many, which need nothing else of it. */
export const openText = (keys: Keyring, row: { readonly id: string; readonly content: Uint8Array }): string =>
  unlessUnreadable(() => textJson.open(keys, row.id, row.content).text, unreadableWords)

export const sealBranchName = (keys: Keyring, messageId: string, name: string): Sealed =>
  keys.seal('chat_messages.branch_name', messageId, name)
/** What the branch that begins with a message is called; null: nothing. */
export const openBranchName = (
  keys: Keyring,
  { id, branch_name }: Pick<MessageRow, 'id' | 'branch_name'>,
): string | null => (branch_name ? openWords(keys, 'chat_messages.branch_name', id, branch_name) : null)

const questionJson = storedJson('chat_messages.content', MessageContent.pick({ text: true, foreignFrom: true }))
/** The text of a question, and where untrusted text begins in it. */
export const openQuestionWords = (
  keys: Keyring,
  row: { readonly id: string; readonly content: Uint8Array },
): Pick<MessageContent, 'text' | 'foreignFrom'> =>
  unlessUnreadable(() => questionJson.open(keys, row.id, row.content), null) ?? {
    text: openText(keys, row),
    foreignFrom: null,
  }

const callsJson = storedJson(
  'chat_messages.content',
  MessageContent.pick({ text: true, toolCalls: true, toolTexts: true, foreignFrom: true }).extend({
    // No more of them than is asked: they hold long passages.
    sources: z.array(z.object({ kind: z.string().optional() })).catch([]),
  }),
)
/** The same of an answer with what it called; one whose calls cannot be read is its text. */
export const openAnswer = (
  keys: Keyring,
  row: { readonly id: string; readonly content: Uint8Array },
): Pick<MessageContent, 'text' | 'toolCalls' | 'toolTexts' | 'foreignFrom'> & {
  readonly sources: readonly { readonly kind?: string | undefined }[]
} =>
  unlessUnreadable(() => callsJson.open(keys, row.id, row.content), null) ?? {
    text: openText(keys, row),
    toolCalls: [],
    toolTexts: {},
    foreignFrom: null,
    sources: [],
  }

const replayJson = storedJson(
  'chat_replays.content',
  z.object({ wire: z.string(), items: z.array(z.unknown()).readonly() }),
)
export const sealReplay = (keys: Keyring, messageId: string, kept: ReplayData): ReplayRow => ({
  message_id: messageId,
  content: replayJson.seal(keys, messageId, kept),
})
/** Throws UnreadableRow. */
export const openReplay = (keys: Keyring, row: ReplayRow): ReplayData =>
  replayJson.open(keys, row.message_id, row.content)

export const sealTitle = (keys: Keyring, chatId: string, title: string): Sealed =>
  keys.seal('chat_sessions.title', chatId, title)
export const openTitle = (keys: Keyring, row: Pick<SessionRow, 'id' | 'title'>): string =>
  openWords(keys, 'chat_sessions.title', row.id, row.title)

const settingsJson = storedJson('chat_sessions.settings', ChatSettings)
export const sealSettings = (keys: Keyring, chatId: string, settings: ChatSettings): Sealed =>
  settingsJson.seal(keys, chatId, settings)
/** What a chat sets for itself; what cannot be read is as good as not set. */
export const openSettings = (keys: Keyring, { id, settings }: Pick<SessionRow, 'id' | 'settings'>): ChatSettings =>
  settings ? unlessUnreadable(() => settingsJson.open(keys, id, settings), {}) : {}

const folderSettingsJson = storedJson('chat_folders.settings', FolderSettings)
export const sealFolderSettings = (keys: Keyring, folderId: string, settings: FolderSettings): Sealed =>
  folderSettingsJson.seal(keys, folderId, settings)
/** What a project sets; what cannot be read is as good as not set. */
export const openFolderSettings = (
  keys: Keyring,
  { id, settings }: Pick<FolderRow, 'id' | 'settings'>,
): FolderSettings =>
  settings
    ? unlessUnreadable(() => folderSettingsJson.open(keys, id, settings), FolderSettings.parse({}))
    : FolderSettings.parse({})

const sentDocumentsJson = storedJson('chat_queue.documents', z.array(SentDocument))
export const sealDocuments = (keys: Keyring, entryId: string, documents: readonly SentDocument[]): Sealed | null =>
  documents.length === 0 ? null : sentDocumentsJson.seal(keys, entryId, [...documents])
export const openDocuments = (keys: Keyring, row: Pick<QueueRow, 'id' | 'documents'>): SentDocument[] => {
  const { id, documents } = row
  return documents ? unlessUnreadable(() => sentDocumentsJson.open(keys, id, documents), []) : []
}

const sentQuotesJson = storedJson('chat_queue.quotes', z.array(SentQuote))
export const sealQueuedQuotes = (keys: Keyring, entryId: string, quotes: readonly SentQuote[]): Sealed | null =>
  quotes.length === 0 ? null : sentQuotesJson.seal(keys, entryId, [...quotes])
export const openQueuedQuotes = (keys: Keyring, { id, quotes }: Pick<QueueRow, 'id' | 'quotes'>): SentQuote[] =>
  quotes ? unlessUnreadable(() => sentQuotesJson.open(keys, id, quotes), []) : []

const queuedMakingJson = storedJson('chat_queue.making', MakeWish)
export const sealQueuedMaking = (keys: Keyring, entryId: string, make: MakeWish | null): Sealed | null =>
  make === null ? null : queuedMakingJson.seal(keys, entryId, make)
/** Throws UnreadableRow. */
export const openQueuedMaking = (keys: Keyring, { id, making }: Pick<QueueRow, 'id' | 'making'>): MakeWish | null =>
  making && queuedMakingJson.open(keys, id, making)

const queuedToolsJson = storedJson('chat_queue.tools', ToolChoice)
export const sealQueuedTools = (keys: Keyring, entryId: string, tools: ToolChoice | undefined): Sealed | null =>
  tools ? queuedToolsJson.seal(keys, entryId, tools) : null
export const openQueuedTools = (keys: Keyring, { id, tools }: Pick<QueueRow, 'id' | 'tools'>): ToolChoice | null =>
  tools && queuedToolsJson.open(keys, id, tools)

const draftQuotesJson = storedJson('chat_drafts.quotes', z.array(Quote))
export const sealQuotes = (keys: Keyring, draftId: string, quotes: readonly Quote[]): Sealed | null =>
  quotes.length === 0 ? null : draftQuotesJson.seal(keys, draftId, [...quotes])
/** What a draft quotes; what cannot be read is as good as not quoted. */
export const openQuotes = (keys: Keyring, { id, quotes }: Pick<DraftRow, 'id' | 'quotes'>): Quote[] =>
  quotes ? unlessUnreadable(() => draftQuotesJson.open(keys, id, quotes), []) : []

const ForkedFrom = z.object({ chatId: z.string(), title: z.string(), messageId: z.string().nullable() })
export type ForkedFrom = z.infer<typeof ForkedFrom>
const forkedFromJson = storedJson('chat_sessions.forked_from', ForkedFrom)
export const sealForkedFrom = (keys: Keyring, chatId: string, from: ForkedFrom): Sealed =>
  forkedFromJson.seal(keys, chatId, from)
export const openForkedFrom = (
  keys: Keyring,
  { id, forked_from }: Pick<SessionRow, 'id' | 'forked_from'>,
): ForkedFrom | null => (forked_from ? unlessUnreadable(() => forkedFromJson.open(keys, id, forked_from), null) : null)

const selectionJson = storedJson('chat.selection', Selection)
export const selectionToText = (selection: Selection | null): string | null =>
  selection === null ? null : selectionJson.write(selection)
/** The model that was chosen; one that cannot be read is none. */
export const textToSelection = (text: string | null): Selection | null =>
  text === null ? null : unlessUnreadable(() => selectionJson.read(text, text), null)

/** Whether its last answer ended because nobody had decided about a call. */
export const waitsForDecision = (row: Pick<SessionRow, 'needs_answer'>): boolean => row.needs_answer === 2

export const rowToSummary = (
  keys: Keyring,
  row: SessionRow,
  { shared = false, tags = [] }: Partial<Pick<ChatSummary, 'shared' | 'tags'>>,
): ChatSummary => ({
  id: row.id,
  title: openTitle(keys, row),
  titleSource: row.title_source,
  selection: textToSelection(row.selection),
  folderId: row.folder_id,
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  runningGenerationId: row.running_generation_id,
  needsAnswer: waitsForDecision(row) || (row.running_generation_id !== null && row.needs_answer === 1),
  failed: row.failed === 1,
  unread: row.unread === 1,
  shared,
  tags,
  expiresAt: row.expires_at === null ? null : toIsoTime(row.expires_at),
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
  deletedAt: row.deleted_at === null ? null : toIsoTime(row.deleted_at),
})

export const sealAttachmentName = (keys: Keyring, id: string, name: string): Sealed =>
  keys.seal('chat_attachments.name', id, name)
export const sealPictureText = (keys: Keyring, id: string, text: string): Sealed =>
  keys.seal('chat_attachments.print', id, text)
/** The printed words of a picture; null where none are known. */
export const openPictureText = (
  keys: Keyring,
  row: Pick<AttachmentRow, 'id' | 'print' | 'print_tokens'>,
): string | null =>
  row.print && row.print_tokens ? openWords(keys, 'chat_attachments.print', row.id, row.print) : null
export const rowToAttachment = (keys: Keyring, row: AttachmentRow): Attachment => ({
  id: row.id,
  name: openWords(keys, 'chat_attachments.name', row.id, row.name),
  kind: row.kind,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  tokens: row.tokens,
  width: row.width,
  height: row.height,
})
