/** Chats that are dragged onto a project. */
import type { DragEvent } from 'react'
import { useListView } from './view.ts'

const kind = 'application/x-atrium-chats'

/** Begins to drag a chat, with all others that are selected where it is one of them. */
export function startDrag(event: DragEvent, id: string): void {
  const { selected } = useListView.getState()
  const ids = selected?.has(id) ? [...selected] : [id]
  event.dataTransfer.setData(kind, ids.join(' '))
  event.dataTransfer.effectAllowed = 'move'
}

/** Whether chats hover; then they may be dropped here. */
export function acceptDrag(event: DragEvent): boolean {
  if (!event.dataTransfer.types.includes(kind)) return false
  event.preventDefault()
  event.dataTransfer.dropEffect = 'move'
  return true
}

/** The chats that were dropped. */
export function takeDrop(event: DragEvent): string[] {
  const ids = event.dataTransfer.getData(kind).split(' ').filter(Boolean)
  if (ids.length > 0) event.preventDefault()
  return ids
}
