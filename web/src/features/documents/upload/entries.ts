/** The files among what was dropped, those of folders at any depth too. */
import { childrenOf, fileOf } from '../../../lib/entries.ts'
import { isLeftOut } from './rules.ts'

export interface DroppedFile {
  readonly file: File
  /** The folders above it, such as `reports/2026`. */
  readonly folder: string
}

/** All files below the entries; `leftOut` counts what belongs to the system, `unreadable` what the browser may not read. */
export async function filesOf(
  entries: readonly FileSystemEntry[],
): Promise<{ files: DroppedFile[]; leftOut: number; unreadable: string[] }> {
  const files: DroppedFile[] = []
  const unreadable: string[] = []
  let leftOut = 0
  async function walk(entry: FileSystemEntry, folder: string, top: boolean): Promise<void> {
    if (!top && isLeftOut(entry.name)) {
      leftOut++
      return
    }
    try {
      if (entry.isFile) {
        files.push({ file: await fileOf(entry), folder })
        return
      }
      const path = folder ? `${folder}/${entry.name}` : entry.name
      for (const child of await childrenOf(entry)) await walk(child, path, false)
    } catch {
      // No permission, or gone meanwhile: told by name, the rest goes on.
      unreadable.push(entry.name)
    }
  }
  for (const entry of entries) await walk(entry, '', true)
  return { files, leftOut, unreadable }
}

/** The files of a folder that was chosen in a dialog. */
export function filesOfFolder(list: FileList): { files: DroppedFile[]; leftOut: number } {
  const all = [...list].map((file) => ({ file, path: (file.webkitRelativePath || file.name).split('/') }))
  const kept = all.filter(({ path }) => !path.slice(1).some(isLeftOut))
  const files = kept.map(({ file, path }) => ({ file, folder: path.slice(0, -1).join('/') }))
  return { files, leftOut: all.length - kept.length }
}
