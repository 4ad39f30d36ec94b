/** What a call that is still being written makes of an artifact. Pure. */
import { type ArtifactKind, artifactKinds, type OpenArtifact } from '@atrium/contract/artifacts'
import { readPartialJson } from '../../lib/partial-json.ts'

/** A new one, or what changes of one that is there; each as far as it is written. */
export type ArtifactDraft =
  | { readonly kind: ArtifactKind; readonly title: string; readonly content: string; readonly language: string | null }
  | { readonly id: string; readonly change: DraftChange }

export interface DraftChange {
  readonly title: string | null
  /** All of it, in the place of edits. */
  readonly content: string | null
  readonly edits: readonly { readonly oldText: string; readonly newText: string; readonly everywhere: boolean }[]
}

export type DrawnDraft = Pick<OpenArtifact, 'kind' | 'title' | 'content' | 'language'>

/** null: it is no call of this kind, or it cannot be told yet what it makes. */
export function readDraft(tool: string, args: string): ArtifactDraft | null {
  if (tool !== 'create_artifact' && tool !== 'update_artifact') return null
  const given = readPartialJson(args)
  if (typeof given !== 'object' || given === null) return null
  const { id, kind, title, content, language, edits } = given as Record<string, unknown>
  if (tool === 'create_artifact') {
    const known = artifactKinds.find((one) => one === kind)
    if (!known) return null
    return { kind: known, title: textOr(title, ''), content: textOr(content, ''), language: textOr(language, null) }
  }
  if (typeof id !== 'string') return null
  const change = { title: textOr(title, null), content: textOr(content, null), edits: editsOf(edits) }
  return { id, change }
}

/** As it stands after what is written of the change; a passage that does not match changes nothing. */
export function applyChange(before: DrawnDraft, { title, content, edits }: DraftChange): DrawnDraft {
  const changed = edits.reduce((text, { oldText, newText, everywhere }) => {
    if (everywhere) return text.replaceAll(oldText, () => newText)
    return text.replace(oldText, () => newText)
  }, before.content)
  return { ...before, title: title ?? before.title, content: content ?? changed }
}

const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise)

function editsOf(edits: unknown): DraftChange['edits'] {
  if (!Array.isArray(edits)) return []
  return edits.flatMap((edit: Record<string, unknown> | null) => {
    const { old_text: oldText, new_text: newText, everywhere } = edit ?? {}
    // Before what replaces a passage has begun, the passage may not be whole.
    if (typeof oldText !== 'string' || oldText === '' || typeof newText !== 'string') return []
    return [{ oldText, newText, everywhere: everywhere === true }]
  })
}
