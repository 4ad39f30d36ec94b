/** What a chat is made of. */
import { z } from 'zod'
import { Id, Selection, Time } from '../common.ts'
import {
  answerEvents,
  Attachment,
  ContextPlan,
  Failure,
  GenerationOptions,
  Retrieval,
  Source,
  ToolCall,
  ToolChoice,
  Usage,
} from '../generation.ts'
import { ImageWish, SpeechWish, VideoWish } from '../media-gallery/making.ts'
import { plainLine } from '../plain-line.ts'
import { cleanTag, mostTagLetters, mostTagsOfChat } from '../tag-name.ts'
import { Content } from './parts.ts'
import { Quote, SentQuote } from './quotes.ts'

export { Attachment }

export const TagName = z.string().max(200).overwrite(cleanTag).min(1).max(mostTagLetters).regex(plainLine)
export const TagNames = z.array(TagName).max(mostTagsOfChat)

/** A document of the chat that came with a message, as it was called then; it may be gone since. */
export const SentDocument = z.strictObject({ id: Id, name: z.string(), sizeBytes: z.number().int() })
export type SentDocument = z.infer<typeof SentDocument>

export const MadeKind = z.enum(['image', 'video', 'speech'])
export type MadeKind = z.infer<typeof MadeKind>

/** What something is made with, by the fields of its kind and the choices that the model's `config` lists. */
export const MakeOptions = ImageWish.pick({ n: true, size: true, quality: true, style: true })
  .extend(VideoWish.pick({ durationMs: true, resolution: true, aspectRatio: true, generateAudio: true }).shape)
  .extend(SpeechWish.pick({ voice: true, responseFormat: true, speed: true }).shape)
export type MakeOptions = z.infer<typeof MakeOptions>

/** What is made instead of an answer, and by which model; see `GET /api/media/models`. */
export const MakeWish = z.strictObject({
  kind: MadeKind,
  model: z.string().min(1).max(300),
  pluginId: z.string().min(1).max(100),
  /** Absent: as the account set it for this model. With any, also with none, nothing of that counts. */
  options: MakeOptions.optional(),
  /** One of the attachments: a PNG as large as the first of the others, transparent where that is drawn anew. */
  maskId: Id.optional(),
})
export type MakeWish = z.infer<typeof MakeWish>

/** Of an answer that is something made: what, by which model, and the job in the owner's gallery. */
export const Making = z.strictObject({
  kind: MadeKind,
  model: z.string(),
  pluginId: z.string(),
  /** As it was asked for; for its owner alone, as the mask. */
  options: MakeOptions.optional(),
  maskId: Id.optional(),
  /** null: it did not begin, or is not for the reader. Pictures are attachments besides. */
  jobId: Id.nullable(),
})
export type Making = z.infer<typeof Making>

/** `waiting`: it goes on when somebody decides about a call that it made. */
export const MessageStatus = z.enum(['complete', 'running', 'waiting', 'cancelled', 'interrupted', 'failed'])

/**
 * One message of a chat. Messages form a tree: `parentId` is the message it answers, siblings share it, and the
 * active path runs from the root to the chat's `activeLeafId`.
 */
export const Message = z.strictObject({
  id: Id,
  parentId: Id.nullable(),
  role: z.enum(['user', 'assistant', 'summary']),
  status: MessageStatus,
  content: z.string(),
  reasoning: z.string().nullable(),
  attachments: z.array(Attachment),
  documents: z.array(SentDocument),
  /** What of it is quoted from other messages of the chat, as far as those can be read. Absent: nothing. */
  quotes: z.array(SentQuote).optional(),
  toolCalls: z.array(ToolCall),
  sources: z.array(Source),
  /** What was looked for in documents and on the web; absent or null when nothing was. */
  retrieval: Retrieval.nullable().optional(),
  /** Absent or null of answers in words. */
  making: Making.nullable().optional(),
  /** How many pictures were drawn that were withheld or could not be kept; absent: none. */
  lostPictures: z.number().int().optional(),
  selection: Selection.nullable(),
  usage: Usage.nullable(),
  context: ContextPlan.nullable(),
  /** Why the provider stopped: `stop`, `length`, `tool_calls`, `content_filter`, or its own word. */
  finishReason: z.string().nullable(),
  failure: Failure.nullable(),
  rating: z.union([z.literal(1), z.literal(-1)]).nullable(),
  /** Its owner keeps it at hand: see `GET …/pins`. Absent: no. */
  pinned: z.boolean().optional(),
  /** What its owner calls the branch that begins with it. Absent or null: nothing. */
  branchName: z.string().nullable().optional(),
  /** Place among its siblings, from 0, and how many there are. */
  siblingIndex: z.number().int(),
  siblingCount: z.number().int(),
  /** Place on the path, from 0. */
  depth: z.number().int(),
  /** Older than the summary in force: not sent to the model any more. */
  summarised: z.boolean(),
  generationId: Id.nullable(),
  createdAt: Time,
  editedAt: Time.nullable(),
})
export type Message = z.infer<typeof Message>

export const ChatSettings = z.strictObject({
  systemMessage: z.string().max(20_000).nullable().optional(),
  generationOptions: GenerationOptions.optional(),
  /** `false` keeps this chat out of automatic summaries. */
  compaction: z.boolean().optional(),
  /** Send all text of every document in scope, as far as it fits. */
  fullDocumentContext: z.boolean().optional(),
  /** Collections that questions of this chat look in, own and shared. */
  knowledgeCollectionIds: z.array(Id).max(50).optional(),
  /** Look in the own library, too (default true). */
  useLibrary: z.boolean().optional(),
  /** Which tools models may call; absent: all that may be used, as they like. */
  tools: ToolChoice.optional(),
})
export type ChatSettings = z.infer<typeof ChatSettings>

/** A chat as it stands in lists: no messages. */
export const ChatSummary = z.strictObject({
  id: Id,
  title: z.string(),
  /** Whether the title was made by a person, a model, or is still the first words. */
  titleSource: z.enum(['default', 'generated', 'own']),
  selection: Selection.nullable(),
  folderId: Id.nullable(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** The generation that writes in it now. */
  runningGenerationId: Id.nullable(),
  /** That one waits for permission: nothing goes on until somebody decides. */
  needsAnswer: z.boolean(),
  /** The last answer failed or was interrupted. */
  failed: z.boolean(),
  /** Something was answered since the owner last looked. */
  unread: z.boolean(),
  /** Others can read it, because it is shared, or the folder that it is in. */
  shared: z.boolean(),
  /** Its owner's, by name; to readers none. */
  tags: z.array(z.string()),
  /** Of a temporary chat: when it is deleted for good, with its files; each question postpones it. null: it is kept. */
  expiresAt: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
  deletedAt: Time.nullable(),
})
export type ChatSummary = z.infer<typeof ChatSummary>

export const QueueEntry = z.strictObject({
  id: Id,
  content: z.string(),
  attachments: z.array(Attachment),
  documents: z.array(SentDocument),
  quotes: z.array(SentQuote),
  webSearch: z.boolean(),
  /** Which tools its answer may use; null: as the chat is set. */
  tools: ToolChoice.nullable(),
  /** What is made instead of an answer; null: nothing. */
  make: MakeWish.nullable(),
  createdAt: Time,
})
export type QueueEntry = z.infer<typeof QueueEntry>
export const Queue = z.strictObject({
  queue: z.array(QueueEntry),
  /** As `queuePaused` of a chat. */
  paused: z.boolean(),
})
export type Queue = z.infer<typeof Queue>

/** Text, quotes and attachments not yet sent. */
export const Draft = z.strictObject({
  content: Content,
  quotes: z.array(Quote),
  attachments: z.array(Attachment),
})
export type Draft = z.infer<typeof Draft>

export const MessagePage = z.strictObject({
  /** In reading order; the page before it is fetched with `nextCursor`. */
  items: z.array(Message),
  nextCursor: z.string().nullable(),
})

/** A chat with answers that cite a document. */
export const CitingChat = z.strictObject({
  chatId: Id,
  title: z.string(),
  /** How many of its answers do. */
  answers: z.number().int(),
  /** The latest of them. */
  messageId: Id,
  answeredAt: Time,
})
export type CitingChat = z.infer<typeof CitingChat>

/**
 * One chat, with the last page of its active path. Whoever reads it by a right on it sees what was said, and nothing
 * that is its owner's alone: no draft, queue, settings, use or cost, and of the sources only those that are cited.
 */
export const Chat = ChatSummary.extend({
  /** Whose it is, where it is somebody else's. */
  ownerName: z.string().nullable(),
  settings: ChatSettings,
  activeLeafId: Id.nullable(),
  messageCount: z.number().int(),
  /** How many of its messages are pinned, in all branches. */
  pinnedCount: z.number().int(),
  forkedFrom: z.strictObject({ chatId: Id, title: z.string(), messageId: Id.nullable() }).nullable(),
  messages: MessagePage,
  queue: z.array(QueueEntry),
  /** Queued prompts wait until `resumeQueue` is called: an answer was stopped or failed while they waited. */
  queuePaused: z.boolean(),
  draft: Draft,
})
export type Chat = z.infer<typeof Chat>

/** A word that an account gives some of its chats. */
export const Tag = z.strictObject({
  id: Id,
  name: z.string(),
  /** Without those in the trash, and temporary ones. */
  chatCount: z.number().int(),
})
export type Tag = z.infer<typeof Tag>

/** A project: what chats are filed in. */
export const Folder = z.strictObject({
  id: Id,
  name: z.string(),
  /** The project that it is in; null: in none. */
  parentId: Id.nullable(),
  /** The model that new chats in it begin with; null: that of their account, or of the project around it. */
  selection: Selection.nullable(),
  /** Others can read the chats in it. */
  shared: z.boolean(),
  chatCount: z.number().int(),
  unreadCount: z.number().int(),
  runningCount: z.number().int(),
  createdAt: Time,
  updatedAt: Time,
  deletedAt: Time.nullable(),
})
export type Folder = z.infer<typeof Folder>

/** What counts for every chat of a project, and of the projects within it. */
export const FolderSettings = z.strictObject({
  /** Sent behind the system message. */
  instructions: z.string().max(20_000).default(''),
  selection: Selection.nullable().default(null),
  /** Collections that questions look in, besides the files of the project. */
  collectionIds: z.array(Id).max(50).default([]),
})
export type FolderSettings = z.infer<typeof FolderSettings>

/** A project with what only its owner sees. */
export const Project = Folder.extend({
  settings: FolderSettings,
  /** The collection that holds its files; null while it has none. */
  filesCollectionId: Id.nullable(),
})
export type Project = z.infer<typeof Project>

/** What is in the trash, and when it goes for good. */
export const TrashItem = z.strictObject({
  id: Id,
  kind: z.enum(['chat', 'folder', 'message']),
  title: z.string(),
  /** The chat a trashed message belongs to. */
  chatId: Id.nullable(),
  deletedAt: Time,
  expiresAt: Time,
})
export type TrashItem = z.infer<typeof TrashItem>

/** Events of a generation; the last is exactly one of `done`, `cancelled`, `error`. */
export const ChatEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('start'),
    data: z.strictObject({
      generationId: Id,
      assistantMessageId: Id,
      userMessageId: Id.nullable(),
      context: ContextPlan.nullable(),
    }),
  }),
  ...answerEvents,
  z.strictObject({ type: z.literal('done'), data: z.strictObject({ message: Message }) }),
  z.strictObject({ type: z.literal('cancelled'), data: z.strictObject({ message: Message }) }),
  z.strictObject({
    type: z.literal('error'),
    data: z.strictObject({ code: z.string(), detail: z.string(), message: Message.optional() }),
  }),
])
export type ChatEvent = z.infer<typeof ChatEvent>
