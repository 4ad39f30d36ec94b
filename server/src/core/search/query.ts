/** Parses a search query: words, and operators such as `from:me` or `before:2026-03-01`. Pure. */
import { foldTag } from '@atrium/contract/tag-name'
import { foundKinds, resources } from '@atrium/contract/resources'
import type { FoundKind } from '@atrium/contract/search'
import { type HasWord, hasWords, type SearchQuery } from '../resources/index.ts'

export interface ParsedQuery {
  readonly wanted: SearchQuery
  /** Operators with a value that makes no sense, word for word. */
  readonly unknown: readonly string[]
}

/** No words, and nothing that narrows. */
export const emptyQuery: SearchQuery = {
  words: '',
  kinds: null,
  within: null,
  from: null,
  channel: null,
  person: null,
  has: new Set(),
  is: new Set(),
  model: null,
  tags: [],
  after: null,
  before: null,
}

/**
 * Reads `in:`, `from:`, `has:`, `is:`, `model:`, `tag:`, `before:`, `after:`, `#channel` and `@person`; a value with spaces is put in
 * quotation marks. What looks like an operator and is none (`http://…`, `12:30`, `#1`) is words. What only messages of channels
 * have looks for these alone. Days are those of UTC; `before:` a day leaves that day out,
 * `after:` a day begins with it.
 */
export const parseQuery = (typed: string): ParsedQuery => {
  const words: string[] = []
  const unknown: string[] = []
  const wanted: { -readonly [K in keyof SearchQuery]: SearchQuery[K] } = { ...emptyQuery }
  const kinds = new Set<FoundKind>()
  const has = new Set<HasWord>()
  const is: Reading['is'] = new Set()
  for (const [whole, name, quoted, plain, sign, signQuoted, signPlain] of typed.matchAll(piece)) {
    if (sign !== undefined) {
      wanted[sign === '#' ? 'channel' : 'person'] = foldText(signQuoted ?? signPlain ?? '')
      continue
    }
    const value = (quoted ?? plain ?? '').trim()
    const read = name === undefined ? null : operators.get(name.toLowerCase())
    if (!read) words.push(whole)
    else if (value === '' || !read(value, { wanted, kinds, has, is })) unknown.push(whole)
  }
  if (kinds.size === 0 && isOfChannels(wanted, has, is)) kinds.add('channel-message')
  return {
    wanted: { ...wanted, words: words.join(' ').trim(), kinds: kinds.size > 0 ? kinds : null, has, is },
    unknown,
  }
}

/** An operator with a quoted or a plain value, a channel or a person, or a word. */
const piece = /(?:(\p{L}+):(?:"([^"]*)"|(\S*)))|(?:([#@])(?:"([^"]+)"|(\p{L}\S*)))|\S+/gu

interface Reading {
  readonly wanted: { -readonly [K in keyof SearchQuery]: SearchQuery[K] }
  readonly kinds: Set<FoundKind>
  readonly has: Set<HasWord>
  readonly is: Set<(typeof isWords)[number]>
}

const isWords = ['pinned', 'shared', 'archived', 'mention'] as const
/** What only messages of channels have. */
const hasOfChannels = ['link', 'file', 'pin', 'thread'] as const

const isOfChannels = (
  { channel, person }: Pick<SearchQuery, 'channel' | 'person'>,
  has: ReadonlySet<HasWord>,
  is: SearchQuery['is'],
): boolean => channel !== null || person !== null || is.has('mention') || hasOfChannels.some((word) => has.has(word))

/** A kind by its word, and by what many of it are counted as; chats are found with what is said in them. */
const kindWords: ReadonlyMap<string, readonly FoundKind[]> = new Map<string, readonly FoundKind[]>([
  ...foundKinds.flatMap((kind) =>
    [kind, resources[kind].counted ?? kind].map((word) => [word.toLowerCase(), [kind]] as const),
  ),
  ['chat', ['chat', 'message']],
  ['chats', ['chat', 'message']],
  ['calendar', ['calendar-event']],
  ['events', ['calendar-event']],
  ['channel', ['channel-message']],
  ['channels', ['channel-message']],
])

/** Each says whether it could make something of the value. */
const operators: ReadonlyMap<string, (value: string, reading: Reading) => boolean> = new Map([
  [
    'in',
    (value: string, { wanted, kinds }: Reading) => {
      const named = kindWords.get(value.toLowerCase())
      if (named) for (const kind of named) kinds.add(kind)
      else wanted.within = foldText(value)
      return true
    },
  ],
  [
    'from',
    (value: string, { wanted }: Reading) => {
      const who = value.toLowerCase()
      if (who !== 'me' && who !== 'model') return false
      wanted.from = who
      return true
    },
  ],
  [
    'has',
    (value: string, { has }: Reading) => {
      const what = value.toLowerCase().replace(/s$/, '')
      for (const word of hasWords) if (word === what) return Boolean(has.add(word))
      return false
    },
  ],
  [
    'is',
    (value: string, { is }: Reading) => {
      const word = isWords.find((known) => known === value.toLowerCase().replace(/^mentions$/, 'mention'))
      return word !== undefined && Boolean(is.add(word))
    },
  ],
  [
    'model',
    (value: string, { wanted }: Reading) => {
      wanted.model = foldText(value)
      return true
    },
  ],
  [
    'tag',
    (value: string, { wanted }: Reading) => {
      const tag = foldTag(value)
      if (tag === '') return false
      wanted.tags = [...wanted.tags, tag]
      return true
    },
  ],
  ['before', (value: string, { wanted }: Reading) => (wanted.before = dayOf(value)) !== null],
  ['after', (value: string, { wanted }: Reading) => (wanted.after = dayOf(value)) !== null],
])

/** Names are compared so. Without quotation marks: the value of an operator has none. */
export const foldText = (text: string): string => text.normalize('NFKC').replaceAll('"', '').toLowerCase().trim()

/** `2026-03-01`, `2026-03` or `2026` as the beginning of that time, in integer milliseconds. */
const dayOf = (text: string): number | null => {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? []
  if (year === undefined) return null
  const time = Date.parse(`${year}-${month}-${day}T00:00:00.000Z`)
  // `2026-02-31` would become the third of March.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== `${year}-${month}-${day}` ? null : time
}
