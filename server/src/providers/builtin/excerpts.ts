/**
 * The provider that needs no model and no network: it quotes the passages that match the question best, from the
 * chat's own files and from what was found in documents, and says plainly that it is no language model. Pure: the
 * same question, files and findings give the same answer.
 */
import type { Source } from '@atrium/contract/generation'
import type { Part } from '../types.ts'
import { passagesOf } from './passages.ts'
import { rank } from './rank.ts'
import { type QuotationTexts, textsIn } from './texts.ts'
import { wordsOf } from './words.ts'

/** Its one model, as selections name it. */
export const builtinProvider = { id: 'builtin', model: 'excerpts' } as const

export interface ExcerptsDocument {
  readonly attachmentId: string
  readonly name: string
  /** Plain text or Markdown. */
  readonly text: string
}

export interface ExcerptsQuestion {
  readonly question: string
  /** Files of the chat, to be looked through here. */
  readonly documents: readonly ExcerptsDocument[]
  /** Passages that were found elsewhere, best first; absent when nothing but the files was looked in. */
  readonly found?: readonly Source[]
  /** Names of what came nearest there, when nothing was found. */
  readonly nearest?: readonly string[]
  /** Of the answer; anything but `ar` is answered in English. */
  readonly language: string
}

export interface ExcerptsAnswer {
  /** Best first, numbered. */
  readonly sources: readonly Source[]
  /** In pieces of a paragraph, ending with `finish`. */
  readonly parts: readonly (readonly Part[])[]
}

const maxPassages = 4
/** Passages that match far worse than the best one are left out. */
const worthOfBest = 0.35
const namesNamed = 3

/** Answers by quoting. */
export function answerFromExcerpts(asked: ExcerptsQuestion): ExcerptsAnswer {
  const say = textsIn(asked.language)
  if (asked.documents.length === 0 && !asked.found) {
    return { sources: [], parts: inParts([say.intro, say.nothingAttached, say.connect]) }
  }
  const sources = find(asked).map((source, index) => ({ ...source, number: index + 1 }))
  if (sources.length === 0) return { sources, parts: inParts([say.intro, nothing(asked, say), say.connect]) }
  const quotes = sources.flatMap((source) => [quote(source.passage), origin(source, say)])
  return { sources, parts: inParts([say.intro, say.found(sources.length), ...quotes, say.connect]) }
}

/** What is said when nothing matched, with the nearest names. */
const nothing = ({ documents, nearest = [] }: ExcerptsQuestion, say: QuotationTexts): string => {
  const names = [...new Set([...nearest, ...documents.map(({ name }) => name)])].slice(0, namesNamed)
  return names.length === 0 ? say.nothingFound : say.nothingMatches(names.map(code).join(say.comma))
}

const origin = (source: Source, say: QuotationTexts): string => {
  const { label = null, kind } = source.location ?? {}
  const section = source.section ?? (kind === 'section' ? label : null)
  return `${say.from(code(source.name), section, kind === 'section' || kind === 'file' ? null : label)} [${source.number}]`
}

/**
 * The best of both: files and findings are ranked together by their words; what was found by its meaning alone follows.
 * Where no file matches, the findings stay in their own order.
 */
function find({ question, documents, found = [] }: ExcerptsQuestion): Source[] {
  const own = documents.flatMap((document) => passagesFrom(document))
  const asked = wordsOf(question)
  const all = [...own, ...found]
  const ranked = rank(
    asked,
    all.map(({ section, passage }) => wordsOf(`${section ?? ''}\n${passage}`)),
  )
  if (!ranked.some(({ index }) => index < own.length)) return distinct(found)
  const best = ranked[0]?.score ?? 0
  const worth = ranked.filter(({ score }) => score >= best * worthOfBest)
  const byWords = worth.flatMap(({ index, score }) => {
    const source = all[index]
    if (!source) return []
    return index < own.length ? [{ ...source, score: Math.round(score * 1000) / 1000 }] : [source]
  })
  return distinct([...byWords, ...found.filter((_, index) => !ranked.some((hit) => hit.index === own.length + index))])
}

const passagesFrom = ({ attachmentId, name, text }: ExcerptsDocument): Source[] =>
  passagesOf(text).map(({ section, text: passage }) => ({
    kind: 'attachment',
    attachmentId,
    name,
    section,
    passage,
    score: 0,
    foundBy: 'words',
  }))

const distinct = (sources: readonly Source[]): Source[] => {
  const seen = new Set<string>()
  return sources.filter(({ passage }) => !seen.has(passage) && seen.add(passage)).slice(0, maxPassages)
}

const inParts = (paragraphs: readonly string[]): Part[][] => [
  ...paragraphs.map((text, n): Part[] => [{ type: 'text', delta: n === 0 ? text : `\n\n${text}` }]),
  [{ type: 'finish', reason: 'stop' }],
]

const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** As inline code, so that nothing in a file name is taken for Markdown. */
const code = (name: string): string => `\`${name.replace(/[`\r\n]/g, ' ').trim() || ' '}\``
