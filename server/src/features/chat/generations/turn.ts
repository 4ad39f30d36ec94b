/** From a chat to what a model is asked: history walked up from the question, weighed, fitted, and put into words. */
import type { ContextPlan, GenerationOptions } from '@atrium/contract/generation'
import {
  type UsableModel,
  type TokenEstimate,
  answerReserve,
  chooseWindow,
  estimateTokens,
  imageTokens,
  overflowWords,
  planContext,
  withWindow,
} from '../../../core/generation/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { Turn, TurnImage, TurnMessage } from '../../../providers/types.ts'
import type { ChatContext } from '../context.ts'
import { attachmentBlock, continuePrompt, summaryPreamble } from '../rules.ts'
import { readReplays } from './replays.ts'
import { openText, rowToAttachment } from '../stores/rows.ts'
import type { AttachmentRow, MessageRow, SessionRow } from '../tables.ts'

/** Who answers, and how it is asked to. */
export interface AnswerConfig {
  readonly model: UsableModel
  readonly options: GenerationOptions
  readonly system: string | null
}

export interface MessageEstimate extends TokenEstimate {
  readonly text: string
  readonly attachments: readonly AttachmentRow[]
  /** Of a question: what was found for it, in words that stand before its own. */
  readonly before?: string
  /** Of an answer in the history: which it is, and who gave it. */
  readonly answer?: Pick<MessageRow, 'id' | 'selection'>
}

export interface TurnRequest {
  readonly voice: Pick<AnswerConfig, 'options' | 'system'> & { readonly model: Omit<UsableModel, 'ask'> }
  /** What must be sent, newest last; the walk goes on above its first. */
  readonly needed: readonly MessageEstimate[]
  /** Where the walk goes on, and how many messages there are from there to the root. */
  readonly above: { readonly id: string; readonly count: number } | null
}

/** Plans what of a chat fits. Reads no more messages than that, give or take a page. */
export const planTurn = async (context: ChatContext, keys: Keyring, chat: SessionRow, request: TurnRequest) => {
  const { model, options, system } = request.voice
  const summary = await readSummary(context, keys, chat)
  const window = chooseWindow(model, options)
  const covered = summary && request.above && request.above.count > summary.messages ? summary : null
  const result = await planContext({
    window,
    reserveTokens: answerReserve(window.tokens, options),
    systemTokens: system ? estimateTokens(system) : 0,
    summary: summary ? { tokens: estimateTokens(summaryPreamble(summary.text)), messages: summary.messages } : null,
    needed: request.needed,
    earlier: Math.max(0, (request.above?.count ?? 0) - (summary?.messages ?? 0)),
    history:
      request.above && (!summary || covered)
        ? readHistory(context, keys, chat.id, request.above.id, summary?.coversTo ?? null, model.vision)
        : nothing(),
  })
  return { ...result, window, summary: summary?.text ?? null }
}

/** The turn for a model. Refuses with `context_overflow` when what must be sent does not fit. */
export const buildTurn = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  request: TurnRequest & { readonly instruction?: string | undefined; readonly continues?: boolean },
): Promise<{ turn: Turn; plan: ContextPlan }> => {
  const { model, options, system } = request.voice
  const result = await planTurn(context, keys, chat, request)
  if (!result.fits) throw fail('context_overflow', overflowWords(result.neededTokens, result.window.tokens))
  const messages: TurnMessage[] = []
  const replays = await readReplays(context, keys, result.messages, model.selection)
  for (const message of result.messages) {
    const said = await sayMessage(context, keys, chat.account_id, message, model)
    const replay = message.answer && replays.get(message.answer.id)
    push(messages, said.role === 'assistant' && replay ? { ...said, replay } : said)
  }
  if (request.instruction) push(messages, { role: 'user', text: request.instruction, images: [] })
  if (request.continues && !model.prefills) push(messages, { role: 'user', text: continuePrompt, images: [] })
  const asked = withWindow(model, options, result.plan, result.window)
  const rules = [system, result.summary === null ? null : summaryPreamble(result.summary)].filter(Boolean).join('\n\n')
  return {
    plan: result.plan,
    turn: { model: model.selection.model, system: rules || null, messages, tools: [], options: asked },
  }
}

/** Weighs a message for a model. */
export const estimateMessage = (
  role: 'user' | 'assistant',
  text: string,
  attachments: readonly AttachmentRow[],
  vision: boolean | null,
): MessageEstimate => {
  let attachmentTokens = 0
  let droppedImages = 0
  for (const attachment of attachments) {
    if (attachment.kind === 'text') attachmentTokens += attachment.tokens
    else if (vision === false) droppedImages += 1
    else attachmentTokens += imageTokens
  }
  return { role, text, attachments, textTokens: estimateTokens(text), attachmentTokens, droppedImages }
}

export const estimateRow = (
  keys: Keyring,
  row: MessageRow,
  attachments: readonly AttachmentRow[],
  vision: boolean | null,
): MessageEstimate =>
  row.role === 'user'
    ? estimateMessage('user', openText(keys, row), attachments, vision)
    : { ...estimateMessage('assistant', openText(keys, row), attachments, vision), answer: row }

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
    const held = await context.store.attachments.heldByMessages(rows)
    for (const row of rows) {
      if (row.id === coversTo) return
      yield estimateRow(keys, row, held.get(row.id) ?? [], vision)
    }
    next = rows.at(-1)?.parent_id ?? null
  }
}

// An empty history is still a history.
async function* nothing(): AsyncGenerator<MessageEstimate> {}

export interface ActiveSummary {
  readonly text: string
  readonly coversTo: string
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

/** One message in words: text attachments stand before its text, images beside it. */
const sayMessage = async (
  context: ChatContext,
  keys: Keyring,
  accountId: string,
  message: MessageEstimate,
  model: Pick<UsableModel, 'vision'>,
): Promise<TurnMessage> => {
  if (message.role === 'assistant') return { role: 'assistant', text: message.text, toolCalls: [] }
  const blocks: string[] = []
  const images: TurnImage[] = []
  for (const row of message.attachments) {
    const { name } = rowToAttachment(keys, row)
    const bytes = await context.files.read(accountId, row.id)
    if (bytes === null) blocks.push(`[The attachment "${name}" is not there any more.]`)
    else if (row.kind === 'text') blocks.push(attachmentBlock(name, Buffer.from(bytes).toString('utf8')))
    else if (model.vision === false) blocks.push(`[The image "${name}" is attached, but you cannot see images.]`)
    else images.push({ mediaType: row.media_type, data: Buffer.from(bytes).toString('base64') })
  }
  return {
    role: 'user',
    text: [...blocks, message.before ?? '', message.text].filter((text) => text !== '').join('\n\n'),
    images,
  }
}

/** Adds a message; empty ones are left out, and neighbours of one role become one, because many models insist on turns. */
const push = (messages: TurnMessage[], message: TurnMessage): void => {
  const last = messages.at(-1)
  if (message.text === '' && !(message.role === 'user' && message.images.length > 0)) return
  if (last?.role === 'user' && message.role === 'user') {
    const text = [last.text, message.text].filter((part) => part !== '').join('\n\n')
    messages[messages.length - 1] = { role: 'user', text, images: [...last.images, ...message.images] }
  } else if (last?.role === 'assistant' && message.role === 'assistant') {
    messages[messages.length - 1] = { ...last, text: `${last.text}\n\n${message.text}` }
  } else messages.push(message)
}
