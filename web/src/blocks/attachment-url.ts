import { chatRoutes } from '@atrium/contract/chat'
import { toRequest } from '@atrium/contract/request'

/** Where the bytes of an attachment are; the session's cookie opens it. Of somebody else's chat, through that chat. */
export const attachmentUrl = (attachmentId: string, sharedChatId?: string): string =>
  sharedChatId === undefined
    ? toRequest(chatRoutes.attachmentContent, { params: { attachmentId } }).path
    : toRequest(chatRoutes.sentAttachment, { params: { sessionId: sharedChatId, attachmentId } }).path
