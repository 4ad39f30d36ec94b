/** The files among what was dropped, those of folders at any depth too. */
import { isLeftOut } from './rules.ts'

export interface Dropped {
  readonly file: File
  /** The folders above it, such as `reports/2026`. */
  readonly folder: string
}

/** Must be called while the drop event runs: afterwards the browser gives nothing any more. */
export function takeEntries(transfer: DataTransfer): { entries: FileSystemEntry[]; files: File[] } {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  return { entries, files: entries.length > 0 ? [] : [...transfer.files] }
}

/** All files below the entries; `leftOut` counts what belongs to the system, `unreadable` what the browser may not read. */
export async function filesOf(
  entries: readonly FileSystemEntry[],
): Promise<{ files: Dropped[]; leftOut: number; unreadable: string[] }> {
  const files: Dropped[] = []
  const unreadable: string[] = []
  let leftOut = 0
  async function walk(entry: FileSystemEntry, folder: string, top: boolean): Promise<void> {
    if (!top && isLeftOut(entry.name)) {
      leftOut++
      return
    }
    try {
      if (entry.isFile) {
        const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
        files.push({ file, folder })
        return
      }
      const path = folder ? `${folder}/${entry.name}` : entry.name
      for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) await walk(child, path, false)
    } catch {
      // No permission, or gone meanwhile: told by name, the rest goes on.
      unreadable.push(entry.name)
    }
  }
  for (const entry of entries) await walk(entry, '', true)
  return { files, leftOut, unreadable }
}

/** The files of a folder that was chosen in a dialog. */
export function filesOfFolder(list: FileList): { files: Dropped[]; leftOut: number } {
  const all = [...list].map((file) => ({ file, path: (file.webkitRelativePath || file.name).split('/') }))
  const kept = all.filter(({ path }) => !path.slice(1).some(isLeftOut))
  const files = kept.map(({ file, path }) => ({ file, folder: path.slice(0, -1).join('/') }))
  return { files, leftOut: all.length - kept.length }
}

/** The browser hands out a folder in parts of a hundred. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}
