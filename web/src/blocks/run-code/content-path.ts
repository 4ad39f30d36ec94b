import { type CodeFile, codeInterpreterRoutes as routes } from '@atrium/contract/code-interpreter'
import { toRequest } from '@atrium/contract/request'

/** Where the bytes of a file that a program left are read. */
export const contentPath = ({ id }: Pick<CodeFile, 'id'>): string =>
  toRequest(routes.content, { params: { fileId: id } }).path
