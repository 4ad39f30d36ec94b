/** What counts for a chat because of the projects that it is in. */
import type { FolderSettings } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { openWords } from '../../platform/stored-json.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import type { ChatContext } from './context.ts'
import { pathOfFolder } from './rules.ts'
import { openFolderSettings } from './stores/rows.ts'
import type { SessionRow } from './tables.ts'

/** What a chat has from the projects that it is in, the outermost first. */
export interface ProjectReach {
  /** In words for the model; empty where no project has instructions. */
  readonly instructions: string
  /** Of the innermost project that has one. */
  readonly selection: Selection | null
  readonly collectionIds: readonly string[]
}

const nothing: ProjectReach = { instructions: '', selection: null, collectionIds: [] }

/** What counts for a chat because of where it lies. A chat in no project costs no query. */
export const readProjectReach = async (
  context: Pick<ChatContext, 'store'>,
  keys: Keyring,
  chat: Pick<SessionRow, 'folder_id' | 'account_id'>,
): Promise<ProjectReach> => {
  if (chat.folder_id === null) return nothing
  const path = pathOfFolder(await context.store.folders.list(chat.account_id), chat.folder_id)
  const all = path.map((row) => ({ row, settings: openFolderSettings(keys, row) }))
  return {
    instructions: all
      .filter(({ settings }) => settings.instructions.trim() !== '')
      .map(({ row, settings }) => instructionsOf(openWords(keys, 'chat_folders.name', row.id, row.name), settings))
      .join('\n\n'),
    selection: all.findLast(({ settings }) => settings.selection !== null)?.settings.selection ?? null,
    collectionIds: all.flatMap(({ row, settings }) => [
      ...(row.files_collection_id === null ? [] : [row.files_collection_id]),
      ...settings.collectionIds,
    ]),
  }
}

const instructionsOf = (name: string, { instructions }: FolderSettings): string =>
  `Instructions of the project "${name}":\n${instructions.trim()}`
