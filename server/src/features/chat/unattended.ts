/** Questions that are asked while nobody is at a page: as anybody's, with the rights that their account has now. */
import type { Run, UnattendedChats } from '../../core/generation/index.ts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import type { ChatContext } from './context.ts'
import { startAnswer } from './generations/ask.ts'
import { readAnswer } from './generations/run-kind.ts'
import { createChat } from './sessions/handlers.ts'

export const createUnattendedChats = (context: ChatContext): UnattendedChats => {
  const { generations, store } = context
  const owns: UnattendedChats['owns'] = async (accountId, id) => (await store.sessions.read(id, accountId)) !== null

  return {
    owns,

    async ask({ accountId, sessionId, newTitle, text, selection, webSearch, name }) {
      if (!(await owns(accountId, sessionId))) {
        if (newTitle === null) throw fail('chat_not_found')
        await createChat(context, accountId, { id: sessionId, title: newTitle, ...(selection && { selection }) })
      }
      const body = {
        message: text,
        userMessageId: `${name}-q`,
        assistantMessageId: `${name}-a`,
        webSearch,
        ...(selection && { modelOverride: selection }),
      }
      const { run, assistantMessageId } = await startAnswer(context, accountId, sessionId, body, { unattended: true })
      return { messageId: assistantMessageId, generationId: run.id }
    },

    async outcome(accountId, generationId) {
      const run = await generations.read(generationId, accountId)
      if (!run) return null
      if (run.state !== 'failed') return { state: run.state, failure: null }
      const message = await readAnswerIfThere(context, run)
      return message && { state: run.state, failure: message.failure?.code ?? null }
    },

    async answerOf(accountId, generationId) {
      const run = await generations.read(generationId, accountId)
      const message = run && (await readAnswerIfThere(context, run))
      return message && message.content
    },

    waitUntilEnded: generations.waitUntilEnded,

    async stop(accountId, generationId) {
      await generations.cancel(generationId, accountId)
    },
  }
}

/** null: it was deleted. */
const readAnswerIfThere = (context: ChatContext, run: Run) =>
  readAnswer(context, run).catch((error: unknown) => {
    if (isRefusal(error)) return null
    throw error
  })
