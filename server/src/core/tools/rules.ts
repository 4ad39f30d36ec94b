/** Pure decisions about calls: whether they are asked about, and how much of a result a model is told. */
import type { ToolMode } from '@atrium/contract/tools'

/** What a model is told of one result, in characters: three quarters of its head, a quarter of its tail, and what is missing. */
export const mostResultLetters = 24_000

const strictness: Readonly<Record<ToolMode, number>> = { allow: 0, ask: 1, never: 2 }

/** The strictest of a rule and what was said beside it. */
export const strictestOf = (rule: ToolMode, ...said: readonly (ToolMode | null | undefined)[]): ToolMode =>
  said.reduce<ToolMode>((most, mode) => (mode && strictness[mode] > strictness[most] ? mode : most), rule)

interface Named {
  readonly id: string
  readonly server: { readonly id: string } | null
}
/** The ids that name the tool, or the whole of its server. */
export const namesOf = ({ id, server }: Named): string[] => (server === null ? [id] : [id, `server:${server.id}`])
export const isMeant = (tool: Named, wanted: string): boolean => namesOf(tool).includes(wanted)

/** The strictest of what was said; what nobody said goes by what the tool does. */
export const modeOf = (sideEffect: boolean, said: readonly (ToolMode | undefined)[]): ToolMode => {
  const modes = said.filter((mode) => mode !== undefined)
  if (modes.length === 0) return sideEffect ? 'ask' : 'allow'
  return strictestOf('allow', ...modes)
}

/** More definitions than these are looked for instead of offered. */
const mostOffered = 40
const partOfWindow = 0.1
const partWithFound = 0.2
const lettersPerToken = 4

/** Whether so many definitions, of so many characters in all, are too many for a window. Only few of them are counted. */
export const areTooMany = (count: number, countLetters: () => number, contextWindow: number | null): boolean =>
  count > mostOffered || (contextWindow !== null && countLetters() / lettersPerToken > contextWindow * partOfWindow)

/** So many characters all definitions may have, with those that were found. */
export const lettersFor = (contextWindow: number | null): number =>
  contextWindow === null ? Number.POSITIVE_INFINITY : contextWindow * partWithFound * lettersPerToken

/** Tools that fit words best, those that fit none left out: a word in a name counts more than one in a description. */
export const rankTools = <T extends { readonly name: string; readonly description: string }>(
  tools: readonly T[],
  query: string,
  most: number,
): T[] => {
  const words = wordsIn(query)
  const scoreOf = ({ name, description }: T): number => {
    const [inName, inDescription] = [wordsIn(name), wordsIn(description)]
    const fits = (text: readonly string[], word: string) => text.some((one) => one.startsWith(word))
    return words.reduce((score, word) => score + (fits(inName, word) ? 3 : 0) + (fits(inDescription, word) ? 1 : 0), 0)
  }
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, most)
    .map(({ tool }) => tool)
}

/** Words of three letters and more, once each. */
const wordsIn = (text: string): string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])]

/** The head and the tail of a text that is too long, and between them how much is missing and how to read on. */
export const boundResult = (text: string, readOn: string | null, most = mostResultLetters): string => {
  if (text.length <= most) return text
  const note = (missing: number, from: number): string => {
    const how = readOn === null ? '' : ` ${readOn.replace('{offset}', String(from))}`
    return `\n\n[… ${missing} of ${text.length} characters are left out here.${how}]\n\n`
  }
  // No number in it is longer than that of all.
  const room = Math.max(most - note(text.length, text.length).length, 0)
  const ofHead = Math.floor((room * 3) / 4)
  const head = wholeEnd(text, ofHead)
  // Half of a letter in two is left out here too.
  const tail = wholeEnd(text, text.length - (room - ofHead) + 1)
  return `${text.slice(0, head)}${note(tail - head, head)}${text.slice(tail)}`
}

/** A place at or before `at` that does not lie within a pair of surrogates. */
const wholeEnd = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

/**
 * Words of others for a model to read: without control characters and without those that nobody sees, by which other
 * words could be hidden in them.
 */
export const visibleWords = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Variation_Selector}\u115f\u1160\u3164\uffa0]/gu, (letter) =>
    /[\n\t\u200c\u200d]/.test(letter) ? letter : '',
  )

/** Whether an address stands in a text letter by letter, and is not the beginning of another one. */
export const namesAddress = (text: string, address: string): boolean => {
  for (let at = text.indexOf(address); at !== -1; at = text.indexOf(address, at + 1)) {
    const before = text.slice(0, at)
    const after = text.slice(at + address.length)
    if (/(?:^|[\s([<{"'«“])$/u.test(before) && /^(?:[.,;:!?)\]}>"'»”]*(?:\s|$)|[)\]}>"'»”])/u.test(after)) return true
  }
  return false
}
