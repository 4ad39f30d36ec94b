/** Chats that are shared by a link: what their owner does with links, and what somebody sees who opens one. */
import { z } from 'zod'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { SourceLocation } from '../generation.ts'
import { LinkDays, LinkOpening, LinkPassword, LinkSecret, LinkVisit, NewLinkPassword } from '../link-visits.ts'
import { bytes, routes } from '../route.ts'
import { Session, owned } from './parts.ts'
import { Attachment, MessageStatus, SentDocument } from './shapes.ts'

export const ChatLink = z.strictObject({
  id: Id,
  chatId: Id,
  /** Attachments, documents and cited passages are shown, too; else the words alone. */
  withFiles: z.boolean(),
  hasPassword: z.boolean(),
  expiresAt: Time,
  createdAt: Time,
})
export type ChatLink = z.infer<typeof ChatLink>

/** A message as visitors see it: what was said, and nothing of how it came about. */
export const LinkedMessage = z.strictObject({
  id: Id,
  role: z.enum(['user', 'assistant']),
  status: MessageStatus,
  content: z.string(),
  attachments: z.array(
    Attachment.pick({ id: true, name: true, kind: true, sizeBytes: true, width: true, height: true }),
  ),
  /** `id` null: its file is not there, or not in this chat any more. */
  documents: z.array(SentDocument.extend({ id: Id.nullable() })),
  sources: z.array(
    z.strictObject({
      number: z.number().int().optional(),
      name: z.string(),
      url: z.string().optional(),
      section: z.string().nullable(),
      location: SourceLocation.nullable().optional(),
      passage: z.string(),
    }),
  ),
  /** What was made as this answer and can be played; null where it is none, or files are not shown. */
  media: z.enum(['video', 'speech']).nullable(),
  createdAt: Time,
})
export type LinkedMessage = z.infer<typeof LinkedMessage>

/** What a visit is exchanged for where a browser plays something by its address: good for that alone. */
const Pass = z.string().min(1).max(200)

export const chatLinks = routes({
  links: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/links',
    access: 'user',
    names: owned,
    summary: 'List the links to a chat',
    params: Session,
    returns: z.strictObject({
      /** Whether the administrator lets chats be shared by links. */
      allowed: z.boolean(),
      items: z.array(ChatLink),
      nextCursor: z.null(),
    }),
    errors: ['chat_not_found'],
  },
  addLink: {
    method: 'post',
    path: '/api/chat/sessions/{sessionId}/links',
    access: 'user',
    forPeople: true,
    names: owned,
    noStore: true,
    limit: 'account',
    summary: 'Create a link to a chat. Its secret is returned only this once',
    params: Session,
    body: z.strictObject({
      expiresInDays: LinkDays.default(30),
      password: NewLinkPassword.optional(),
      withFiles: z.boolean().default(false),
    }),
    returns: z.strictObject({
      link: ChatLink,
      /** Whole where the instance knows its address, else without scheme and host. */
      url: z.string(),
    }),
    errors: ['chat_not_found', 'conflict', 'chat_links_off', 'chat_link_limit'],
  },
  ownLinks: {
    method: 'get',
    path: '/api/chat/links',
    access: 'user',
    summary: 'List your links to chats, newest first',
    query: PageQuery,
    returns: page(ChatLink.extend({ title: z.string() })),
    errors: ['bad_cursor'],
  },
  updateLink: {
    method: 'patch',
    path: '/api/chat/links/{linkId}',
    access: 'user',
    forPeople: true,
    names: 'own',
    limit: 'account',
    summary: 'Update the end date or the password of a link. A new password ends open visits',
    params: z.strictObject({ linkId: Id }),
    body: z.strictObject({
      /** From now on. */
      expiresInDays: LinkDays.optional(),
      /** null: none any more. */
      password: NewLinkPassword.optional(),
    }),
    returns: ChatLink,
    errors: ['chat_link_not_found'],
  },
  removeLink: {
    method: 'delete',
    path: '/api/chat/links/{linkId}',
    access: 'user',
    names: 'own',
    summary: 'Revoke a link. Anyone who has it open loses access within a second',
    params: z.strictObject({ linkId: Id }),
    returns: Nothing,
    errors: ['chat_link_not_found'],
  },
  openLink: {
    method: 'post',
    path: '/api/chat/links/open',
    access: 'public',
    limit: 'link-open',
    noStore: true,
    summary: 'Exchange a link’s secret for a visit of one hour',
    body: z.strictObject({ secret: LinkSecret, password: LinkPassword.optional() }),
    returns: LinkOpening,
    errors: ['chat_link_not_found', 'chat_link_password', 'chat_link_locked'],
  },
  linkedMessages: {
    method: 'post',
    path: '/api/chat/links/messages',
    access: 'public',
    limit: 'link-read',
    noStore: true,
    summary: 'List messages on the active path of a linked chat, by page, in reading order',
    body: z.strictObject({ visit: LinkVisit, cursor: z.string().max(500).optional() }),
    returns: z.strictObject({
      title: z.string(),
      /** An answer is being written; it is shown when it is done. */
      isAnswering: z.boolean(),
      items: z.array(LinkedMessage),
      nextCursor: z.string().nullable(),
    }),
    errors: ['chat_link_not_found', 'bad_cursor'],
  },
  linkedAttachment: {
    method: 'post',
    path: '/api/chat/links/attachment',
    access: 'public',
    limit: 'link-read',
    noStore: true,
    summary: 'Download an attachment of a message that a link shows',
    body: z.strictObject({ visit: LinkVisit, messageId: Id, attachmentId: Id }),
    returns: bytes,
    errors: ['chat_link_not_found', 'attachment_not_found'],
  },
  linkedDocument: {
    method: 'post',
    path: '/api/chat/links/document',
    access: 'public',
    limit: 'link-read',
    noStore: true,
    summary: 'Download a document that came with a message that a link shows',
    body: z.strictObject({ visit: LinkVisit, messageId: Id, documentId: Id }),
    returns: bytes,
    errors: ['chat_link_not_found', 'attachment_not_found'],
  },
  linkedMedia: {
    method: 'post',
    path: '/api/chat/links/media',
    access: 'public',
    limit: 'link-read',
    noStore: true,
    summary: 'Get where to play a generated video or recording that a link shows',
    body: z.strictObject({ visit: LinkVisit, messageId: Id }),
    returns: z.strictObject({
      /** Gives this one thing, until the visit ends or the link is taken back. */
      url: z.string(),
      validUntil: Time,
    }),
    errors: ['chat_link_not_found', 'attachment_not_found'],
  },
  linkedMediaContent: {
    method: 'get',
    path: '/api/chat/links/media/{pass}',
    access: 'public',
    names: 'instance',
    limit: 'link-read',
    noStore: true,
    summary: 'Get the video or recording that a pass is for. Supports range requests',
    params: z.strictObject({ pass: Pass }),
    returns: bytes,
    errors: ['chat_link_not_found', 'attachment_not_found', 'range_not_satisfiable'],
  },
  followLink: {
    method: 'post',
    path: '/api/chat/links/follow',
    access: 'public',
    limit: 'link-read',
    noStore: true,
    summary: 'Follow a link while it is open: reports changes to the chat and revocation of the link',
    body: z.strictObject({ visit: LinkVisit }),
    returns: Nothing,
    stream: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('changed'), data: z.strictObject({}) }),
      /** Of the link, or of the visit: asking anew tells which. */
      z.strictObject({ type: z.literal('ended'), data: z.strictObject({}) }),
    ]),
    errors: ['chat_link_not_found'],
  },
})
