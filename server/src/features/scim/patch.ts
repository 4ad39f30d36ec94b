/** What a change of a directory says, one operation after the other (RFC 7644, section 3.5.2). Pure. */
import type { ScimPatchBody } from '@atrium/contract/scim'
import { fail } from '../../platform/http/refusal.ts'
import { type AttributePath, parsePath, type PatchOperation, readOp } from './path.ts'

/** Gives the state with a value put in its place. `strict`: an attribute that there is not is refused, else let go. */
export type ApplyAt<State> = (
  state: State,
  path: AttributePath,
  op: PatchOperation,
  value: unknown,
  strict: boolean,
) => State

/** The state after the operations, in their order. Refuses with `scim_path`, `scim_no_target`, `scim_value`. */
export const applyPatch = <State>(before: State, { Operations }: ScimPatchBody, applyAt: ApplyAt<State>): State => {
  let state = before
  for (const { op: written, path, value } of Operations) {
    const op = readOp(written)
    if (path) {
      state = applyAt(state, parsePath(path), op, value, true)
      continue
    }
    if (op === 'remove') throw fail('scim_no_target', 'A remove operation needs a path.')
    // Some directories put all that changes into one value, with paths for names.
    for (const [name, part] of Object.entries(requireObject(value)))
      state = applyAt(state, parsePath(name), op, part, false)
  }
  return state
}

/** Refuses with `scim_value`. */
export const requireObject = (value: unknown): Readonly<Record<string, unknown>> => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw fail('scim_value', 'Expected an object.')
}
