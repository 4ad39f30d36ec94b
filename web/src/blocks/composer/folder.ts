/** The files in dropped folders. Loaded when a folder comes. */
import { childrenOf, fileOf } from '../../lib/entries.ts'
import { toast } from '../../ui/toaster.tsx'
import { translate } from 'virtual:words/chat-documents'
import { isReadable } from './draft-rules.ts'

const most = 500

/** Files among the entries, and those of folders at any depth, in the order of their names. Says what was left out. */
export async function filesOf(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const files: File[] = []
  let skipped = 0
  let more = false
  const take = async (entry: FileSystemEntry, inFolder: boolean): Promise<void> => {
    // What begins with a dot is the system's own.
    if (entry.name.startsWith('.')) return
    if (files.length >= most) {
      more = true
      return
    }
    if (entry.isDirectory) {
      for (const child of await childrenOf(entry)) await take(child, true)
      return
    }
    const file = await fileOf(entry)
    if (!inFolder || file.type.startsWith('image/') || isReadable(file)) files.push(file)
    else skipped++
  }
  for (const entry of entries) await take(entry, false)
  if (skipped > 0) toast(translate('chat-documents:folder.skipped', { count: skipped }))
  if (more) toast(translate('chat-documents:folder.tooMany', { most }))
  return files
}
