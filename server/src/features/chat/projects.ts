/**
 * Projects: folders with instructions, files, a model and collections that count for the chats in them, and for those in
 * the projects within. In paths, tables and kinds a project is a folder, for compatibility.
 */
import type { FolderSettings, Project, chatRoutes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { openWords } from '../../platform/stored-json.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import type { ChatContext } from './context.ts'
import { readFolder } from './folders.ts'
import { pathOfFolder } from './rules.ts'
import { announceFolders } from './sessions/handlers.ts'
import { openFolderSettings } from './stores/rows.ts'
import type { FolderRow, SessionRow } from './tables.ts'

type Routes = Pick<typeof chatRoutes, 'folder' | 'folderFiles'>

export const projectHandlers = (context: ChatContext): Handlers<Routes> => ({
  async folder({ params }, { caller }): Promise<Project> {
    const { accountId } = caller
    const keys = await context.vault.keyring(accountId)
    const [folder, row] = await Promise.all([
      readFolder(context, keys, params.folderId, accountId),
      context.store.folders.read(params.folderId, accountId),
    ])
    if (!row) throw fail('folder_not_found')
    return { ...folder, settings: openFolderSettings(keys, row), filesCollectionId: await liveCollection(context, row) }
  },

  async folderFiles({ params }, { caller }) {
    const { accountId } = caller
    const row = await context.store.folders.read(params.folderId, accountId)
    if (!row) throw fail('folder_not_found')
    const known = await liveCollection(context, row)
    if (known !== null) return { collectionId: known }
    const keys = await context.vault.keyring(accountId)
    const name = openWords(keys, 'chat_folders.name', row.id, row.name)
    const collectionId = await context.documents.makeCollection(accountId, name)
    if (collectionId === null) throw fail('conflict', 'You have as many collections as there can be. Delete one first.')
    // Of two that ask at once, one collection holds the files.
    const kept = await context.store.folders.setFiles(row.id, row.files_collection_id, collectionId)
    await announceFolders(context, accountId)
    const now = kept ? null : await context.store.folders.read(row.id, accountId)
    return { collectionId: now?.files_collection_id ?? collectionId }
  },
})

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

/** The collection with the files of a project; null where there is none, or none any more. */
const liveCollection = async (
  context: ChatContext,
  { account_id, files_collection_id: id }: FolderRow,
): Promise<string | null> => (id !== null && (await context.documents.ownsCollection(account_id, id)) ? id : null)
