import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/** One page of the settings, with everything on it that search can find. */
export interface SettingsSection {
  /** In the address: `/settings/<id>`. */
  id: string
  /** A key of texts. */
  name: string
  icon: LucideIcon
  order: number
  adminOnly?: boolean
  page: ComponentType
  entries: readonly SettingsEntry[]
}

export interface SettingsEntry {
  /** The id of its row on the page; `/settings/<section>#<id>` jumps there. */
  id: string
  /** Keys of texts. */
  name: string
  words?: string
  adminOnly?: boolean
}
