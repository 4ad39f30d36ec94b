/** Around the chats: drafts, attachments, projects and the trash. */
import { z } from 'zod'
import { ClientId, Id, Nothing, PageQuery, page } from '../common.ts'
import { mostQuotes } from '../message-limits.ts'
import { bytes, routes } from '../route.ts'
import { AttachmentIds, Content, InSession, Session, owned, readable } from './parts.ts'
import { Quote } from './quotes.ts'
import { Attachment, ChatSummary, Draft, Folder, FolderSettings, Project, TrashItem } from './shapes.ts'

const readableFolder = { resource: 'folder', id: 'folderId', right: 'read' } as const
const ownedFolder = { resource: 'folder', id: 'folderId', right: 'owner' } as const

const DraftBody = z.strictObject({
  content: Content,
  quotes: z.array(Quote).max(mostQuotes).default([]),
  attachmentIds: AttachmentIds.default([]),
})

export const organising = routes({
  saveDraft: {
    method: 'put',
    path: '/api/chat/sessions/{sessionId}/draft',
    access: 'user',
    names: owned,
    summary: 'Save a chat’s draft. The chat’s time doesn’t change',
    params: Session,
    body: DraftBody,
    returns: Nothing,
    errors: ['chat_not_found', 'attachment_not_found'],
  },
  newDraft: {
    method: 'get',
    path: '/api/chat/draft',
    access: 'user',
    summary: 'Get the draft for a chat that doesn’t exist yet',
    /** `sessionId`: the chat that was begun for its documents and settings, in no list until something is asked in it. */
    returns: Draft.extend({ sessionId: Id.nullable() }),
  },
  saveNewDraft: {
    method: 'put',
    path: '/api/chat/draft',
    access: 'user',
    summary: 'Save the draft for a chat that doesn’t exist yet',
    body: DraftBody,
    returns: Nothing,
    errors: ['attachment_not_found'],
  },
  attach: {
    method: 'post',
    path: '/api/chat/attachments',
    access: 'user',
    limit: 'upload',
    summary: 'Upload an attachment, raw',
    query: z.strictObject({ name: z.string().trim().min(1).max(255) }),
    upload: { maxBytes: 10 * 1024 * 1024 },
    returns: Attachment,
    errors: ['attachment_unsupported', 'too_large'],
  },
  attachmentContent: {
    method: 'get',
    path: '/api/chat/attachments/{attachmentId}/content',
    access: 'user',
    names: 'own',
    summary: 'Download an attachment',
    params: z.strictObject({ attachmentId: Id }),
    returns: bytes,
    errors: ['attachment_not_found'],
  },
  sentAttachment: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/attachments/{attachmentId}/content',
    access: 'user',
    names: readable,
    summary: 'Download an attachment of a message in this chat',
    params: Session.extend({ attachmentId: Id }),
    returns: bytes,
    errors: ['chat_not_found', 'attachment_not_found'],
  },
  sentMedia: {
    method: 'get',
    path: '/api/chat/sessions/{sessionId}/messages/{messageId}/media/content',
    access: 'user',
    names: readable,
    summary: 'Get the video or recording generated as this answer, if you can read the chat. Supports range requests',
    params: InSession,
    returns: bytes,
    errors: ['chat_not_found', 'attachment_not_found', 'range_not_satisfiable'],
  },
  removeAttachment: {
    method: 'delete',
    path: '/api/chat/attachments/{attachmentId}',
    access: 'user',
    names: 'own',
    summary: 'Delete an unsent attachment',
    params: z.strictObject({ attachmentId: Id }),
    returns: Nothing,
    errors: ['attachment_not_found', 'conflict'],
  },
  // Not `get`: an address alone, in whatever an answer holds, must never make the server fetch something.
  picture: {
    method: 'post',
    path: '/api/chat/pictures',
    access: 'user',
    limit: 'upload',
    summary:
      'Fetch an external image that a person asked to see. The server fetches it, so its host learns nothing about them',
    body: z.strictObject({ url: z.string().min(1).max(2048) }),
    returns: bytes,
    errors: ['url_not_allowed', 'provider_unreachable', 'provider_failed', 'attachment_unsupported', 'too_large'],
  },
  folders: {
    method: 'get',
    path: '/api/chat/folders',
    access: 'user',
    summary: 'List your projects by name',
    returns: z.strictObject({ items: z.array(Folder), nextCursor: z.null() }),
  },
  createFolder: {
    method: 'post',
    path: '/api/chat/folders',
    access: 'user',
    summary: 'Create a project',
    body: z.strictObject({
      id: ClientId.optional(),
      name: z.string().trim().min(1).max(120),
      /** The project that it is made in. */
      parentId: Id.nullable().optional(),
    }),
    returns: Folder,
    errors: ['folder_limit', 'folder_not_found', 'folder_too_deep', 'id_reused'],
  },
  folder: {
    method: 'get',
    path: '/api/chat/folders/{folderId}',
    access: 'user',
    names: ownedFolder,
    summary: 'Get a project with its settings',
    params: z.strictObject({ folderId: Id }),
    returns: Project,
    errors: ['folder_not_found'],
  },
  folderFiles: {
    method: 'post',
    path: '/api/chat/folders/{folderId}/files',
    access: 'user',
    names: ownedFolder,
    summary: 'Get the collection with a project’s files, created if there is none. Upload files into it',
    params: z.strictObject({ folderId: Id }),
    returns: z.strictObject({ collectionId: Id }),
    errors: ['folder_not_found', 'conflict'],
  },
  updateFolder: {
    method: 'put',
    path: '/api/chat/folders/{folderId}',
    access: 'user',
    names: ownedFolder,
    summary:
      'Update a project: rename it, move it into another, or change its settings. Omitted fields stay as they are',
    params: z.strictObject({ folderId: Id }),
    body: z.strictObject({
      name: z.string().trim().min(1).max(120).optional(),
      parentId: Id.nullable().optional(),
      settings: z
        .strictObject({
          instructions: FolderSettings.shape.instructions.unwrap(),
          selection: FolderSettings.shape.selection.unwrap(),
          collectionIds: FolderSettings.shape.collectionIds.unwrap(),
        })
        .partial()
        .optional(),
    }),
    returns: Folder,
    errors: ['folder_not_found', 'folder_too_deep'],
  },
  removeFolder: {
    method: 'delete',
    path: '/api/chat/folders/{folderId}',
    access: 'user',
    names: ownedFolder,
    summary: 'Move a project to the trash. Its chats are kept (default) or moved with it; projects within it move up',
    params: z.strictObject({ folderId: Id }),
    query: z.strictObject({ chats: z.enum(['keep', 'trash']).default('keep') }),
    returns: Nothing,
    errors: ['folder_not_found'],
  },
  folderChats: {
    method: 'get',
    path: '/api/chat/folders/{folderId}/sessions',
    access: 'user',
    names: readableFolder,
    summary: 'List the chats of your project, or of one shared with you, latest first, without archived ones',
    params: z.strictObject({ folderId: Id }),
    query: PageQuery,
    returns: page(ChatSummary).extend({
      name: z.string(),
      /** Whose folder it is, where it is somebody else's. */
      ownerName: z.string().nullable(),
    }),
    errors: ['folder_not_found', 'bad_cursor'],
  },
  trash: {
    method: 'get',
    path: '/api/chat/trash',
    access: 'user',
    summary: 'List what was deleted in the last 30 days, latest first',
    query: PageQuery,
    returns: page(TrashItem),
    errors: ['bad_cursor'],
  },
  restoreTrash: {
    method: 'post',
    path: '/api/chat/trash/{itemId}/restore',
    access: 'user',
    names: 'own',
    summary: 'Restore something from the trash',
    params: z.strictObject({ itemId: Id }),
    returns: Nothing,
    errors: ['trash_item_not_found', 'conflict'],
  },
  removeTrash: {
    method: 'delete',
    path: '/api/chat/trash/{itemId}',
    access: 'user',
    names: 'own',
    summary: 'Delete something from the trash permanently',
    params: z.strictObject({ itemId: Id }),
    returns: Nothing,
    errors: ['trash_item_not_found'],
  },
  emptyTrash: {
    method: 'delete',
    path: '/api/chat/trash',
    access: 'user',
    summary: 'Empty the trash. Everything in it is deleted permanently',
    returns: z.strictObject({ removed: z.number().int() }),
  },
})
