import { type KeyboardEvent, type RefObject, useState } from 'react'

/**
 * The way through the messages by keys: one row can be reached by Tab; Up and Down go on from there, Home and End to
 * the ends of what is loaded, Enter into the row's actions, Escape back to the row, then to the composer. Where a message
 * may stand twice on the page, `within` tells which of its rows is meant.
 */
export function useRowKeys(
  messages: readonly { readonly id: string }[],
  { composer = 'composer', within }: { composer?: string; within?: RefObject<HTMLElement | null> } = {},
) {
  const [focused, setFocused] = useState<string | null>(null)
  const tabbable = focused && messages.some((m) => m.id === focused) ? focused : messages.at(-1)?.id

  function focus(id: string) {
    setFocused(id)
    // At once where it can be: the next key goes to what has the focus.
    const row = rowOf(id, within?.current)
    if (row) return row.focus()
    // It has to be drawn first.
    const before = document.activeElement
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (document.activeElement === before) rowOf(id, within?.current)?.focus()
      }),
    )
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-message]')
    const id = row?.dataset.message
    if (!row || !id || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    const inside = event.target !== row
    if (event.key === 'Escape') {
      event.preventDefault()
      if (inside) row.focus()
      else document.getElementById(composer)?.focus()
      return
    }
    if (inside) return
    const index = messages.findIndex((m) => m.id === id)
    const to: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: messages.length - 1 }
    const next = messages[to[event.key] ?? -1]
    if (next && event.key in to) {
      event.preventDefault()
      focus(next.id)
    } else if (event.key === 'ArrowDown') {
      event.preventDefault()
      document.getElementById(composer)?.focus()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      row.querySelector<HTMLElement>('[data-actions] button')?.focus()
    }
  }
  return { focused, tabbable, focus, onKeyDown }
}

const rowOf = (id: string, within: HTMLElement | null | undefined) =>
  (within ?? document).querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)
