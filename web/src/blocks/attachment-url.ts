import { chat } from '@atrium/contract/chat'
import { toRequest } from '@atrium/contract/request'

/** Where the bytes of an attachment are; the session's cookie opens it. */
export const attachmentUrl = (attachmentId: string): string =>
  toRequest(chat.attachmentContent, { params: { attachmentId } }).path

/** Where the server gives a picture from elsewhere. */
export const pictureUrl = (url: string): string => toRequest(chat.picture, { query: { url } }).path
