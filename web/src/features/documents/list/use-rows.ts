import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { links } from '../../../lib/links.ts'
import { removeDocuments } from '../data/changes.ts'
import type { Selection } from '../../../lib/use-selection.ts'
import type { DocumentList } from './use-list.ts'

/** The rows near the view, loading more at the end, and the keys that go from row to row. */
export function useRows(
  list: DocumentList,
  selection: Selection,
  box: RefObject<HTMLElement | null>,
  estimate: number,
) {
  const { documents, query } = list
  const navigate = useNavigate()
  const [focused, setFocused] = useState<string | null>(null)
  const virtual = useVirtualizer({
    count: documents.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    getItemKey: (index) => documents[index]?.id ?? index,
    overscan: 8,
    useFlushSync: false,
  })
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (last >= documents.length - 15 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [last, documents.length, hasNextPage, isFetchingNextPage, fetchNextPage])

  const order = documents.map(({ id }) => id)
  const focus = (id: string) => {
    setFocused(id)
    virtual.scrollToIndex(order.indexOf(id))
    const link = rowLink(id)
    // At once where it can be: the next key goes to what has the focus. Else it has to be drawn first.
    if (link) link.focus()
    else requestAnimationFrame(() => rowLink(id)?.focus())
  }
  function onKeyDown(event: KeyboardEvent) {
    const target = event.target as HTMLElement
    const at = order.indexOf(target.dataset.row ?? '')
    const document = documents[at]
    if (!document || event.altKey) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      event.preventDefault()
      selection.set(order)
      return
    }
    if (event.ctrlKey || event.metaKey) return
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }
    const next = order[to[event.key] ?? -1]
    if (next !== undefined) {
      event.preventDefault()
      focus(next)
    } else if (event.key === ' ') {
      event.preventDefault()
      selection.toggle(document.id, event.shiftKey, order)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      void navigate({ to: links.document(document.id) })
    } else if (event.key === 'Escape' && selection.ids.size > 0) {
      event.preventDefault()
      selection.set([])
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      const chosen = selection.ids.has(document.id)
        ? documents.filter(({ id, shared }) => selection.ids.has(id) && !shared)
        : document.shared
          ? []
          : [document]
      if (chosen.length === 0) return
      const gone = new Set(chosen.map(({ id }) => id))
      const neighbour = order.slice(at).find((id) => !gone.has(id)) ?? order.findLast((id) => !gone.has(id))
      selection.set([])
      void removeDocuments(chosen)
      if (neighbour) focus(neighbour)
    }
  }
  const tabbable = focused !== null && order.includes(focused) ? focused : order[0]
  return { virtual, order, tabbable, onKeyDown, onFocusRow: setFocused }
}

const rowLink = (id: string) => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
