/** Kinds of resources as the rest of the app shows them: each feature registers its own, everybody else loops over them. */
import type { ResourceKind } from '@atrium/contract/resources'
import type { LucideIcon } from 'lucide-react'
import { use } from 'react'
import { translate } from './texts.ts'

/** What leads to a resource: its id, and where it is inside of another. */
export interface ResourceReference {
  readonly id: string
  readonly chatId?: string | null
  /** A passage of its text, in UTF-16 units. */
  readonly startChar?: number | null
  readonly endChar?: number | null
}

export interface ResourceDisplay {
  icon: LucideIcon
  link: (reference: ResourceReference) => string
  /** Reads again what shows resources of this kind, after one of them was restored. */
  refresh: (reference: ResourceReference) => Promise<void>
  /** Support access opens these: they hold content. */
  hasContent?: true
}

export interface FeatureResources {
  kinds: Partial<Record<ResourceKind, ResourceDisplay>>
  /** Adds the words of the kinds: namespace `<feature>-names`, one object for each kind. */
  words: () => Promise<unknown>
}

/** The words that each kind has. `count` has plural forms. */
export type ResourceWord = 'name' | 'one' | 'many' | 'count' | 'share'

const displays = new Map<string, ResourceDisplay & { readonly words: string }>()
const loaders: (() => Promise<unknown>)[] = []
let loading: Promise<unknown> | undefined

/** The app hands over each feature's kinds here. */
export function registerResources(feature: string, { kinds, words }: FeatureResources): void {
  for (const [kind, display] of Object.entries(kinds))
    displays.set(kind, { ...display, words: `${feature}-names:${kind}` })
  loaders.push(words)
}

/** How a kind is shown; undefined for a kind that this page does not know. */
export const resourceDisplay = (kind: string): ResourceDisplay | undefined => displays.get(kind)

/** Where a resource opens; the start page for a kind that this page does not know. */
export const resourceLink = (kind: string, reference: ResourceReference): string =>
  displays.get(kind)?.link(reference) ?? '/'

/** Loads the words of every kind; once, and again after a failure. */
export function loadResourceWords(): Promise<unknown> {
  loading ??= Promise.all(loaders.map((load) => load()))
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

/** Gives the words of a kind; the kind itself where it has none. */
export type ResourceWords = (kind: string, word: ResourceWord, values?: Record<string, unknown>) => string

/** Waits, by the nearest `Suspense`, for those that are on their way. */
export function useResourceWords(): ResourceWords {
  use(loadResourceWords())
  return resourceWords
}

function resourceWords(kind: string, word: ResourceWord, values?: Record<string, unknown>): string {
  const display = displays.get(kind)
  return display ? translate(`${display.words}.${word}`, values) : kind
}
