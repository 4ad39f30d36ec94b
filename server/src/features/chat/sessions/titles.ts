/** Names of chats, and questions that could come next: short answers of a model that nobody waits for. */
import type { chatRoutes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import type { ContextPlan } from '@atrium/contract/generation'
import { selectionKey } from '../../../core/settings/index.ts'
import { completeText, isAgent, isExcerpts, sameWindow } from '../../../core/generation/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { ProviderFailure, type Turn } from '../../../providers/types.ts'
import { type ChatContext, openChat } from '../context.ts'
import { cleanFollowups, cleanTitle, firstWords } from '../rules.ts'
import { openContent, sealTitle } from '../stores/rows.ts'
import type { SessionRow } from '../tables.ts'
import { chooseSelection, readAnswerOptions, resolveModel } from '../generations/answer-config.ts'

type Routes = Pick<typeof chatRoutes, 'generateTitle' | 'followups'>

export const titleHandlers = (context: ChatContext): Handlers<Routes> => ({
  async generateTitle({ params, body }, { caller, signal }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const { title, source } = await makeTitle(context, keys, chat, body.selection, signal)
    const titleSource = source === 'model' ? 'generated' : 'default'
    await context.store.sessions.update(chat, { title: sealTitle(keys, chat.id, title), title_source: titleSource })
    context.announceChange(caller.accountId, chat.id)
    return { title, source }
  },

  async followups({ params }, { caller, signal }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    return { suggestions: await suggest(context, keys, chat, signal) }
  },
})

/** Names a chat after its first answer, as its owner prefers; a name of his own is never replaced. */
export const nameAfterAnswer = async (context: ChatContext, chat: SessionRow): Promise<void> => {
  // A temporary chat is called by its first words, for as long as it is there.
  if (chat.title_source !== 'default' || chat.expires_at !== null) return
  if (!(await context.preferences(chat.account_id)).chat.generateTitles) return
  const keys = await context.vault.keyring(chat.account_id)
  const { title, source } = await makeTitle(context, keys, chat, undefined, context.closing)
  if (source === 'fallback') return
  if (await context.store.sessions.nameUnlessOwn(chat, sealTitle(keys, chat.id, title))) {
    context.announceChange(chat.account_id, chat.id)
  }
}

const makeTitle = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  selection: Selection | undefined,
  signal: AbortSignal,
): Promise<{ title: string; source: 'model' | 'fallback' }> => {
  const pair = await lastPair(context, keys, chat)
  if (!pair) return { title: 'New chat', source: 'fallback' }
  const text = `${pair.question.slice(0, 500)}\n\n${pair.answer.slice(0, 500)}`
  const answer = await askBriefly(context, keys, chat, selection, pair.plan, signal, {
    system:
      'You name conversations. Answer with a title of three to six words in the language of the conversation. ' +
      'No quotation marks, no full stop, nothing else.',
    messages: [{ role: 'user', text: `Name this conversation:\n\n${text}`, images: [] }],
    // Models that think spend tokens before the first word of the title.
    options: { temperature: 0.3, num_predict: 400 },
  })
  const title = answer === null ? null : cleanTitle(answer)
  return title === null
    ? { title: firstWords(pair.question) || 'New chat', source: 'fallback' }
    : { title, source: 'model' }
}

const suggest = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  signal: AbortSignal,
): Promise<string[]> => {
  const pair = await lastPair(context, keys, chat)
  if (!pair || pair.answer === '') return []
  const answer = await askBriefly(context, keys, chat, undefined, pair.plan, signal, {
    system:
      'You suggest what a person could ask next. Answer with up to three short questions in the language of the ' +
      'conversation, one per line, written as the person would ask them. Nothing else.',
    messages: [
      {
        role: 'user',
        text: `Question:\n${pair.question.slice(0, 1500)}\n\nAnswer:\n${pair.answer.slice(0, 1500)}`,
        images: [],
      },
    ],
    options: { temperature: 0.7, num_predict: 600 },
  })
  return answer === null ? [] : cleanFollowups(answer, pair.question)
}

/** The last question of the active path with its answer. */
const lastPair = async (context: ChatContext, keys: Keyring, chat: SessionRow) => {
  if (chat.active_leaf_id === null) return null
  const rows = await context.store.messages.upwards(chat.id, chat.active_leaf_id, 4)
  const at = rows.findIndex((row) => row.role === 'user')
  const question = rows[at]
  if (!question) return null
  const answer = rows[at - 1]
  const content = answer ? openContent(keys, answer) : null
  return { question: openContent(keys, question).text, answer: content?.text ?? '', plan: content?.context ?? null }
}

/** The answer of a model; null when there is none to ask or it fails, which is no fault here. */
const askBriefly = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  selection: Selection | undefined,
  lastPlan: ContextPlan | null,
  signal: AbortSignal,
  turn: Omit<Turn, 'model' | 'tools'>,
): Promise<string | null> => {
  try {
    const preferences = await context.preferences(chat.account_id)
    const own = await chooseSelection(context, keys, chat, undefined)
    const chosen = selection ?? preferences.titleModel ?? own
    if (chosen === null || isExcerpts(chosen) || isAgent(chosen)) return null
    const model = await resolveModel(context, chat.account_id, chosen)
    const { options } = await readAnswerOptions(context, keys, chat, chosen, undefined)
    // A runtime that sizes its window with the request keeps the size the chat has, so that it does not load the model again.
    const isOfChat = own !== null && selectionKey(own) === selectionKey(chosen)
    const size = sameWindow(model, options, isOfChat ? lastPlan : null)
    return await completeText(
      model,
      { ...turn, options: { ...turn.options, ...size } },
      { signal, timeoutMs: 60_000, maxChars: 4000 },
    )
  } catch (error) {
    if (error instanceof ProviderFailure || isRefusal(error)) return null
    throw error
  }
}
