/** What the list shows just now: a search, and which chats are selected. */
import { create } from 'zustand'

interface ListView {
  readonly words: string
  /** Null while nothing is being selected. */
  readonly selected: ReadonlySet<string> | null
  /** Where a range begins. */
  readonly anchor: string | null
  readonly renaming: string | null
  /** The projects whose chats are shown below them. */
  readonly expanded: ReadonlySet<string>
}

export const useListView = create<ListView>(() => ({
  words: '',
  selected: null,
  anchor: null,
  renaming: null,
  expanded: new Set(),
}))
export const setListView = (change: Partial<ListView>): void => useListView.setState(change)

/** Shows the chats of a project below it, or hides them. */
export function toggleExpanded(id: string): void {
  const expanded = new Set(useListView.getState().expanded)
  if (!expanded.delete(id)) expanded.add(id)
  setListView({ expanded })
}

/** Selects a chat, or takes it out of the selection. */
export function toggleSelected(id: string): void {
  const selected = new Set(useListView.getState().selected)
  if (!selected.delete(id)) selected.add(id)
  setListView({ selected, anchor: id })
}

/** Selects everything from the last selected chat to this one, in the order of the list. */
export function selectRange(ids: readonly string[], id: string): void {
  const { anchor, selected } = useListView.getState()
  const from = ids.indexOf(anchor ?? id)
  const to = ids.indexOf(id)
  const range = ids.slice(Math.min(from < 0 ? to : from, to), Math.max(from, to) + 1)
  setListView({ selected: new Set([...(selected ?? []), ...range]), anchor: anchor ?? id })
}
