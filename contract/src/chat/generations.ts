/** Answers: asked for, followed, stopped, queued. */
import { z } from 'zod'
import { ClientId, Id, Nothing, Selection } from '../common.ts'
import { GenerationOptions, ToolChoice, ToolDecision } from '../generation.ts'
import { routes } from '../route.ts'
import { AttachmentIds, DocumentIds, Content, Session, owned, readable } from './parts.ts'
import { SentQuotes } from './quotes.ts'
import { ChatEvent, MakeWish, Message, Queue, QueueEntry } from './shapes.ts'

/** What starts an answer. Without `message` and attachments it must regenerate or continue something. */
export const GenerateBody = z.strictObject({
  message: Content.optional(),
  attachmentIds: AttachmentIds.optional(),
  /** Documents of this chat that come with the question, to be shown with it; those that it does not have are left out. */
  documentIds: DocumentIds.optional(),
  /** Of the block quotes in `message`, those from messages of this chat; those whose words are not in it are left out. */
  quotes: SentQuotes.optional(),
  userMessageId: ClientId.optional(),
  assistantMessageId: ClientId.optional(),
  options: GenerationOptions.optional(),
  /** Make the new question a sibling of this one (edit and rerun). */
  branchOf: Id.optional(),
  /** Answer the question of `originalMessageId` again, as a sibling of that answer. */
  regenerate: z.boolean().optional(),
  originalMessageId: Id.optional(),
  /** A one-line wish for a regeneration: "shorter", "in French". */
  instruction: z.string().trim().max(500).optional(),
  /** Go on where this answer was cut off. */
  continueMessageId: Id.optional(),
  modelOverride: Selection.optional(),
  /** Search the web for this question; refused with `web_search_unavailable` where that is not possible. */
  webSearch: z.boolean().optional(),
  /** Send whole documents with this question instead of passages, as far as they fit; left out: as the chat is set. */
  wholeDocuments: z.boolean().optional(),
  /** Which tools the model may call; absent: as the chat is set. Refused with `tool_unavailable` where one may not be used. */
  tools: ToolChoice.optional(),
})
export type GenerateBody = z.infer<typeof GenerateBody>

/** The question is the prompt, and pictures that come with it are worked from. */
const MakeBody = GenerateBody.pick({
  message: true,
  attachmentIds: true,
  quotes: true,
  userMessageId: true,
  assistantMessageId: true,
  branchOf: true,
  regenerate: true,
  originalMessageId: true,
}).extend({ make: MakeWish })

const Started = z.strictObject({
  generationId: Id,
  userMessage: Message.nullable(),
  assistantMessage: Message,
  eventStream: z.string(),
})

const startErrors = [
  'chat_not_found',
  'message_not_found',
  'attachment_not_found',
  'model_unavailable',
  'generation_running',
  'id_reused',
  'context_overflow',
  'nothing_to_continue',
  'web_search_unavailable',
  'tool_unavailable',
] as const

export const generations = routes({
  generate: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/generate',
    access: 'user',
    names: owned,
    limit: 'generate',
    summary: 'Ask a model and wait for the complete answer',
    params: Session,
    body: GenerateBody,
    returns: Message,
    errors: [
      ...startErrors,
      'provider_failed',
      'provider_unreachable',
      'provider_rejected',
      'api_key_needed',
      'over_budget',
    ],
  },
  generateStream: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/generate/stream',
    access: 'user',
    names: owned,
    limit: 'generate',
    summary: 'Ask a model and stream the answer as it is written',
    params: Session,
    body: GenerateBody,
    returns: z.never(),
    stream: ChatEvent,
    errors: startErrors,
  },
  startGeneration: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/generations',
    access: 'user',
    names: owned,
    limit: 'generate',
    status: 202,
    summary: 'Ask a model. The answer is written on the server; follow it at `eventStream`',
    params: Session,
    body: GenerateBody,
    returns: Started,
    errors: startErrors,
  },
  startMaking: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/makings',
    access: 'user',
    names: owned,
    limit: 'media-making',
    status: 202,
    summary:
      'Create an image, a video or speech as the answer. It is also saved in the gallery; follow it at `eventStream`',
    params: Session,
    body: MakeBody,
    returns: Started,
    errors: startErrors,
  },
  cancel: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/generations/{assistantMessageId}/cancel',
    access: 'user',
    names: owned,
    limit: 'stop',
    summary:
      'Stop an answer, keep what is written, and pause the queue. Returns whether it was stopped or had already ended',
    params: Session.extend({ assistantMessageId: Id }),
    returns: z.strictObject({ outcome: z.enum(['cancelled', 'already-ended']), message: Message }),
    errors: ['chat_not_found', 'generation_not_found'],
  },
  decide: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/approvals/{approvalId}',
    access: 'user',
    names: owned,
    audit: 'tool.decide',
    summary: 'Allow or deny what a running answer asks permission for',
    params: Session.extend({ approvalId: Id }),
    body: z.strictObject({ decision: ToolDecision }),
    returns: Nothing,
    errors: ['chat_not_found', 'approval_not_found'],
  },
  events: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/events',
    access: 'user',
    names: readable,
    summary:
      'Follow a generation of this chat from any point: the given one, otherwise the running one, otherwise the last one',
    params: Session,
    query: z.strictObject({
      /** A generation id, or the id of its assistant message. */
      generation: Id.optional(),
      after: z.coerce.number().int().min(0).optional(),
    }),
    returns: z.never(),
    stream: ChatEvent,
    errors: ['chat_not_found', 'generation_not_found'],
  },
  generateTitle: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/generate-title',
    access: 'user',
    names: owned,
    limit: 'generate',
    summary: 'Have a model name the chat. Falls back to its first words',
    params: Session,
    body: z.strictObject({ selection: Selection.optional() }),
    returns: z.strictObject({ title: z.string(), source: z.enum(['model', 'fallback']) }),
    errors: ['chat_not_found'],
  },
  followups: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/followups',
    access: 'user',
    names: owned,
    limit: 'generate',
    summary: 'Suggest up to three follow-up questions. Empty if the model fails',
    params: Session,
    returns: z.strictObject({ suggestions: z.array(z.string().max(120)).max(4) }),
    errors: ['chat_not_found'],
  },
  enqueue: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/queue',
    access: 'user',
    names: owned,
    summary: 'Queue a prompt to send when the running answer is done',
    params: Session,
    body: z.strictObject({
      id: ClientId.optional(),
      content: Content,
      attachmentIds: AttachmentIds.optional(),
      documentIds: DocumentIds.optional(),
      quotes: SentQuotes.optional(),
      /** Search the web for it when its turn comes. */
      webSearch: z.boolean().optional(),
      /** Which tools its answer may use; absent: as the chat is set when its turn comes. */
      tools: ToolChoice.optional(),
    }),
    returns: Queue,
    errors: ['chat_not_found', 'queue_full', 'attachment_not_found', 'web_search_unavailable', 'tool_unavailable'],
  },
  enqueueMaking: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/queue/makings',
    access: 'user',
    names: owned,
    limit: 'media-making',
    summary: 'Queue an image, a video or speech to create when the running answer is done',
    params: Session,
    body: z.strictObject({
      id: ClientId.optional(),
      content: Content,
      attachmentIds: AttachmentIds.optional(),
      quotes: SentQuotes.optional(),
      make: MakeWish,
    }),
    returns: Queue,
    errors: ['chat_not_found', 'queue_full', 'attachment_not_found'],
  },
  reorderQueue: {
    method: 'put',
    path: '/api/chat/sessions/{sessionId}/queue',
    access: 'user',
    names: owned,
    summary: 'Reorder the queue. Unknown ids are ignored; missing ones stay at the end',
    params: Session,
    body: z.strictObject({ order: z.array(Id).max(50) }),
    returns: Queue,
    errors: ['chat_not_found'],
  },
  resumeQueue: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/queue/resume',
    access: 'user',
    names: owned,
    limit: 'generate',
    summary: 'Resume a paused queue now, or when the running answer is done',
    params: Session,
    returns: Queue,
    errors: ['chat_not_found'],
  },
  updateQueued: {
    method: 'put',
    path: '/api/chat/sessions/{sessionId}/queue/{entryId}',
    access: 'user',
    names: owned,
    summary: 'Update a queued prompt',
    params: Session.extend({ entryId: Id }),
    body: z.strictObject({ content: Content.min(1) }),
    returns: Queue,
    errors: ['chat_not_found', 'queue_entry_not_found'],
  },
  removeQueued: {
    method: 'delete',
    path: '/api/chat/sessions/{sessionId}/queue/{entryId}',
    access: 'user',
    names: owned,
    summary: 'Remove a prompt from the queue. If several callers try, only one gets it',
    params: Session.extend({ entryId: Id }),
    returns: Queue.extend({ entry: QueueEntry }),
    errors: ['chat_not_found', 'queue_entry_not_found'],
  },
})
