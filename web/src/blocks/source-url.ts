import { documentKnowledge } from '@atrium/contract/document-knowledge'
import { toRequest } from '@atrium/contract/request'

/** Where the bytes of a document are; the session's cookie opens it. */
export const sourceUrl = (documentId: string): string =>
  toRequest(documentKnowledge.source, { params: { documentId } }).path
