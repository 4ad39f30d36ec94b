import { documentsRoutes } from '@atrium/contract/documents'
import { toRequest } from '@atrium/contract/request'

/** Where the bytes of a document are; the session's cookie opens it. */
export const sourceUrl = (documentId: string): string =>
  toRequest(documentsRoutes.source, { params: { documentId } }).path
