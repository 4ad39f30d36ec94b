/** Pure decisions of chat: words, names, cuts. No I/O, no clock. */
import type { SentQuote } from '@atrium/contract/chat'

/** What stands for an image of a model that cannot see: its printed words, where there are any. */
export const unseenImage = (name: string, print: string | null): string =>
  print === null
    ? `[The image "${name}" is attached, but you cannot see it.]`
    : `[The image "${name}" is attached, but you cannot see it. A reader found these printed words in it, and may have made mistakes:]\n${print}`

/** A text attachment as a model reads it: fenced, with its name. */
export const attachmentBlock = (name: string, text: string): string => `Attached file "${name}":\n${fenceText(text)}`

/** A text between fences that it cannot end itself. */
export const fenceText = (text: string): string => {
  let longest = 0
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}

export const summaryPreamble = (summary: string): string =>
  `Summary of the earlier part of this conversation:\n${summary}`

export const continuePrompt =
  'Your last answer was cut off. Go on exactly where it stopped. Do not repeat anything and do not comment on it.'

/** A wish for another answer to the same question, put behind the question. */
export const instructionPrompt = (instruction: string): string => `For this answer: ${instruction}`

/** A title from the first words of a text. */
export const firstWords = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= 120) return line
  return `${cutAtWord(line, 119)}…`
}

const cutAtWord = (text: string, length: number): string => {
  // Half a character beyond the basic plane is no character.
  const cut = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
  const space = cut.lastIndexOf(' ')
  return (space > length / 2 ? cut.slice(0, space) : cut).trim()
}

/** Cleans what a model gave as a title: one line, no quotes or markup, at most 50 characters. null when nothing is left. */
export const cleanTitle = (answer: string): string | null => {
  const line = answer
    .split('\n')
    .map((part) => part.trim())
    .find((part) => part !== '')
  const title = (line ?? '')
    .replace(/^(title|titel|عنوان)\s*[:：]\s*/i, '')
    .replace(/[*_`#]+/g, '')
    .replace(/^["'“”«»„‚‘’]+|["'“”«»„‚‘’.。]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (title === '') return null
  return title.length <= 50 ? title : cutAtWord(title, 50)
}

/**
 * Reads follow-up questions from a model's answer, one per line: plain text without Markdown and numbers of sources, three
 * at most, at most 120 characters each. What is no question, or is the one that was asked, is left out.
 */
export const cleanFollowups = (answer: string, asked: string): string[] => {
  const seen = new Set([lettersOf(asked)])
  const questions: string[] = []
  for (const line of answer.split('\n')) {
    const question = withoutMarkdown(line)
    if (question.length <= 3 || question.length > 120 || !isQuestion(question)) continue
    if (seen.has(lettersOf(question))) continue
    seen.add(lettersOf(question))
    questions.push(question)
  }
  return questions.slice(0, 3)
}

const withoutMarkdown = (line: string): string =>
  line
    .replace(/\s*\[\d+(?:\s*,\s*\d+)*\]/g, '')
    // Within a word, as in snake_case or 2*3, they are no marks.
    .replace(/(?<![\p{L}\p{N}])[*_`]+(?=\S)|(?<=\S)[*_`]+(?![\p{L}\p{N}])/gu, '')
    .replace(/^\s*#+\s*/, '')
    .replace(/^\s*(?:[-*•]|\d+[.)])\s*/, '')
    .replace(/^["“„«]|["”“»]$/g, '')
    .trim()

/** By its end: Greek ends one in a semicolon; Thai has no mark for it, and Japanese needs none. */
const isQuestion = (line: string): boolean =>
  /[?？؟;;]["”’»」』)]*$/.test(line) ||
  /か[。.]?$/.test(line) ||
  (/\p{Script=Thai}/u.test(line) && !/[:.!]$/.test(line))

const lettersOf = (text: string): string =>
  searchForm(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Lower-cased and composed, so that a search finds a title however it was typed. */
export const searchForm = (text: string): string => text.normalize('NFKC').toLocaleLowerCase()

export const builtInSummaryPrompt = `You condense a conversation so that it can go on without its older part.
Write the facts, decisions, names, numbers, open questions and wishes that later turns may need. Keep code and exact wording where they matter.
No preface, no comment, at most 400 words, in the language of the conversation.

{{PREVIOUS_SUMMARY}}

{{MESSAGES}}`

/** The prompt of a summary with its two placeholders filled in; a prompt without them gets both at its end. */
export const summaryPrompt = (template: string, previous: string | null, transcript: string): string => {
  const base = template.trim() === '' ? builtInSummaryPrompt : template
  const earlier = previous === null ? '' : `The summary so far:\n${previous}`
  const full = base.includes('{{MESSAGES}}') ? base : `${base}\n\n{{PREVIOUS_SUMMARY}}\n\n{{MESSAGES}}`
  return full.replaceAll('{{PREVIOUS_SUMMARY}}', () => earlier).replaceAll('{{MESSAGES}}', () => transcript)
}

interface Nested {
  readonly id: string
  readonly parent_id: string | null
}

/** So deep projects may lie in each other. */
export const mostLevels = 5

/** A project and those around it, the outermost first; never more than there may be, whatever the rows say. */
export const pathOfFolder = <T extends Nested>(folders: readonly T[], id: string): T[] => {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const path: T[] = []
  for (let at = byId.get(id); at && path.length < mostLevels && !path.includes(at); ) {
    path.unshift(at)
    at = at.parent_id === null ? undefined : byId.get(at.parent_id)
  }
  return path
}

/** Whether a project may be put into another: neither into itself nor deeper than projects may lie. */
export const mayNest = (folders: readonly Nested[], id: string, parentId: string): boolean => {
  const above = pathOfFolder(folders, parentId)
  if (above.some((folder) => folder.id === id)) return false
  const heightOf = (of: string, left: number): number =>
    left === 0
      ? 1
      : 1 + Math.max(0, ...folders.filter((f) => f.parent_id === of).map((child) => heightOf(child.id, left - 1)))
  return above.length + heightOf(id, mostLevels) <= mostLevels
}

/** Whether an answer may be gone on with: it was cut off, by whomever. */
export const isContinuable = (status: string, finishReason: string | null): boolean =>
  status === 'cancelled' || status === 'interrupted' || status === 'failed' || finishReason === 'length'

/** Those of the quotes whose words are in a text, line by line, as block quotes are. */
export const quotesIn = (text: string, quotes: readonly SentQuote[]): SentQuote[] =>
  quotes.filter((quote) => quote.text.split('\n').every((line) => text.includes(line.trim())))
