/** An answer that may call tools: they are opened, the turn is planned with their definitions, and read in rounds. */
import type { Source } from '@atrium/contract/generation'
import {
  type UsableModel,
  answerInRounds,
  estimateTokens,
  fitRounds,
  usualRounds,
} from '../../../core/generation/index.ts'
import type { ToolkitRequest } from '../../../core/tools/index.ts'
import type { Caller } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { type Part, ProviderFailure } from '../../../providers/types.ts'
import type { ChatContext } from '../context.ts'
import type { AnswerInput } from './input.ts'
import { withChanges } from './told-changes.ts'
import { buildTurn } from './turn.ts'

type BuiltTurn = Awaited<ReturnType<typeof buildTurn>>

export interface ActingTurn extends BuiltTurn {
  open(ask: UsableModel['ask'], signal: AbortSignal): AsyncIterable<readonly Part[]>
}

/** null: nothing may be called, or the definitions leave no room for the question. `sources`: what the answer may cite already. */
export const openTools = async (
  context: ChatContext,
  keys: Keyring,
  input: AnswerInput,
  sources: readonly Source[],
): Promise<ActingTurn | null> => {
  const { chat, config, question, partial, tools } = input
  if (!tools || !context.tools) return null
  const { mustCall, ...chosen } = tools
  let holds = heldBy(sources, question?.attachments.length ?? 0)
  let cited = sources.reduce((most, { number = 0 }) => Math.max(most, number), 0)
  const toolkit = await context.tools.open({
    ...chosen,
    accountId: chat.account_id,
    chatId: chat.id,
    question: question?.text ?? '',
    holds: () => holds,
    // Of an answer that goes on, tools may have named them as well.
    foundAddresses: partial
      ? []
      : sources.flatMap(({ kind, url }) => (kind === 'web' && url !== undefined ? [url] : [])),
    contextWindow: config.model.contextWindow,
    vision: config.model.vision,
    nextSource: () => (cited += 1),
  })
  if (!toolkit) return null
  const before = partial && { toolCalls: [], toolTexts: {}, ...partial.calls, text: partial.text }
  const toolTokens = estimateTokens(JSON.stringify(toolkit.specs()))
  const built = await unlessTooLarge(buildTurn(context, keys, { ...input, toolTokens }, { goesOn: true }))
  if (!built) return null
  if (built.quotes) holds = { privateData: true, foreignText: true }
  const turn = partial ? built.turn : await withChanges(toolkit, built.turn)
  return {
    ...built,
    turn,
    open: (ask, signal) =>
      answerInRounds(
        {
          turn,
          toolkit,
          ask: askWithToolsIfTaken(config.model, ask),
          maxRounds: context.maxRounds ?? usualRounds,
          mustCall,
          before,
          fit: fitRounds(config.model, config.options),
        },
        signal,
      ),
  }
}

/** What the model reads beside results of tools: documents and files are private, and may hold words of others, as pages do. */
const heldBy = (sources: readonly Source[], attachments: number): ReturnType<NonNullable<ToolkitRequest['holds']>> => ({
  privateData: attachments > 0 || sources.some(({ kind }) => kind !== 'web'),
  foreignText: attachments > 0 || sources.length > 0,
})

/** Whether what a caller asks is answered without tools: they read and do more than a token for chats alone may. */
export const lacksTools = ({ token }: Pick<Caller, 'token'>): boolean =>
  token !== null && !token.scopes.includes('chat-tools:write')

/** Refuses with `tool_unavailable` ids that the account may not use. */
export const requireTools = async (context: ChatContext, accountId: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  if (!context.tools) throw fail('tool_unavailable')
  await context.tools.requireIds(accountId, ids)
}

/** Those that the account may use now, of what was chosen some time ago. */
export const keepUsable = async (
  context: ChatContext,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const usable: string[] = []
  for (const id of ids) {
    try {
      await requireTools(context, accountId, [id])
      usable.push(id)
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  return usable
}

/**
 * Asks, and where a provider that never said whether its model calls tools refuses before the first word, asks without
 * them: a model that knows of none answers all the same.
 */
const askWithToolsIfTaken = (model: Pick<UsableModel, 'tools'>, ask: UsableModel['ask']): UsableModel['ask'] => {
  let takesTools = model.tools === true
  return async function* (turn, signal) {
    if (takesTools || turn.tools.length === 0 || turn.toolChoice === 'required') return yield* ask(turn, signal)
    try {
      for await (const parts of ask(turn, signal)) {
        takesTools = true
        yield parts
      }
    } catch (error) {
      const refused = error instanceof ProviderFailure && error.kind === 'rejected' && refusals.has(error.status ?? 0)
      if (takesTools || !refused) throw error
      yield* ask({ ...turn, tools: [], formerTools: turn.tools }, signal)
    }
  }
}

const refusals = new Set([400, 404, 422])

const unlessTooLarge = async (building: Promise<BuiltTurn>): Promise<BuiltTurn | null> => {
  try {
    return await building
  } catch (error) {
    if (isRefusal(error) && error.code === 'context_overflow') return null
    throw error
  }
}
