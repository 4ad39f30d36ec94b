/** One project on its page, and how it is changed. */
import { chatRoutes as routes, type FolderSettings, type Project } from '@atrium/contract/chat'
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { toast } from '../../../ui/toaster.tsx'
import { translate } from 'virtual:words/chat-project'

const at = (folderId: string) => ({ params: { folderId } })

export const projectQuery = (id: string) => queryOf(routes.folder, at(id))
/** Its files, up to two hundred. */
export const projectFilesQuery = (collectionId: string) =>
  queryOf(documentsRoutes.list, { query: { collectionId, limit: 200 } })

onAccountEvent('folders-changed', () => void refresh(routes.folder))

let timer: ReturnType<typeof setTimeout> | undefined
/** A burst of changes is read once. */
const filesChanged = (): void => {
  timer ??= setTimeout(() => {
    timer = undefined
    void refresh(documentsRoutes.list)
  }, 250)
}
onAccountEvent('document-changed', filesChanged)
onAccountEvent('document-removed', filesChanged)

export interface ProjectChange {
  readonly parentId?: string | null
  readonly settings?: Partial<FolderSettings>
}

/** Changes a project. False with the reason on screen. */
export async function changeProject(id: string, change: ProjectChange): Promise<boolean> {
  try {
    await call(routes.updateFolder, { ...at(id), body: change })
    await Promise.all([refresh(routes.folder), refresh(routes.folders)])
    return true
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
    return false
  }
}

/** The collection that files of a project go into. */
export async function collectionOf({ id, filesCollectionId }: Project): Promise<string> {
  if (filesCollectionId !== null) return filesCollectionId
  const { collectionId } = await call(routes.folderFiles, at(id))
  await refresh(routes.folder)
  return collectionId
}

/** Deletes a file, or stops its reading, with a way back. */
export async function removeFile(document: Document): Promise<void> {
  const params = { documentId: document.id }
  try {
    await call(documentsRoutes.remove, { params })
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
    return
  }
  await refresh(documentsRoutes.list)
  toast(translate('chat-project:files.removed', { name: document.filename }), {
    action: {
      label: translate('chat-project:files.undo'),
      onClick: () =>
        void call(documentsRoutes.restore, { params }).then(
          () => refresh(documentsRoutes.list),
          (error: unknown) => toast(wordsOf(error), { tone: 'danger' }),
        ),
    },
  })
}

/** Has a file read once more. */
export async function readAgain(document: Document): Promise<void> {
  try {
    await call(documentsRoutes.retry, { params: { documentId: document.id } })
    await refresh(documentsRoutes.list)
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
}
