/**
 * The provider that needs no model and no network: it quotes the passages of the chat's own files that match the
 * question best, and says plainly that it is no language model. Pure: the same question and files give the same answer.
 */
import type { Source } from '@atrium/contract/generation'
import type { Part } from '../types.ts'
import { type Passage, passagesOf } from './passages.ts'
import { rank } from './rank.ts'
import { wordings } from './wordings.ts'
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
  readonly documents: readonly ExcerptsDocument[]
  /** Of the answer; anything but `ar` is answered in English. */
  readonly language: string
}

export interface ExcerptsAnswer {
  /** Best first. */
  readonly sources: readonly Source[]
  /** In pieces of a paragraph, ending with `finish`. */
  readonly parts: readonly (readonly Part[])[]
}

const maxPassages = 4
/** Passages that match far worse than the best one are left out. */
const worthOfBest = 0.35

/** Answers by quoting. */
export function answerFromExcerpts({ question, documents, language }: ExcerptsQuestion): ExcerptsAnswer {
  const say = wordings(language)
  if (documents.length === 0) return { sources: [], parts: inParts([say.intro, say.nothingAttached, say.connect]) }
  const sources = find(question, documents)
  if (sources.length === 0) {
    const names = documents.map(({ name }) => code(name)).join(say.comma)
    return { sources, parts: inParts([say.intro, say.nothingMatches(names), say.connect]) }
  }
  const quotes = sources.flatMap((source) => [quote(source.passage), say.from(code(source.name), source.section)])
  return { sources, parts: inParts([say.intro, say.found(sources.length), ...quotes, say.connect]) }
}

function find(question: string, documents: readonly ExcerptsDocument[]): Source[] {
  const found: { document: ExcerptsDocument; passage: Passage }[] = documents.flatMap((document) =>
    passagesOf(document.text).map((passage) => ({ document, passage })),
  )
  const texts = found.map(({ passage }) => wordsOf(`${passage.section ?? ''}\n${passage.text}`))
  const ranked = rank(wordsOf(question), texts)
  const best = ranked[0]?.score ?? 0
  const seen = new Set<string>()
  const sources: Source[] = []
  for (const { index, score } of ranked) {
    const hit = found[index]
    if (!hit || score < best * worthOfBest || sources.length === maxPassages) break
    if (seen.has(hit.passage.text)) continue
    seen.add(hit.passage.text)
    const { attachmentId, name } = hit.document
    const { section, text } = hit.passage
    sources.push({ attachmentId, name, section, passage: text, score: Math.round(score * 1000) / 1000 })
  }
  return sources
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
