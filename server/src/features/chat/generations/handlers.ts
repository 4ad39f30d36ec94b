/** Handlers for answers: start, follow, stop. */
import type { chatRoutes } from '@atrium/contract/chat'
import { type ErrorCode, errors } from '@atrium/contract/errors'
import type { Run } from '../../../core/generation/index.ts'
import type { AuthorisedResource, Caller, Handlers, Socket } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { followAsReader } from '../sharing/reader-stream.ts'
import type { AskBody } from './input.ts'
import { lacksTools } from './tool-turn.ts'
import { type AskedBy, startAnswer } from './ask.ts'
import { type ChatContext, openChat } from '../context.ts'
import { rowToMessage } from '../messages/serialise.ts'
import { readAnswer, chatFrames, waitUntilEnded } from './run-kind.ts'
import { denyWaiting } from './waiting.ts'

type Routes = Pick<
  typeof chatRoutes,
  'generate' | 'generateStream' | 'startGeneration' | 'startMaking' | 'cancel' | 'decide' | 'events'
>

export const generationHandlers = (context: ChatContext): Handlers<Routes> => ({
  async generate({ params, body }, { caller }) {
    const { run } = await startAnswer(context, caller.accountId, params.sessionId, body, askedBy(caller))
    await waitUntilEnded(context, run)
    const message = await readAnswer(context, run)
    if (message.status !== 'failed' && message.status !== 'interrupted') return message
    // The partial text stays in the chat; a caller that waited for the whole answer gets the reason.
    throw fail(refusalCode(message.failure?.code), message.failure?.detail)
  },

  async generateStream({ params, body }, { caller, after, signal }) {
    const { run, questionId } = await startAnswer(context, caller.accountId, params.sessionId, body, askedBy(caller))
    return chatFrames(context, run, context.generations.follow(run, after, signal), questionId)
  },

  startGeneration: ({ params, body }, { caller }) => start(context, caller, params.sessionId, body),
  startMaking: ({ params, body }, { caller }) => start(context, caller, params.sessionId, body),

  async cancel({ params }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const run = await context.generations.latestOfSubject(params.assistantMessageId, caller.accountId)
    if (!run || run.scopeId !== params.sessionId) throw fail('generation_not_found')
    // First, so that a prompt cannot begin between the end of this answer and the pause.
    await context.store.queue.pause(params.sessionId)
    if (run.state === 'waiting') {
      await denyWaiting(context, keys, chat)
      return { outcome: 'cancelled', message: await readAnswer(context, run) }
    }
    const outcome = await context.generations.cancel(run.id, caller.accountId)
    if (outcome === null) throw fail('generation_not_found')
    if (outcome === 'already-ended') context.announceChange(caller.accountId, params.sessionId)
    return { outcome, message: await readAnswer(context, run) }
  },

  async decide({ params, body }, { caller }) {
    await openChat(context, params.sessionId, caller.accountId)
    const run = await context.generations.latestOfScope(params.sessionId, caller.accountId)
    if (run?.state !== 'running') throw fail('approval_not_found')
    const taken = await context.generations.decide(run.id, params.approvalId, body.decision)
    if (!taken) throw fail('approval_not_found')
    return {}
  },

  events: ({ query }, { resource, after, signal }) =>
    followGeneration(context, resource, query.generation, after, signal),
})

const askedBy = (caller: Caller): AskedBy => ({ withoutTools: lacksTools(caller) })

const start = async (context: ChatContext, caller: Caller, sessionId: string, body: AskBody) => {
  const asked = await startAnswer(context, caller.accountId, sessionId, body, askedBy(caller))
  const { chat, keys } = await openChat(context, sessionId, caller.accountId)
  const question =
    asked.asksAnew && asked.questionId ? await context.store.messages.read(chat.id, asked.questionId) : null
  return {
    generationId: asked.run.id,
    userMessage: question ? await rowToMessage(context, keys, chat, question) : null,
    assistantMessage: await readAnswer(context, asked.run),
    eventStream: `/api/chat/sessions/${chat.id}/events?generation=${asked.run.id}`,
  }
}

/** The same events as those of the route, as `{seq, type, data}`. */
export const generationSocket = (context: ChatContext): Socket => ({
  path: '/ws',
  audience: 'chat',
  names: { resource: 'chat', field: 'session', right: 'read' },
  async open({ resource, after, query, signal }) {
    if (!resource) throw fail('chat_not_found')
    return followGeneration(context, resource, query('generation') ?? undefined, after ?? 0, signal)
  },
})

const followGeneration = async (
  context: ChatContext,
  resource: AuthorisedResource,
  named: string | undefined,
  after: number,
  signal: AbortSignal,
) => {
  const { chat } = await openChat(context, resource.id, resource.ownerId)
  const run = await findRun(context, chat.id, resource.ownerId, named)
  if (resource.right !== 'owner') return followAsReader(context, run, after, signal)
  return chatFrames(context, run, context.generations.follow(run, after, signal))
}

/** The named run of a chat (by its own id or its message's), else its running one, else its last one. */
const findRun = async (
  context: ChatContext,
  chatId: string,
  accountId: string,
  named: string | undefined,
): Promise<Run> => {
  const { generations } = context
  const run =
    named === undefined
      ? await generations.latestOfScope(chatId, accountId)
      : ((await generations.read(named, accountId)) ?? (await generations.latestOfSubject(named, accountId)))
  if (!run || run.scopeId !== chatId) throw fail('generation_not_found')
  return run
}

const answerable = new Set<ErrorCode>([
  'provider_failed',
  'provider_unreachable',
  'provider_rejected',
  'api_key_needed',
  'over_budget',
  'context_overflow',
  'model_unavailable',
])

/** The refusal for a failed answer; codes of streams that HTTP does not have become `provider_failed`. */
const refusalCode = (code: string | undefined): ErrorCode => {
  if (code === 'interrupted') return 'unavailable'
  if (code === 'internal') return 'internal'
  return code !== undefined && code in errors && answerable.has(code as ErrorCode)
    ? (code as ErrorCode)
    : 'provider_failed'
}
