/** Compaction: replaces the older part of a chat by a summary when a model is asked, and undoes it. */
import type { CompactionConfig } from '@atrium/contract/chat'
import type { ContextPlan } from '@atrium/contract/generation'
import { completeText, isAgent, sameWindow } from '../../../core/generation/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import type { ChatContext } from '../context.ts'
import { summaryPrompt } from '../rules.ts'
import type { NewMessageRow } from '../stores/messages.ts'
import { openContent, openSettings, plainContent, sealContent } from '../stores/rows.ts'
import type { MessageRow, SessionRow } from '../tables.ts'
import { type AnswerConfig, resolveModel } from '../generations/answer-config.ts'
import { type MessageEstimate, readHistory, readSummary } from '../generations/history.ts'

/** A part of the path that a summary would stand for. */
interface CoveredPart {
  readonly coversTo: MessageRow
  /** How the newest answer above was planned. */
  readonly lastPlan: ContextPlan | null
  /** In reading order; the newest that fit the transcript. */
  readonly messages: readonly MessageEstimate[]
}

const transcriptChars = 48_000
const minimumCoveredTokens = 500

/**
 * Finds what can be summarised above `keep` recent messages, walking up from a leaf: the cut lands before a question, so
 * that what is kept begins with one. null when nothing is left to summarise.
 */
const findCoverable = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  leafId: string,
  keep: number,
): Promise<CoveredPart | null> => {
  const summary = await readSummary(context, keys, chat)
  const recent = await context.store.messages.upwards(chat.id, leafId, keep + 50)
  // The first kept message is the nearest question at or above the wanted place.
  const first = recent.findIndex((row, index) => index >= keep - 1 && row.role === 'user')
  const coversTo = first === -1 ? undefined : recent[first + 1]
  if (!coversTo || coversTo.id === summary?.coversTo || coversTo.depth < (summary?.messages ?? 0)) return null
  const messages: MessageEstimate[] = []
  let chars = 0
  for await (const message of readHistory(context, keys, chat.id, coversTo.id, summary?.coversTo ?? null, null)) {
    chars += message.text.length
    messages.push(message)
    if (chars > transcriptChars) break
  }
  const newest = recent.find((row) => row.role === 'assistant' && row.status !== 'running')
  return { coversTo, lastPlan: newest ? openContent(keys, newest).context : null, messages: messages.reverse() }
}

/** Summarises now. Refuses with `nothing_to_compact`; a provider's failure passes. Gives the chat as it is then. */
export const compactChat = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  answerConfig: AnswerConfig,
  signal: AbortSignal,
): Promise<SessionRow> => {
  const config = await context.compaction.values()
  if (chat.active_leaf_id === null) throw fail('nothing_to_compact')
  const part = await findCoverable(context, keys, chat, chat.active_leaf_id, config.keepRecentMessages)
  if (!part) throw fail('nothing_to_compact')
  return writeSummary(
    context,
    keys,
    chat,
    part,
    await summarise(context, keys, chat, part, config, answerConfig, signal),
    answerConfig,
  )
}

/** Whether a chat may be summarised by itself. */
export const mayCompact = (keys: Keyring, chat: SessionRow, config: CompactionConfig): boolean =>
  config.enabled && openSettings(keys, chat).compaction !== false

/**
 * Summarises before a reply where the instance wants it and the chat has grown long. Whatever goes wrong, the reply
 * goes on: the plan then leaves out what does not fit, and says so.
 */
export const compactBeforeReply = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  questionId: string,
  answerConfig: AnswerConfig,
  signal: AbortSignal,
): Promise<SessionRow> => {
  const config = await context.compaction.values()
  if (!mayCompact(keys, chat, config)) return chat
  if (config.model === null && isAgent(answerConfig.model.selection)) return chat
  try {
    const summary = await readSummary(context, keys, chat)
    let tokens = 0
    let count = 0
    for await (const message of readHistory(context, keys, chat.id, questionId, summary?.coversTo ?? null, null)) {
      tokens += message.textTokens + message.attachmentTokens
      count += 1
      if (tokens > config.thresholdTokens && count > config.keepRecentMessages + 2) break
    }
    if (tokens <= config.thresholdTokens || count <= config.keepRecentMessages + 2) return chat
    const part = await findCoverable(context, keys, chat, questionId, config.keepRecentMessages)
    if (!part || part.messages.reduce((sum, m) => sum + m.textTokens, 0) < minimumCoveredTokens) return chat
    const text = await summarise(context, keys, chat, part, config, answerConfig, signal)
    return await writeSummary(context, keys, chat, part, text, answerConfig)
  } catch (error) {
    if (!signal.aborted) context.log.warn('a chat could not be summarised before a reply', { error, chatId: chat.id })
    return chat
  }
}

const summarise = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  part: CoveredPart,
  config: CompactionConfig,
  answerConfig: AnswerConfig,
  signal: AbortSignal,
): Promise<string> => {
  const model = config.model === null ? answerConfig.model : await resolveModel(context, chat.account_id, config.model)
  const previous = await readSummary(context, keys, chat)
  const transcript = part.messages
    .map((message) => `${message.role === 'user' ? 'User' : 'Assistant'}: ${message.text}`)
    .join('\n\n')
    .slice(-transcriptChars)
  const text = await completeText(
    model,
    {
      system: null,
      messages: [{ role: 'user', text: summaryPrompt(config.prompt, previous?.text ?? null, transcript), images: [] }],
      options: { ...sameWindow(model, answerConfig.options, part.lastPlan), temperature: 0.3, num_predict: 2048 },
    },
    { signal, timeoutMs: 120_000, maxChars: 20_000 },
  )
  if (text === '') throw new ProviderFailure('malformed', 'The model gave an empty summary.')
  return text
}

const writeSummary = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  part: CoveredPart,
  text: string,
  answerConfig: AnswerConfig,
): Promise<SessionRow> => {
  const id = context.clock.id()
  const row: NewMessageRow = {
    id,
    chat_id: chat.id,
    account_id: chat.account_id,
    parent_id: null,
    role: 'summary',
    status: 'complete',
    depth: part.coversTo.depth,
    content: sealContent(keys, id, plainContent(text)),
    selection: JSON.stringify(answerConfig.model.selection),
    rating: null,
    finish_reason: null,
    generation_id: null,
    active_child_id: null,
    covers_to_id: part.coversTo.id,
    digest: null,
    attachment_count: 0,
    created_at: context.clock.now(),
    edited_at: null,
    deleted_at: null,
    trash_id: null,
  }
  await context.store.write(async (trx) => {
    const covered = await context.store.messages.readIn(trx, chat.id, part.coversTo.id)
    if (!covered) throw fail('conflict')
    await context.store.messages.insertIn(trx, row)
    await context.store.sessions.updateIn(trx, chat.id, { summary_id: id })
  })
  context.announceChange(chat.account_id, chat.id)
  return { ...chat, summary_id: id }
}

/** Drops the summary in force, so that the messages it stood for are sent again; an older one then counts again. */
export const restoreMessages = async (context: ChatContext, chat: SessionRow, summaryId: string): Promise<void> => {
  if (chat.running_generation_id !== null) throw fail('generation_running')
  if (chat.summary_id !== summaryId) {
    const known = await context.store.messages.read(chat.id, summaryId)
    if (known?.role !== 'summary') throw fail('summary_not_found')
    throw fail('summary_not_found', 'Undo the later summary first.')
  }
  await context.store.write(async (trx) => {
    await context.store.messages.removeIn(trx, [summaryId])
    const summary_id = await context.store.messages.summaryOnPath(trx, chat.id, chat.active_leaf_id)
    await context.store.sessions.updateIn(trx, chat.id, { summary_id })
  })
  context.announceChange(chat.account_id, chat.id)
}
