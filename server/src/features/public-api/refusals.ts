/** A field of a body on `/v1` that does not do, in the words that its clients act on. Pure. */
import { type Refusal, fail } from '../../platform/http/refusal.ts'

/** `path` is what clients call it, without `body.`. */
export const invalidRequest = (path: string, message: string): Refusal =>
  fail('validation_failed', undefined, [{ path: `body.${path}`, message }])
