/** A picture inside an answer, as base64. */
import { bytesOfBase64 } from '../operations/base64.ts'
import { type Part, ProviderFailure } from '../types.ts'

/** One that cannot be read is left out, and said to be; the answer around it stays. A draft is missed by nobody. */
export function readDrawn(index: number, base64: string, partial: boolean): Part[] {
  try {
    return [{ type: 'picture', index, bytes: bytesOfBase64(base64), partial }]
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return partial ? [] : [{ type: 'lost-picture' }]
  }
}
