/** Questions that are asked while nobody is at a page: as anybody's, with the rights that their account has now. */
import type { Message } from '@atrium/contract/chat'
import { type Run, type UnattendedAnswer, type UnattendedChats, completeText } from '../../core/generation/index.ts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import { type ChatContext, openChat } from './context.ts'
import { requireTools } from './generations/tool-turn.ts'
import { startAnswer } from './generations/ask.ts'
import { readAnswer } from './generations/run-kind.ts'
import { denyWaiting } from './generations/waiting.ts'
import { createChat } from './sessions/handlers.ts'
import { startSelection } from './sessions/selection.ts'

const tryOutMs = 120_000
const mostTryOutLetters = 20_000

export const createUnattendedChats = (context: ChatContext): UnattendedChats => {
  const { generations, store } = context
  const owns: UnattendedChats['owns'] = async (accountId, id) => (await store.sessions.read(id, accountId)) !== null

  return {
    owns,
    requireTools: async (accountId, ids) => void (await requireTools(context, accountId, { ids: [...ids] })),

    askerOf: context.askerOf,

    async ask({
      accountId,
      sessionId,
      newTitle,
      text,
      foreignFrom,
      selection,
      webSearch,
      scope,
      tools,
      mostCost,
      name,
    }) {
      if (!(await owns(accountId, sessionId))) {
        if (newTitle === null) throw fail('chat_not_found')
        const { useLibrary, collectionIds } = scope
        const settings = { useLibrary, knowledgeCollectionIds: [...collectionIds] }
        await createChat(context, accountId, {
          id: sessionId,
          title: newTitle,
          settings,
          ...(selection && { selection }),
        })
      }
      const body = {
        message: text,
        userMessageId: `${name}-q`,
        assistantMessageId: `${name}-a`,
        webSearch,
        tools: tools.length === 0 ? { choice: 'off' as const } : { choice: 'auto' as const, ids: [...tools] },
        ...(selection && { modelOverride: selection }),
      }
      const asked = await startAnswer(context, accountId, sessionId, body, {
        foreignFrom,
        mostCost,
        withoutAgents: true,
      })
      const { run, assistantMessageId } = asked
      return { messageId: assistantMessageId, generationId: run.id }
    },

    async tryOut(accountId, { selection, text }, signal) {
      const keys = await context.vault.keyring(accountId)
      const chosen = selection ?? (await startSelection(context, keys, { account_id: accountId, folder_id: null }))
      const found = chosen && (await context.resolveModel(accountId, chosen))
      if (!found || !('model' in found)) throw fail('model_unavailable', found?.unavailable)
      const messages = [{ role: 'user' as const, text, images: [] }]
      const limits = { signal, timeoutMs: tryOutMs, maxChars: mostTryOutLetters }
      return await completeText(found.model, { system: null, messages, options: {} }, limits)
    },

    async outcome(accountId, messageId) {
      const run = await generations.latestOfSubject(messageId, accountId)
      const message = run && (await readAnswerIfThere(context, run))
      if (!message) return null
      const state = await stateOf(context, run, message)
      const mayHaveActed = state === 'failed' || state === 'interrupted'
      return {
        generationId: run.id,
        state,
        failure: state === 'failed' ? (message.failure?.code ?? null) : null,
        hadEffect: mayHaveActed && ((await context.tools?.hadEffect(accountId, messageId)) ?? false),
        usage: state === 'running' || state === 'waiting' ? null : message.usage,
      }
    },

    async answerOf(accountId, messageId) {
      const run = await generations.latestOfSubject(messageId, accountId)
      const message = run && (await readAnswerIfThere(context, run))
      return message && message.content
    },

    waitUntilEnded: generations.waitUntilEnded,

    async stop(accountId, messageId) {
      const run = await generations.latestOfSubject(messageId, accountId)
      if (run?.state === 'running') await generations.cancel(run.id, accountId)
      if (run?.state !== 'waiting' || !(await owns(accountId, run.scopeId))) return
      const { chat, keys } = await openChat(context, run.scopeId, accountId)
      await denyWaiting(context, keys, chat, ({ id }) => id === messageId)
    },
  }
}

/** An answer that waits is left by its message: its run ended when it began to wait. */
const stateOf = async (
  { store }: ChatContext,
  run: Run,
  { status }: Pick<Message, 'status'>,
): Promise<UnattendedAnswer['state']> => {
  if (run.state === 'waiting') return status === 'cancelled' || status === 'failed' ? status : 'waiting'
  if (run.state !== 'running') return run.state
  const chat = await store.sessions.read(run.scopeId, run.accountId)
  return chat && chat.needs_answer !== 0 ? 'waiting' : 'running'
}

/** null: it was deleted. */
const readAnswerIfThere = (context: ChatContext, run: Run) =>
  readAnswer(context, run).catch((error: unknown) => {
    if (isRefusal(error)) return null
    throw error
  })
