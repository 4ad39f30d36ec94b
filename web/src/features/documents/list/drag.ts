/** Documents that are dragged inside of the page. */
import type { Document } from '@atrium/contract/documents'
import type { DragEvent } from 'react'

const kind = 'application/x-atrium-documents'
let dragged: readonly Document[] = []

/** Begins to drag the ticked documents, or the one under the pointer where it is not among them. */
export function startDrag(event: DragEvent, document: Document, selected: readonly Document[]): void {
  const all = selected.some(({ id }) => id === document.id) ? selected : [document]
  dragged = all.filter(({ shared }) => !shared)
  if (dragged.length === 0) return event.preventDefault()
  event.dataTransfer.setData(kind, String(dragged.length))
  event.dataTransfer.effectAllowed = 'move'
}

export const isDragged = (event: DragEvent): boolean => event.dataTransfer.types.includes(kind)

/** What is being dragged, when it is dropped. */
export function takeDragged(): readonly Document[] {
  const taken = dragged
  dragged = []
  return taken
}
