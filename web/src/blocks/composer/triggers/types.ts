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
  choose(): void
}

export interface TriggerSourceProps {
  /** What was typed after the sign. */
  readonly query: string
  readonly show: (entries: readonly TriggerEntry[]) => ReactNode
}

/** A sign that opens a list while one writes, such as `/` for actions. */
export interface Trigger {
  readonly sign: string
  /** What the list is called, as a key of texts. */
  readonly label: string
  /** Gives what can be chosen to `show`; it is there only while the list is. */
  readonly Source: ComponentType<TriggerSourceProps>
}
