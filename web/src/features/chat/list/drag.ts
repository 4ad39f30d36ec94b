/** Chats and projects that are dragged onto a project. */
import type { Folder } from '@atrium/contract/chat'
import type { DragEvent } from 'react'
import { possibleParents } from './tree.ts'
import { useListView } from './view.ts'

const kinds = { chats: 'application/x-atrium-chats', project: 'application/x-atrium-project' }

/** The project that is dragged: what is dragged can be read only once it is dropped. */
let dragged: string | null = null

/** Begins to drag a chat, with all others that are selected where it is one of them. */
export function startDrag(event: DragEvent, id: string): void {
  const { selected } = useListView.getState()
  const ids = selected?.has(id) ? [...selected] : [id]
  event.dataTransfer.setData(kinds.chats, ids.join(' '))
  event.dataTransfer.effectAllowed = 'move'
}

/** Begins to drag a project. */
export function startProjectDrag(event: DragEvent, id: string): void {
  dragged = id
  event.dataTransfer.setData(kinds.project, id)
  event.dataTransfer.effectAllowed = 'move'
}

/** Whether chats hover, or a project that can be put into this one; then they may be dropped here. */
export function acceptDrag(event: DragEvent, folder: Folder, folders: readonly Folder[]): boolean {
  const { types } = event.dataTransfer
  const isProject = types.includes(kinds.project) && dragged !== null
  const canBeIn = isProject && possibleParents(folders, dragged ?? '').some(({ id }) => id === folder.id)
  if (!types.includes(kinds.chats) && !canBeIn) return false
  event.preventDefault()
  event.dataTransfer.dropEffect = 'move'
  return true
}

/** The chats, or the project, that were dropped. */
export function takeDrop(event: DragEvent): { readonly chatIds: readonly string[]; readonly projectId: string | null } {
  const chatIds = event.dataTransfer.getData(kinds.chats).split(' ').filter(Boolean)
  const projectId = event.dataTransfer.getData(kinds.project) || null
  if (chatIds.length > 0 || projectId !== null) event.preventDefault()
  return { chatIds, projectId }
}
