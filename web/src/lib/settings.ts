import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/** What the list of sections is divided into, in this order. */
export const settingsGroups = ['you', 'models', 'workspace', 'server'] as const

/** One page of the settings, with everything on it that search can find. */
export interface SettingsSection {
  /** In the address: `/settings/<id>`. */
  id: string
  /** A key of texts. */
  name: string
  icon: LucideIcon
  group: (typeof settingsGroups)[number]
  /** Within its group. */
  order: number
  adminOnly?: boolean
  /** Wants more room than rows of settings do. */
  wide?: boolean
  /** Stands beside its name in the list. */
  badge?: ComponentType
  /** What stands above the parts that features add. */
  page?: ComponentType
  /** The page of one item of a section that has many: `/settings/<id>/<item>`. */
  item?: ComponentType<{ id: string }>
  entries: readonly SettingsEntry[]
}

/** What a feature adds to a section, of its own or of another feature. */
export interface SettingsPart {
  section: string
  order: number
  part: ComponentType
  /** The page of one item of the section, where the section has none itself. */
  item?: ComponentType<{ id: string }>
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

/** One thing that a new server still needs, on the list that administrators see first. */
export interface SetupStep {
  id: string
  order: number
  /** The namespace of its words: `setup.<id>.name` and `setup.<id>.help`. */
  namespace: string
  /** Where it is done. */
  to: string
  /** A hook; undefined while it is not known. */
  useDone: () => boolean | undefined
}

/** The settings of one feature. */
export interface FeatureSettings {
  sections?: readonly SettingsSection[]
  parts?: readonly SettingsPart[]
  setup?: readonly SetupStep[]
}

/** A section with all of its parts; its entries are those of the parts, too. */
export interface WholeSection extends SettingsSection {
  parts: readonly SettingsPart[]
}

const loaders: (() => Promise<FeatureSettings>)[] = []

/** The app hands over each feature's settings here. */
export function registerSettings(load: () => Promise<FeatureSettings>): void {
  loaders.push(load)
}

let loading: Promise<WholeSection[]> | undefined

let loadingAll: Promise<FeatureSettings[]> | undefined
const loadAll = (): Promise<FeatureSettings[]> => {
  loadingAll ??= Promise.all(loaders.map((load) => load()))
  // A failed load must not stay for ever.
  loadingAll.catch(() => {
    loadingAll = undefined
  })
  return loadingAll
}

/** What a new server needs, in its order. */
export const loadSetupSteps = async (): Promise<SetupStep[]> =>
  (await loadAll()).flatMap(({ setup }) => setup ?? []).sort((a, b) => a.order - b.order)

/** The sections of all features, in their order; loaded once. */
export function loadSettings(): Promise<WholeSection[]> {
  loading ??= loadAll().then(joinSettings)
  // A failed load must not stay for ever.
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

function joinSettings(all: readonly FeatureSettings[]): WholeSection[] {
  const parts = all.flatMap((one) => one.parts ?? []).sort((a, b) => a.order - b.order)
  return all
    .flatMap((one) => one.sections ?? [])
    .sort((a, b) => settingsGroups.indexOf(a.group) - settingsGroups.indexOf(b.group) || a.order - b.order)
    .map((section) => {
      const own = parts.filter((part) => part.section === section.id)
      const item = section.item ?? own.find((part) => part.item)?.item
      const entries = [...section.entries, ...own.flatMap((part) => part.entries)]
      return { ...section, ...(item && { item }), parts: own, entries }
    })
}

/**
 * Entries whose names stand under `entry` of a namespace, and whose words for the search under `words`. Where a feature
 * has several sections, under `<section>` and `words.<section>`.
 */
export const settingsEntries = (
  namespace: string,
  ids: readonly string[],
  { section, ...more }: { section?: string; adminOnly?: boolean } = {},
): SettingsEntry[] =>
  ids.map((id) => ({
    id,
    name: `${namespace}:${section ?? 'entry'}.${id}`,
    words: `${namespace}:words.${section ? `${section}.` : ''}${id}`,
    ...more,
  }))
