/**
 * Projects: folders with instructions, files, a model and collections that count for the chats in them, and for those in
 * the projects within. In paths, tables and kinds a project is a folder, for compatibility.
 */
import type { Project, chatRoutes } from '@atrium/contract/chat'
import { openWords } from '../../platform/stored-json.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { ChatContext } from './context.ts'
import { readFolder } from './folders.ts'
import { announceFolders } from './sessions/handlers.ts'
import { openFolderSettings } from './stores/rows.ts'
import type { FolderRow } from './tables.ts'

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
    if (collectionId === null) throw fail('conflict', 'You’ve reached the limit of collections. Delete one first.')
    // Of two that ask at once, one collection holds the files.
    const kept = await context.store.folders.setFiles(row.id, row.files_collection_id, collectionId)
    await announceFolders(context, accountId)
    const now = kept ? null : await context.store.folders.read(row.id, accountId)
    return { collectionId: now?.files_collection_id ?? collectionId }
  },
})

/** The collection with the files of a project; null where there is none, or none any more. */
const liveCollection = async (
  context: ChatContext,
  { account_id, files_collection_id: id }: FolderRow,
): Promise<string | null> => (id !== null && (await context.documents.ownsCollection(account_id, id)) ? id : null)
