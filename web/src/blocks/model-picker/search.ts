/** Which models of the catalogue are shown, in which order. */
import type { Selection } from '@atrium/contract/common'
import type { Model, ModelList } from '@atrium/contract/connections'
import {
  modelKey,
  providerKey,
  sameSelection,
  selectionOf,
  type UnavailableReason,
  unavailableReason,
} from '../models.ts'

export type ModelFeature = 'vision' | 'tools' | 'thinking' | 'long' | 'local' | 'cheap' | 'fast'
/** Tokens from which on a context counts as long. */
const longContext = 100_000
/** US dollars per million tokens read up to which a model counts as cheap. */
const cheapInput = 1
/** Milliseconds up to which a model that usually begins so soon counts as fast. */
const fastMs = 1000

/** Where no price is known, nothing could be found by it; nor by speed where no model was called often enough. */
export const featuresOffered = (models: readonly Model[]): ModelFeature[] => [
  ...(['vision', 'tools', 'thinking', 'long', 'local'] as const),
  ...(models.some((model) => model.price) ? (['cheap'] as const) : []),
  ...(models.some((model) => model.firstTokenMs !== null) ? (['fast'] as const) : []),
]

export interface ModelFilter {
  readonly words: string
  readonly features: readonly ModelFeature[]
  /** `all`, `favourites`, `recent`, or the key of a provider. */
  readonly section: string
}

/** The models of a wish: favourites first, then by how well the words fit, then as the catalogue has them. */
export function filterModels(
  models: readonly Model[],
  filter: ModelFilter,
  favourites: readonly string[],
  recent: readonly string[],
): Model[] {
  const words = plain(filter.words).split(/\s+/).filter(Boolean)
  const starred = new Set(favourites)
  const rows = models
    .filter((model) => inSection(model, filter.section, starred, recent) && hasAll(model, filter.features))
    .map((model, place) => ({ model, place, score: scoreOf(model, words) }))
    .filter((row) => row.score > 0)
  const rank = (model: Model) => (filter.section === 'recent' ? -recent.indexOf(modelKey(model.selection)) : 0)
  return rows
    .sort(
      (a, b) =>
        rank(b.model) - rank(a.model) ||
        star(b.model, starred) - star(a.model, starred) ||
        b.score - a.score ||
        a.place - b.place,
    )
    .map((row) => row.model)
}

/** How many models of a wish each section holds: `all`, `favourites`, `recent` and the keys of providers. */
export function countSections(
  models: readonly Model[],
  filter: ModelFilter,
  favourites: readonly string[],
  recent: readonly string[],
): Map<string, number> {
  const found = filterModels(models, { ...filter, section: 'all' }, favourites, recent)
  const [starred, used] = [new Set(favourites), new Set(recent)]
  const counts = new Map([['all', found.length]])
  const count = (section: string) => counts.set(section, (counts.get(section) ?? 0) + 1)
  for (const { selection } of found) {
    count(providerKey(selection))
    if (starred.has(modelKey(selection))) count('favourites')
    if (used.has(modelKey(selection))) count('recent')
  }
  return counts
}

/** A choice that cannot be used just now: it keeps its place in the list, with the reason. */
export interface MissingChoice {
  readonly selection: Selection
  readonly why: UnavailableReason
  readonly providerName: string | null
}

/** What was chosen, starred or lately used and is not there, as far as it belongs to the wish. */
export function missingChoices(
  list: ModelList | undefined,
  filter: ModelFilter,
  { favourites, recent, value }: { favourites: readonly string[]; recent: readonly string[]; value: Selection | null },
): MissingChoice[] {
  if (filter.features.length > 0) return []
  const keys = filter.section === 'favourites' ? favourites : filter.section === 'recent' ? recent : []
  const wanted = keys.map(selectionOf)
  if (filter.section === 'all' || (value && providerKey(value) === filter.section)) wanted.unshift(value)
  const words = plain(filter.words).split(/\s+/).filter(Boolean)
  return wanted.flatMap((selection, place) => {
    const why = unavailableReason(list, selection)
    if (!selection || !why || wanted.findIndex((other) => sameSelection(other, selection)) !== place) return []
    const name = plain(selection.model)
    if (!words.every((word) => fit(name, word) > 0)) return []
    const provider = list?.providers.find((other) => providerKey(other) === providerKey(selection))
    return [{ selection, why, providerName: provider?.name ?? null }]
  })
}

const star = (model: Model, starred: ReadonlySet<string>) => (starred.has(modelKey(model.selection)) ? 1 : 0)

function inSection(model: Model, section: string, starred: ReadonlySet<string>, recent: readonly string[]): boolean {
  if (section === 'all') return true
  if (section === 'favourites') return starred.has(modelKey(model.selection))
  if (section === 'recent') return recent.includes(modelKey(model.selection))
  return providerKey(model.selection) === section
}

const hasAll = (model: Model, features: readonly ModelFeature[]) => features.every((feature) => has(model, feature))

function has(model: Model, feature: ModelFeature): boolean {
  if (feature === 'local') return model.local
  if (feature === 'cheap') return model.price?.input !== null && (model.price?.input ?? Infinity) <= cheapInput
  if (feature === 'fast') return model.firstTokenMs !== null && model.firstTokenMs <= fastMs
  if (feature === 'long') return (model.contextWindow ?? 0) >= longContext
  return model.features.includes(feature)
}

/** 0 where a word is not found at all; more the better the words fit. */
function scoreOf(model: Model, words: readonly string[]): number {
  const name = plain(model.name)
  const id = plain(model.selection.model)
  const provider = plain(model.providerName)
  let sum = 1
  for (const word of words) {
    const best = Math.max(fit(name, word) * 3, fit(id, word) * 2, fit(provider, word))
    if (best === 0) return 0
    sum += best
  }
  return sum
}

function fit(text: string, word: string): number {
  const at = text.indexOf(word)
  if (at === 0) return 8
  if (at > 0) return /[^a-z0-9]/.test(text[at - 1] ?? '') ? 6 : 4
  return isSubsequence(text, word) ? 1 : 0
}

/** `g4o` is found in `gpt-4o`. Only for words of three letters and more, or everything would match. */
function isSubsequence(text: string, word: string): boolean {
  if (word.length < 3) return false
  let from = 0
  for (const letter of word) {
    from = text.indexOf(letter, from) + 1
    if (from === 0) return false
  }
  return true
}

const plain = (text: string) => text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
