import type { AnyRoute } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { FeatureResources } from './resources.ts'
import type { FeatureSettings } from './settings.ts'

/** What a feature gives to the app. Each feature exports one; `app/features.ts` lists them. */
export interface Feature {
  /** The same word as the folder, the texts' namespace and the area on the server. */
  name: string
  /** Pages inside the shell; give each `getParentRoute: () => parent`. */
  routes?: (parent: AnyRoute) => AnyRoute[]
  /** Pages for people who are not signed in, once there is an account. */
  guestRoutes?: (parent: AnyRoute) => AnyRoute[]
  /** Pages from before there is an account. */
  firstRun?: (parent: AnyRoute) => AnyRoute[]
  rail?: RailEntry
  /** The list beside the main part, while `rail.owns` the address. */
  sidebar?: ComponentType<SidebarProps>
  /** The kinds of things it has, as search, sharing, the trash and others show them. */
  resources?: FeatureResources
  /** Loaded when settings or the palette are opened. */
  settings?: () => Promise<FeatureSettings>
}

export interface RailEntry {
  /** A key of texts, such as `chat-list:rail`. */
  name: string
  icon: LucideIcon
  to: string
  order: number
  adminOnly?: boolean
  /** Has a place in the bar of phones, too, where there is room for one more. */
  onPhones?: boolean
  /** A shorter name for there, as a key of texts. */
  nameOnPhones?: string
  owns: (path: string) => boolean
  /** Stands at the icon: what waits there. It comes after the first view. */
  badge?: ComponentType
  /** Opens at the icon in place of the page, which it leads to. Lazy. */
  panel?: ComponentType<RailPanelProps>
}

export interface RailPanelProps {
  /** The icon, where it is on screen. */
  anchor: HTMLElement | null
  onClose: () => void
}

export interface SidebarProps {
  /** On phones the list lies over the page; call this when something was chosen. */
  onDone: () => void
}
