import type { LucideIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'

/** One line of a list that a sign opens. */
export interface TriggerEntry {
  readonly id: string
  readonly name: string
  readonly icon: LucideIcon
  /** Beside the name, smaller. */
  readonly hint?: string
  /** The heading that it stands under; entries of one section come together. */
  readonly section?: string
  /** More words that find it. */
  readonly words?: string
  /** What stands in the text in place of the sign and what was typed after it. */
  readonly inserts?: string
  /** `open` shows a window over the box, until it closes itself. */
  choose(open: (window: (close: () => void) => ReactNode) => void): void
}

export interface TriggerSourceProps {
  /** What was typed after the sign. */
  readonly query: string
  readonly show: (entries: readonly TriggerEntry[]) => ReactNode
}

/** What is written, as far as lists need it. */
export interface TypedText {
  readonly store: { getState(): { readonly content: string } }
  type(content: string): void
}

/** A sign that opens a list while one writes, such as `/` for actions. */
export interface Trigger {
  readonly sign: string
  /** What the list is called, as a key of texts. */
  readonly label: string
  /** Gives what can be chosen to `show`; it is there only while the list is. */
  readonly Source: ComponentType<TriggerSourceProps>
}
