/** The messages of a chat, and the branches they grow in. */
import { z } from 'zod'
import { ClientId, Id, PageQuery, Selection, page } from '../common.ts'
import { routes } from '../route.ts'
import { Branch, BranchName, MessagePreview } from './branches.ts'
import { AttachmentIds, Content, InSession, Session, owned, readable } from './parts.ts'
import { Chat, CitingChat, Message, MessagePage } from './shapes.ts'

export const messages = routes({
  messages: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/messages',
    access: 'user',
    names: readable,
    summary: 'List an earlier page of the active path, in reading order',
    params: Session,
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(30),
      cursor: z.string().max(500).optional(),
      /** The page that ends some messages after this one, for links to a message. */
      around: Id.optional(),
    }),
    returns: MessagePage.extend({
      previousCursor: z.string().nullable(),
      /** Around a message: whether that is on the active path. */
      active: z.boolean(),
    }),
    errors: ['chat_not_found', 'message_not_found', 'bad_cursor'],
  },
  newer: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/messages/{messageId}/after',
    access: 'user',
    names: readable,
    summary: 'List the messages that follow this one on the active path, in reading order',
    params: InSession,
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(30) }),
    returns: MessagePage,
    errors: ['chat_not_found', 'message_not_found'],
  },
  find: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/find',
    access: 'user',
    names: readable,
    summary: 'Find the messages on the active path that contain these words, in reading order',
    params: Session,
    query: z.strictObject({ q: z.string().min(1).max(200) }),
    returns: z.strictObject({
      /** At most a thousand, the latest ones, each with how often the words stand in it. */
      items: z.array(z.strictObject({ messageId: Id, count: z.number().int() })),
      /** How often they stand in all of it. */
      total: z.number().int(),
    }),
    errors: ['chat_not_found'],
  },
  citing: {
    method: 'get',
    path: '/api/chat/citations/{documentId}',
    access: 'user',
    names: { resource: 'document', id: 'documentId', right: 'read' },
    summary: 'List your chats whose answers cite a document, latest such answer first',
    params: z.strictObject({ documentId: Id }),
    query: PageQuery,
    returns: page(CitingChat),
    errors: ['bad_cursor'],
  },
  addMessage: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/messages',
    access: 'user',
    names: owned,
    summary: 'Add a message without asking a model. Sending the same id again returns the stored message',
    params: Session,
    body: z.strictObject({
      id: ClientId.optional(),
      role: z.enum(['user', 'assistant']),
      content: Content.min(1),
      attachmentIds: AttachmentIds.optional(),
      selection: Selection.nullable().optional(),
    }),
    returns: Message,
    errors: ['chat_not_found', 'attachment_not_found', 'id_reused', 'generation_running'],
  },
  updateMessage: {
    method: 'put',
    path: '/api/chat/sessions/{sessionId}/messages/{messageId}',
    access: 'user',
    names: owned,
    summary: 'Edit a message’s text, rate it, pin it, or name the branch that begins with it',
    params: InSession,
    body: z.strictObject({
      content: Content.min(1).optional(),
      reasoning: Content.nullable().optional(),
      rating: z
        .union([z.literal(1), z.literal(-1)])
        .nullable()
        .optional(),
      pinned: z.boolean().optional(),
      /** null: it has none any more. */
      branchName: BranchName.nullable().optional(),
    }),
    returns: Message,
    errors: ['chat_not_found', 'message_not_found', 'generation_running', 'pin_limit'],
  },
  removeMessage: {
    method: 'delete',
    path: '/api/chat/sessions/{sessionId}/messages/{messageId}',
    access: 'user',
    names: owned,
    summary: 'Move one message to the trash. Messages after it are attached to the one before it',
    params: InSession,
    query: z.strictObject({
      /** Of a question: with all of its answers. */
      with: z.literal('answers').optional(),
    }),
    returns: Chat,
    errors: ['chat_not_found', 'message_not_found', 'generation_running'],
  },
  branch: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/messages/{messageId}/branch',
    access: 'user',
    names: owned,
    summary: 'Switch to a message or its sibling with this index, with the path last active below it',
    params: InSession,
    body: z.strictObject({
      /** Absent: to the message itself. */
      branchIndex: z.number().int().min(0).optional(),
    }),
    returns: Chat,
    errors: ['chat_not_found', 'message_not_found', 'generation_running'],
  },
  branches: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/messages/{messageId}/branches',
    access: 'user',
    names: readable,
    summary: 'List the siblings of a message, including itself, oldest first',
    params: InSession,
    returns: z.strictObject({ items: z.array(Message), nextCursor: z.null() }),
    errors: ['chat_not_found', 'message_not_found'],
  },
  branchMap: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/branch-map',
    access: 'user',
    names: owned,
    summary: 'List the branches of a chat in reading order, the last ones first by page',
    params: Session,
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(100),
      cursor: z.string().max(500).optional(),
    }),
    returns: z.strictObject({
      /** In reading order; those before them are fetched with `nextCursor`. */
      items: z.array(Branch),
      nextCursor: z.string().nullable(),
      total: z.number().int(),
    }),
    errors: ['chat_not_found', 'bad_cursor'],
  },
  findInBranches: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/branch-map/find',
    access: 'user',
    names: owned,
    summary:
      'Find the messages of all branches that contain these words, or whose branch is named with them, oldest first',
    params: Session,
    query: z.strictObject({ q: z.string().min(1).max(200) }),
    returns: z.strictObject({
      /** A hundred at most, the latest ones. */
      items: z.array(MessagePreview),
      total: z.number().int(),
    }),
    errors: ['chat_not_found'],
  },
  pins: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/pins',
    access: 'user',
    names: owned,
    summary: 'List the pinned messages of a chat, of all branches, oldest first',
    params: Session,
    returns: z.strictObject({ items: z.array(MessagePreview), nextCursor: z.null() }),
    errors: ['chat_not_found'],
  },
  addBranch: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/messages/{messageId}/branches',
    access: 'user',
    names: owned,
    summary: 'Add a sibling of a message and make it active',
    params: InSession,
    body: z.strictObject({ id: ClientId.optional(), content: Content.min(1) }),
    returns: Message,
    errors: ['chat_not_found', 'message_not_found', 'id_reused', 'generation_running'],
  },
  truncate: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/messages/{messageId}/truncate',
    access: 'user',
    names: owned,
    summary: 'Move a message and everything after it to the trash',
    params: InSession,
    returns: Chat,
    errors: ['chat_not_found', 'message_not_found'],
  },
})
