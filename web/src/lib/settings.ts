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
  /** Wants more room than rows of settings do. */
  wide?: boolean
  /** Stands beside its name in the list. */
  badge?: ComponentType
  page: ComponentType
  entries: readonly SettingsEntry[]
}

export interface SettingsEntry {
  /** The id of its row on the page; `/settings/<section>#<id>` jumps there. */
  id: string
  /** A key of texts. */
  name: string
  /** More words that find it, as a key of texts. */
  words?: string
  adminOnly?: boolean
}

const loaders: (() => Promise<SettingsSection[]>)[] = []

/** The app hands over each feature's sections here. */
export function registerSettings(load: () => Promise<SettingsSection[]>): void {
  loaders.push(load)
}

let loading: Promise<SettingsSection[]> | undefined

/** The sections of all features, in their order; loaded once. */
export function loadSettings(): Promise<SettingsSection[]> {
  loading ??= Promise.all(loaders.map((load) => load())).then((lists) => lists.flat().sort((a, b) => a.order - b.order))
  // A failed load must not stay for ever.
  loading.catch(() => {
    loading = undefined
  })
  return loading
}
