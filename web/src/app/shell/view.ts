/** What is open around the page just now. Not kept: a new start shows the stored layout. */
import { create } from 'zustand'

interface View {
  /** Rail, sidebar and right pane are hidden. */
  focus: boolean
  /** On phones: the list lies over the page. */
  drawer: boolean
  dialog: 'palette' | 'shortcuts' | null
  /** The address of the rail’s entry whose panel is open. */
  panel: string | null
}

export const useView = create<View>(() => ({ focus: false, drawer: false, dialog: null, panel: null }))
export const setView = (change: Partial<View>): void => useView.setState(change)
