/** From the input of an answer to what a model is sent: as much of the chat as fits, with attachments as text or images. */
import type { ContextPlan } from '@atrium/contract/generation'
import {
  type UsableModel,
  answerReserve,
  chooseWindow,
  estimateTokens,
  overflowMessage,
  planContext,
  toTurnMessages,
  withWindow,
} from '../../../core/generation/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { Turn, TurnImage, TurnMessage } from '../../../providers/types.ts'
import type { ChatContext } from '../context.ts'
import { attachmentBlock, continuePrompt, instructionPrompt, summaryPreamble, unseenImage } from '../rules.ts'
import { openPictureText, openQuestionWords, rowToAttachment } from '../stores/rows.ts'
import type { AnswerConfig } from './answer-config.ts'
import { isUnseen, type MessageEstimate, readHistory, readSummary, shortenAnswer } from './history.ts'
import type { AnswerInput } from './input.ts'
import { readReplays } from './replays.ts'

/** What planning looks at; the model need not be one that can be asked. */
export interface PlanInput extends Pick<AnswerInput, 'chat' | 'question' | 'partial'> {
  readonly config: Pick<AnswerConfig, 'options' | 'system'> & { readonly model: Omit<UsableModel, 'ask'> }
  /** Of the definitions of tools that are sent. */
  readonly toolTokens?: number
}

/** Plans what of a chat fits. Reads no more messages than that, give or take a page. */
export const planTurn = async (context: ChatContext, keys: Keyring, input: PlanInput) => {
  const { chat, config, question, partial, toolTokens = 0 } = input
  const { model, options, system } = config
  const summary = await readSummary(context, keys, chat)
  const window = chooseWindow(model, options)
  // The messages above the question, up to the root; the summary stands for the first of them.
  const above = question?.parentId ? { id: question.parentId, count: question.depth } : null
  const hasHistory = above !== null && above.count > (summary?.messages ?? 0)
  const result = await planContext<MessageEstimate>({
    window,
    reserveTokens: answerReserve(window.tokens, options),
    systemTokens: (system ? estimateTokens(system) : 0) + toolTokens,
    summary: summary ? { tokens: estimateTokens(summaryPreamble(summary.text)), messages: summary.messages } : null,
    needed: [question, partial].filter((message) => message !== null),
    earlier: Math.max(0, (above?.count ?? 0) - (summary?.messages ?? 0)),
    history: hasHistory
      ? readHistory(context, keys, chat.id, above.id, summary?.coversTo ?? null, model.vision)
      : emptyHistory(),
    shorten: shortenAnswer,
  })
  return { ...result, window, summary: summary?.text ?? null }
}

export interface BuiltTurn {
  readonly turn: Turn
  readonly plan: ContextPlan
  /** How many messages of the turn stand before the question. */
  readonly history: number
  /** Whether it tells of documents, files or results that came before the question, and that no call of this chat stands for. */
  readonly quotes: boolean
}

/**
 * The turn for a model. Refuses with `context_overflow` when what must be sent does not fit. `resumes`: open calls of the
 * answer that is continued are about to be made.
 */
export const buildTurn = async (
  context: ChatContext,
  keys: Keyring,
  input: AnswerInput & Pick<PlanInput, 'toolTokens'>,
  { resumes = false } = {},
): Promise<BuiltTurn> => {
  const { model, options, system } = input.config
  const result = await planTurn(context, keys, input)
  if (!result.fits) throw fail('context_overflow', overflowMessage(result.neededTokens, result.window.tokens))
  const messages: TurnMessage[] = []
  const drawn = new Set(model.vision === false ? [] : result.messages.filter(isDrawn).slice(-mostDrawnAnswers))
  /** Pictures of answers: no format takes them back in an answer, so they come with the question that follows. */
  let drawings: TurnImage[] = []
  const replays = await readReplays(context, keys, result.messages, model.selection)
  const partial = input.partial && result.messages.at(-1)
  let history = 0
  for (const estimate of result.messages) {
    if (estimate.role === 'assistant') {
      const told = { toolCalls: [], toolTexts: {}, ...estimate.calls, text: estimate.text }
      const replay = estimate.answer && replays.get(estimate.answer.id)
      const omitPending = resumes && estimate === partial
      for (const message of toTurnMessages({ ...told, replay }, { omitPending })) appendMessage(messages, message)
    } else {
      appendMessage(messages, await toQuestion(context, keys, input.chat.account_id, estimate, model, drawings))
      drawings = []
      // The last one is the question; one that it was put together with goes with it.
      history = messages.length - 1
    }
    if (drawn.has(estimate)) drawings.push(...(await readPictures(context, input.chat.account_id, estimate)))
  }
  if (input.instruction !== undefined) {
    appendMessage(messages, { role: 'user', text: instructionPrompt(input.instruction), images: [] })
  }
  const hasWords = messages.at(-1)?.role === 'assistant' && messages.at(-1)?.text !== ''
  if (input.partial && hasWords && !leavesOpen(messages) && !model.prefills)
    appendMessage(messages, { role: 'user', text: continuePrompt, images: [] })
  const rules = [system, result.summary === null ? null : summaryPreamble(result.summary)].filter(Boolean).join('\n\n')
  return {
    plan: result.plan,
    quotes:
      result.messages.some((message) => isQuoting(message, input.chat)) ||
      (result.summary !== null && (await coversQuoting(context, keys, input.chat))),
    history,
    turn: {
      model: model.selection.model,
      conversation: input.chat.id,
      system: rules || null,
      messages,
      tools: [],
      ...formerTools(messages),
      options: withWindow(model, options, result.plan, result.window),
      ...(model.draws ? { draws: true } : {}),
    },
  }
}

/**
 * Whether a summary may stand for files, passages, results of calls that were made in another chat, or for what somebody
 * else wrote, which begins with the chat.
 */
const coversQuoting = async (
  { store }: ChatContext,
  keys: Keyring,
  { id, forked_from }: Pick<AnswerInput['chat'], 'id' | 'forked_from'>,
): Promise<boolean> =>
  forked_from !== null ||
  (await store.messages.haveMaterial(id)) ||
  (await store.messages.roots(id)).some((row) => openQuestionWords(keys, row).foreignFrom !== null)

/** Calls of a chat stand in its own history of calls; of what was copied into it, nobody knows what it read. */
const isQuoting = (
  { role, attachments, quotes, calls, answer }: MessageEstimate,
  chat: Pick<AnswerInput['chat'], 'created_at'>,
): boolean =>
  (role === 'user' && attachments.length > 0) ||
  quotes === true ||
  (calls !== undefined && answer !== undefined && answer.created_at < chat.created_at)

/** Whether the last words of the model are calls whose results are about to come. */
const leavesOpen = (messages: readonly TurnMessage[]): boolean => {
  const last = messages.at(-1)
  return last?.role === 'assistant' && last.toolCalls.length > 0
}

/** The tools that earlier answers called, by name: what they took is told with each call. */
const formerTools = (messages: readonly TurnMessage[]): Pick<Turn, 'formerTools'> => {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
  if (calls.length === 0) return {}
  const names = [...new Set(calls.map(({ name }) => name))]
  return { formerTools: names.map((name) => ({ name, description: '', parameters: { type: 'object' } })) }
}

async function* emptyHistory(): AsyncGenerator<MessageEstimate> {}

/** A question as the model gets it: text attachments before its text, images beside it. */
const toQuestion = async (
  context: ChatContext,
  keys: Keyring,
  accountId: string,
  message: MessageEstimate,
  model: Pick<UsableModel, 'vision'>,
  before: readonly TurnImage[],
): Promise<TurnMessage> => {
  const blocks: string[] = []
  const images: TurnImage[] = [...before]
  for (const row of message.attachments) {
    const { name } = rowToAttachment(keys, row)
    const bytes = await context.files.read(accountId, row.id)
    if (bytes === null) blocks.push(`[The attachment "${name}" is not there any more.]`)
    else if (row.kind === 'text') blocks.push(attachmentBlock(name, Buffer.from(bytes).toString('utf8')))
    else if (isUnseen(row, model.vision)) blocks.push(unseenImage(name, openPictureText(keys, row)))
    else images.push({ mediaType: row.media_type, data: Buffer.from(bytes).toString('base64') })
  }
  return {
    role: 'user',
    text: [...blocks, message.excerpts ?? '', message.text].filter((text) => text !== '').join('\n\n'),
    images,
  }
}

/** Older pictures are left out: each is as large as a long chat. */
const mostDrawnAnswers = 3
const isDrawn = ({ role, attachments }: MessageEstimate): boolean => role === 'assistant' && attachments.length > 0

const readPictures = async (
  context: ChatContext,
  accountId: string,
  { attachments }: MessageEstimate,
): Promise<TurnImage[]> => {
  const images: TurnImage[] = []
  for (const row of attachments) {
    if (isUnseen(row, true)) continue
    const { id, media_type: mediaType } = row
    const bytes = await context.files.read(accountId, id)
    if (bytes) images.push({ mediaType, data: Buffer.from(bytes).toString('base64') })
  }
  return images
}

/** Adds a message; empty ones are left out, and neighbours of one role become one, because many models insist on turns. */
const appendMessage = (messages: TurnMessage[], message: TurnMessage): void => {
  const last = messages.at(-1)
  if (message.text === '' && !hasMore(message)) return
  if (last?.role === 'user' && message.role === 'user') {
    const text = [last.text, message.text].filter((part) => part !== '').join('\n\n')
    messages[messages.length - 1] = { role: 'user', text, images: [...last.images, ...message.images] }
  } else if (last && isPlainAnswer(last) && isPlainAnswer(message)) {
    messages[messages.length - 1] = { ...last, text: `${last.text}\n\n${message.text}` }
  } else messages.push(message)
}

const isPlainAnswer = (message: TurnMessage): message is TurnMessage & { role: 'assistant' } =>
  message.role === 'assistant' && message.toolCalls.length === 0

/** Whether it says something without words. */
const hasMore = (message: TurnMessage): boolean => {
  if (message.role === 'user') return message.images.length > 0
  return message.role === 'tool' || message.toolCalls.length > 0
}
