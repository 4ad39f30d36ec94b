/** Messages of a chat as input of a model, with an estimate of their tokens, and the summary that stands for older ones. */
import {
  type AnswerWithCalls,
  type TokenEstimate,
  estimateTokens,
  imageTokens,
  isOwnCall,
  leftOut,
  messageTokens,
  countMessageTokens,
} from '../../../core/generation/index.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { type MessageContent, openAnswer, openQuestionWords, openText } from '../stores/rows.ts'
import type { AttachmentRow, MessageRow, SessionRow } from '../tables.ts'

export interface MessageEstimate extends TokenEstimate {
  readonly text: string
  readonly attachments: readonly AttachmentRow[]
  /** Of a question: the excerpts found for it, as text that is sent before its own. */
  readonly excerpts?: string
  /** Of an answer that called tools of ours: what is told of that. */
  readonly calls?: Pick<AnswerWithCalls, 'toolCalls' | 'toolTexts'>
  /** Of an answer in the history: which it is, and which model gave it. */
  readonly answer?: Pick<MessageRow, 'id' | 'selection' | 'created_at'>
  /** It was given passages of documents to read, or holds untrusted text. */
  readonly quotes?: boolean
}

/**
 * Estimates the tokens of a message. `vision: false`: the model takes no images; it gets their printed words where they are
 * known, and others are counted as dropped.
 */
export const estimateMessage = (
  role: 'user' | 'assistant',
  text: string,
  attachments: readonly AttachmentRow[],
  vision: boolean | null,
): MessageEstimate => {
  let attachmentTokens = 0
  let [droppedImages, readImages] = [0, 0]
  for (const attachment of attachments) {
    if (attachment.kind === 'text') attachmentTokens += attachment.tokens
    else if (isUnseen(attachment, vision) && attachment.print_tokens) {
      attachmentTokens += attachment.print_tokens
      readImages += 1
    } else if (isUnseen(attachment, vision)) droppedImages += 1
    else attachmentTokens += imageTokens
  }
  return { role, text, attachments, textTokens: estimateTokens(text), attachmentTokens, droppedImages, readImages }
}

/** Whether a model gets a picture in words alone: it sees none, or the picture is of a type that no provider takes. */
export const isUnseen = ({ media_type }: Pick<AttachmentRow, 'media_type'>, vision: boolean | null): boolean =>
  vision === false || media_type === 'image/avif'

const estimateRow = (
  keys: Keyring,
  row: MessageRow,
  attachments: readonly AttachmentRow[],
  vision: boolean | null,
): MessageEstimate =>
  row.role === 'user'
    ? estimateQuestion(openQuestionWords(keys, row), attachments, vision)
    : estimateStored(openAnswer(keys, row), row, attachments, vision)

const estimateStored = (
  stored: ReturnType<typeof openAnswer>,
  row: MessageRow,
  attachments: readonly AttachmentRow[],
  vision: boolean | null,
): MessageEstimate => ({
  ...estimateAnswer(stored, attachments, vision),
  answer: row,
  quotes: stored.foreignFrom !== null || stored.sources.some(({ kind }) => kind !== 'web'),
})

/** The same of a question; untrusted text in it counts as a quotation. */
export const estimateQuestion = (
  { text, foreignFrom }: Pick<MessageContent, 'text' | 'foreignFrom'>,
  attachments: readonly AttachmentRow[],
  vision: boolean | null,
): MessageEstimate => ({ ...estimateMessage('user', text, attachments, vision), quotes: foreignFrom !== null })

/** The same of an answer, with its calls and what came of them. */
export const estimateAnswer = (
  { text, toolCalls, toolTexts }: AnswerWithCalls,
  attachments: readonly AttachmentRow[],
  vision: boolean | null,
): MessageEstimate => {
  const estimate = estimateMessage('assistant', text, attachments, vision)
  const ours = toolCalls.filter(isOwnCall)
  if (ours.length === 0) return estimate
  const told = ours.map((call) => call.name + call.arguments + (toolTexts[call.id] ?? ''))
  return {
    ...estimate,
    textTokens: told.reduce((sum, words) => sum + estimateTokens(words) + 2 * messageTokens, estimate.textTokens),
    calls: { toolCalls: ours, toolTexts },
  }
}

/**
 * An answer in at most so many tokens, of whose calls the oldest results are left out; null where that is not enough. What
 * is called and what was said stays.
 */
export const shortenAnswer = (estimate: MessageEstimate, tokens: number): MessageEstimate | null => {
  const { calls } = estimate
  if (!calls) return null
  const toolTexts = { ...calls.toolTexts }
  let { textTokens } = estimate
  for (const { id } of calls.toolCalls) {
    const saved = savedWithout(toolTexts[id])
    if (saved === 0 || countMessageTokens({ ...estimate, textTokens }) <= tokens) continue
    toolTexts[id] = leftOut
    textTokens -= saved
  }
  const shorter = { ...estimate, textTokens, calls: { ...calls, toolTexts } }
  return countMessageTokens(shorter) <= tokens ? shorter : null
}

/** The tokens of a message where all results are left out that may be. */
export const leastTokens = (estimate: MessageEstimate): number => {
  const { toolCalls = [], toolTexts = {} } = estimate.calls ?? {}
  return toolCalls.reduce((least, { id }) => least - savedWithout(toolTexts[id]), countMessageTokens(estimate))
}

/** What leaving a result out saves; one that nobody was told of has to come first. */
const savedWithout = (told: string | undefined): number =>
  told === undefined ? 0 : Math.max(0, estimateTokens(told) - estimateTokens(leftOut))

/** Messages from `id` upwards, newest first, in growing pages; stops above the message that a summary covers to. */
export async function* readHistory(
  context: ChatContext,
  keys: Keyring,
  chatId: string,
  id: string,
  coversTo: string | null,
  vision: boolean | null,
): AsyncGenerator<MessageEstimate> {
  let next: string | null = id
  for (let size = 48; next !== null; size = Math.min(size * 2, 384)) {
    const rows: MessageRow[] = await context.store.messages.upwards(chatId, next, size)
    const attachments = await context.store.attachments.ofMessages(rows)
    for (const row of rows) {
      if (row.id === coversTo) return
      yield estimateRow(keys, row, attachments.get(row.id) ?? [], vision)
    }
    next = rows.at(-1)?.parent_id ?? null
  }
}

/** The summary that is sent in the place of older messages. */
export interface ActiveSummary {
  readonly text: string
  /** The last message that it stands for. */
  readonly coversTo: string
  /** How many messages it stands for. */
  readonly messages: number
}

export const readSummary = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
): Promise<ActiveSummary | null> => {
  if (chat.summary_id === null) return null
  const row = await context.store.messages.read(chat.id, chat.summary_id)
  if (!row?.covers_to_id) return null
  return { text: openText(keys, row), coversTo: row.covers_to_id, messages: row.depth + 1 }
}
