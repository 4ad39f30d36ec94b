/** Ids of what a tool makes: the same call makes the same thing, however often it is run. */
import { createHash } from 'node:crypto'
import type { ToolContext } from './tool.ts'

/** In the form of a UUID (version 8, RFC 9562). */
export const idOfCall = ({ accountId, callId }: Pick<ToolContext, 'accountId' | 'callId'>): string => {
  const hex = createHash('sha256')
    .update(JSON.stringify([accountId, callId]))
    .digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
