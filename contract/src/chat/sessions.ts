/** The chats themselves, and how much of one a model gets to see. */
import { z } from 'zod'
import { ClientId, Id, Nothing, PageQuery, Selection, page } from '../common.ts'
import { ContextPlan } from '../generation.ts'
import { defaultLanguage, languageCodes } from '../languages.ts'
import { TimeZone } from '../recurrence.ts'
import { routes } from '../route.ts'
import { InSession, Session, Title, owned, readable } from './parts.ts'
import { Chat, ChatSettings, ChatSummary, TagName, TagNames } from './shapes.ts'

export const CompactionConfig = z.strictObject({
  enabled: z.boolean(),
  thresholdTokens: z.number().int(),
  keepRecentMessages: z.number().int(),
  model: Selection.nullable(),
  prompt: z.string(),
})
export type CompactionConfig = z.infer<typeof CompactionConfig>

/** The members of a selection, one by one. Without a `providerType` the model must be one provider's alone. */
const flatSelection = {
  model: Selection.shape.model.optional(),
  providerType: Selection.shape.providerType.optional(),
  providerId: Selection.shape.providerId.optional(),
}

export const sessions = routes({
  list: {
    method: 'get',
    path: '/api/chat/sessions',
    access: 'user',
    summary: 'List your chats, latest first, without messages',
    query: PageQuery.extend({
      folderId: Id.optional(),
      pinned: z.enum(['true', 'false']).optional(),
      archived: z.enum(['true', 'false', 'any']).default('false'),
      tag: TagName.optional(),
      /** Words that the title must hold. */
      q: z.string().trim().max(200).optional(),
    }),
    returns: page(ChatSummary),
    errors: ['bad_cursor'],
  },
  create: {
    method: 'post',
    path: '/api/chat/sessions',
    access: 'user',
    summary: 'Create a chat',
    body: z.strictObject({
      id: ClientId.optional(),
      title: Title.optional(),
      /** Left out: the `fallback` of the list of models; of a draft it is chosen with the first question. */
      selection: Selection.nullable().optional(),
      ...flatSelection,
      folderId: Id.nullable().optional(),
      tags: TagNames.optional(),
      settings: ChatSettings.optional(),
      /** Begun for documents and settings of a question that is still being written: in no list until something is asked. */
      draft: z.boolean().optional(),
      /** In no list, search or export, shared with nobody, and deleted for good at its `expiresAt`. */
      temporary: z.boolean().optional(),
    }),
    returns: Chat,
    errors: ['folder_not_found', 'id_reused', 'tag_limit', 'tool_unavailable'],
  },
  clear: {
    method: 'delete',
    path: '/api/chat/sessions',
    access: 'user',
    summary: 'Move all of your chats to the trash and delete temporary ones permanently. Running answers are stopped',
    returns: z.strictObject({ trashed: z.number().int() }),
  },
  read: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}',
    access: 'user',
    names: readable,
    summary: 'Get a chat with the last page of its active path',
    params: Session,
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(30) }),
    returns: Chat,
    errors: ['chat_not_found'],
  },
  update: {
    method: 'put',
    path: '/api/chat/sessions/{sessionId}',
    access: 'user',
    names: owned,
    summary: 'Update a chat: rename, tag, pin, archive, move or keep it, or change its model or settings',
    params: Session,
    body: z.strictObject({
      title: Title.optional(),
      selection: Selection.nullable().optional(),
      ...flatSelection,
      pinned: z.boolean().optional(),
      archived: z.boolean().optional(),
      folderId: Id.nullable().optional(),
      /** All that it has from now on; new ones are created. */
      tags: TagNames.optional(),
      unread: z.boolean().optional(),
      settings: ChatSettings.optional(),
      /** `false` keeps a temporary chat, as one like all others. `true` is for one in which nothing was said yet. */
      temporary: z.boolean().optional(),
    }),
    returns: ChatSummary,
    errors: ['chat_not_found', 'folder_not_found', 'conflict', 'tag_limit', 'tool_unavailable'],
  },
  remove: {
    method: 'delete',
    path: '/api/chat/sessions/{sessionId}',
    access: 'user',
    names: owned,
    summary: 'Move a chat to the trash, or delete a temporary one permanently. A running answer is stopped',
    params: Session,
    returns: Nothing,
    errors: ['chat_not_found'],
  },
  export: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/export',
    access: 'user',
    names: owned,
    summary: 'Export a chat: its active path as Markdown or HTML, or all of its branches as JSON',
    params: Session,
    query: z.strictObject({
      /**
       * `html` is one page that asks for nothing, with formulas as MathML. Diagrams are in their source, as in the others:
       * it takes a browser to draw them, and the app does so when it saves or prints the page.
       */
      format: z.enum(['markdown', 'html', 'json']),
      /** Of the names and times in it. */
      language: z.enum(languageCodes).default(defaultLanguage),
      /** Left out: times are in UTC, as ISO 8601 has them. */
      timeZone: TimeZone.optional(),
    }),
    returns: 'bytes',
    errors: ['chat_not_found'],
  },
  fork: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/fork',
    access: 'user',
    names: readable,
    summary: 'Copy your chat into a new one: the active path or all branches, up to a message if given',
    params: Session,
    body: z.strictObject({
      messageId: Id.optional(),
      title: Title.optional(),
      /** All of the chat, not the active path alone; of the message, without what follows it. Readers see one path only, so it is for the owner. */
      branches: z.boolean().optional(),
    }),
    returns: ChatSummary,
    errors: ['chat_not_found', 'message_not_found', 'right_missing'],
  },
  context: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/context',
    access: 'user',
    names: owned,
    summary: 'Get how the next request would fill the model’s context window',
    params: Session,
    query: z.strictObject({ draftTokens: z.coerce.number().int().min(0).max(10_000_000).default(0) }),
    returns: ContextPlan,
    errors: ['chat_not_found'],
  },
  compact: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/compaction',
    access: 'user',
    names: owned,
    limit: 'generate',
    summary: 'Summarise the older part of a chat now',
    params: Session,
    returns: Chat,
    errors: [
      'chat_not_found',
      'generation_running',
      'nothing_to_compact',
      'model_unavailable',
      'provider_failed',
      'provider_unreachable',
      'provider_rejected',
      'over_budget',
      'api_key_needed',
    ],
  },
  restore: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/compaction/{messageId}/restore',
    access: 'user',
    names: owned,
    summary: 'Undo a summary. The messages it replaced are sent again',
    params: InSession,
    returns: Chat,
    errors: ['chat_not_found', 'summary_not_found', 'generation_running'],
  },
  contextPolicy: {
    method: 'get',
    path: '/api/chat/context-policy',
    access: 'user',
    summary: 'Get how much of a chat is sent to a model, and how long temporary chats are kept',
    returns: z.strictObject({
      /** Messages are sent newest first until the window of the model is full. */
      policy: z.literal('fit-window'),
      defaultWindowTokens: z.number().int(),
      compaction: z.boolean(),
      thresholdTokens: z.number().int(),
      keepRecentMessages: z.number().int(),
      /** Documents are sent whole up to so many tokens together, as far as the window has room for them. */
      fullDocumentTokens: z.number().int(),
      /** So long after its last question a temporary chat is deleted. */
      temporaryChatHours: z.number().int(),
    }),
  },
  compactionConfig: {
    method: 'get',
    path: '/api/chat/compaction-config',
    access: 'admin',
    summary: 'Get how chats are summarised',
    returns: CompactionConfig,
  },
  updateCompactionConfig: {
    method: 'put',
    path: '/api/chat/compaction-config',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set how chats are summarised',
    body: z.strictObject({
      enabled: z.boolean().optional(),
      thresholdTokens: z.number().int().min(500).max(1_000_000).optional(),
      keepRecentMessages: z.number().int().min(2).max(200).optional(),
      model: Selection.nullable().optional(),
      prompt: z.string().max(8000).optional(),
    }),
    returns: CompactionConfig,
  },
})
