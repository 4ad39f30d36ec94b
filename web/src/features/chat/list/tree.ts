/** Projects in each other, as a list reads. */
import type { Folder } from '@atrium/contract/chat'

export interface TreeRow {
  readonly folder: Folder
  /** How many projects it is in. */
  readonly depth: number
}

/** Every project behind the one that it is in. One whose own is not there stands at the top. */
export function projectTree(folders: readonly Folder[]): TreeRow[] {
  const known = new Set(folders.map(({ id }) => id))
  const rows: TreeRow[] = []
  const seen = new Set<string>()
  const add = (folder: Folder, depth: number) => {
    if (seen.has(folder.id)) return
    seen.add(folder.id)
    rows.push({ folder, depth })
    for (const child of folders) if (child.parentId === folder.id) add(child, depth + 1)
  }
  for (const folder of folders) if (folder.parentId === null || !known.has(folder.parentId)) add(folder, 0)
  // Should some lie in a circle, they are there nevertheless.
  for (const folder of folders) add(folder, 0)
  return rows
}

/** Whether a project is another one or lies in it. */
function isWithin(folders: readonly Folder[], id: string, outer: string): boolean {
  for (let at: string | null = id, left = folders.length; at !== null && left >= 0; left--) {
    if (at === outer) return true
    at = folders.find((folder) => folder.id === at)?.parentId ?? null
  }
  return false
}

/** Where something can be put, as a list to choose from: no project (`''`), and each one further in by its depth. */
export const projectOptions = (folders: readonly Folder[], none: string): { value: string; label: string }[] => [
  { value: '', label: none },
  ...projectTree(folders).map(({ folder, depth }) => ({
    value: folder.id,
    label: `${'\u2003'.repeat(depth)}${folder.name}`,
  })),
]

/** The projects that a project can be put into: not itself, and none that lies in it. */
export const possibleParents = (folders: readonly Folder[], id: string): Folder[] =>
  folders.filter((folder) => !isWithin(folders, folder.id, id))

/** The model that a new chat in a project begins with: its own, or that of the nearest one around it. */
export function modelOfProject(folders: readonly Folder[], id: string | null): Folder['selection'] {
  let at = folders.find((folder) => folder.id === id)
  for (let left = folders.length; at && left > 0; left--) {
    if (at.selection) return at.selection
    const { parentId } = at
    at = folders.find((folder) => folder.id === parentId)
  }
  return null
}
