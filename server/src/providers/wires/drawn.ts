/** A picture inside an answer, as base64. */
import { readableBase64 } from '../operations/base64.ts'
import type { Part } from '../types.ts'

/** One that cannot be read is left out, and said to be; the answer around it stays. A draft is missed by nobody. */
export function readDrawn(index: number, base64: string, partial: boolean): Part[] {
  const bytes = readableBase64(base64)
  if (bytes) return [{ type: 'picture', index, bytes, partial }]
  return partial ? [] : [{ type: 'lost-picture' }]
}
