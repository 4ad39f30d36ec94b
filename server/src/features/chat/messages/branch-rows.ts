/** The branches of a chat, from how its messages hang together. Pure. */
import type { PlaceRow } from '../stores/messages.ts'

/** Messages that follow each other without a version of any of them but the first. */
export interface BranchRow {
  readonly first: PlaceRow
  /** The answer to `first`, where that is a question. */
  readonly answer: PlaceRow | null
  readonly messageCount: number
  readonly pinnedCount: number
  readonly active: boolean
  /** 0 on the active path, one more for each version that stands beside the path above it. */
  readonly level: number
}

/** The ids of all messages below one. */
export const listBelow = (places: readonly PlaceRow[], id: string): Set<string> => {
  const children = Map.groupBy(places, ({ parent_id }) => parent_id)
  const below = new Set<string>()
  for (const due = [id]; due.length > 0; ) {
    for (const child of children.get(due.pop() ?? '') ?? []) {
      below.add(child.id)
      due.push(child.id)
    }
  }
  return below
}

/** The ids of the messages on the path that ends at a leaf. */
export const listActive = (places: readonly PlaceRow[], leafId: string | null): Set<string> => {
  const byId = new Map(places.map((place) => [place.id, place]))
  const active = new Set<string>()
  for (let id = leafId; id !== null && !active.has(id); id = byId.get(id)?.parent_id ?? null) active.add(id)
  return active
}

/**
 * All branches in reading order: of the versions of a message the active one, or the one last active, stands first; the
 * others follow it, one level deeper and each with its own branches, before what follows the active one.
 * @param places of all messages, oldest first
 */
export const listBranches = (places: readonly PlaceRow[], leafId: string | null): BranchRow[] => {
  const children = Map.groupBy(places, ({ parent_id }) => parent_id)
  const active = listActive(places, leafId)

  const branches: BranchRow[] = []
  // Not by recursion: a chat may have thousands of versions below each other.
  const due: { versions: readonly PlaceRow[]; parent: PlaceRow | null; level: number }[] = []
  const begin = (parent: PlaceRow | null, level: number): void => {
    const versions = children.get(parent?.id ?? null) ?? []
    if (versions.length > 0) due.push({ versions, parent, level })
  }
  begin(null, 0)
  for (let next = due.pop(); next; next = due.pop()) {
    const { versions, parent, level } = next
    const main =
      versions.find(({ id }) => active.has(id)) ??
      versions.find(({ id }) => id === parent?.active_child_id) ??
      versions.at(-1)
    if (!main) continue
    const { branch, last } = followFrom(main, level)
    branches.push(branch)
    // What is pushed last comes first: the other versions, oldest first, and then what follows.
    begin(last, level)
    for (const version of versions.filter(({ id }) => id !== main.id).toReversed())
      due.push({ versions: [version], parent, level: level + 1 })
  }
  return branches

  function followFrom(first: PlaceRow, level: number): { branch: BranchRow; last: PlaceRow } {
    let last = first
    let second: PlaceRow | null = null
    let messageCount = 1
    let pinnedCount = Number(first.pinned_at !== null)
    for (;;) {
      const [only, other] = children.get(last.id) ?? []
      if (!only || other) break
      second ??= only
      last = only
      messageCount += 1
      pinnedCount += Number(only.pinned_at !== null)
    }
    const answer = first.role === 'user' && second?.role === 'assistant' ? second : null
    return { branch: { first, answer, messageCount, pinnedCount, active: active.has(first.id), level }, last }
  }
}
