/** An answer that may call tools: they are opened, the turn is planned with their definitions, and read in rounds. */
import type { Source, ToolChoice } from '@atrium/contract/generation'
import {
  type UsableModel,
  answerInRounds,
  chooseWindow,
  estimateTokens,
  fitRounds,
  pendingCalls,
} from '../../../core/generation/index.ts'
import { selectionKey } from '../../../core/settings/index.ts'
import type { Toolkit, ToolkitRequest, UsableTools } from '../../../core/tools/index.ts'
import type { Caller } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { type Part, ProviderFailure, type ToolSpec } from '../../../providers/types.ts'
import type { ChatContext } from '../context.ts'
import type { SessionRow } from '../tables.ts'
import type { AnswerInput } from './input.ts'
import { withResourceChanges } from './resource-changes.ts'
import { type BuiltTurn, type PlanInput, buildTurn } from './turn.ts'

/** Definitions may take a quarter of a window: what was said before is worth more than what could be called. */
const partOfWindow = 4

export interface ToolTurn extends BuiltTurn {
  open(ask: UsableModel['ask'], signal: AbortSignal): AsyncIterable<readonly Part[]>
}

/** null: nothing may be called, or the definitions leave no room for the question. `sources`: what the answer may cite already. */
export const openTools = async (
  context: ChatContext,
  keys: Keyring,
  input: AnswerInput,
  sources: readonly Source[],
): Promise<ToolTurn | null> => {
  const { chat, config, question, partial, tools } = input
  if (!tools || !context.tools) return null
  const { mustCall, ...chosen } = tools
  const refusals = refusalsOf(context, config.model)
  if (refusals.areKnown && !mustCall) return null
  const window = chooseWindow(config.model, config.options)
  let holds = heldBy(sources, question?.attachments.length ?? 0)
  let cited = sources.reduce((most, { number = 0 }) => Math.max(most, number), 0)
  const [toolkit, maxRounds] = await Promise.all([
    context.tools.open({
      ...chosen,
      accountId: chat.account_id,
      chatId: chat.id,
      question: question?.said ?? '',
      holds: () => holds,
      // Of an answer that goes on, tools may have named them as well.
      foundAddresses: partial
        ? []
        : sources.flatMap(({ kind, url }) => (kind === 'web' && url !== undefined ? [url] : [])),
      contextWindow: window.tokens,
      vision: config.model.vision,
      nextSource: () => (cited += 1),
    }),
    context.tools.maxRounds(),
  ])
  if (!toolkit) return null
  const before = partial && { toolCalls: [], toolTexts: {}, ...partial.calls, text: partial.text }
  const build = (toolTokens: number) =>
    unlessTooLarge(buildTurn(context, keys, { ...input, toolTokens }, { resumes: true }))
  const act = async (built: BuiltTurn, told: Toolkit): Promise<ToolTurn> => {
    if (built.quotes) holds = { privateData: true, foreignText: true }
    const turn = partial ? built.turn : await withResourceChanges(told, built.turn)
    return {
      ...built,
      turn,
      open: (ask, signal) =>
        answerInRounds(
          {
            turn,
            toolkit: told,
            ask: askWithToolsIfTaken(config.model, ask, refusals.note),
            maxRounds,
            mustCall,
            before,
            fit: fitRounds(config.model, config.options, built.history),
          },
          signal,
        ),
    }
  }
  const toolTokens = countSpecs(toolkit.specs())
  const built = toolTokens * partOfWindow > window.tokens ? null : await build(toolTokens)
  if (built) return await act(built, toolkit)
  // Nothing more can be called; what was called before is gone on with.
  const bare = before && pendingCalls(before).length > 0 ? await build(0) : null
  return bare && (await act(bare, { ...toolkit, specs: () => [] }))
}

const countSpecs = (specs: readonly ToolSpec[]): number =>
  specs.length === 0 ? 0 : estimateTokens(JSON.stringify(specs))

/** The tokens of the definitions that a question of a chat is sent with; `ids` as they were chosen, null: all. */
export const countDefinitions = async (
  context: ChatContext,
  { account_id: accountId, id: chatId }: SessionRow,
  { model, options }: PlanInput['config'],
  ids: readonly string[] | null,
): Promise<number> => {
  if (!context.tools || refusalsOf(context, model).areKnown) return 0
  const { tokens } = chooseWindow(model, options)
  const size = countSpecs(await context.tools.describe({ accountId, chatId, ids, contextWindow: tokens }))
  return size * partOfWindow > tokens ? 0 : size
}

/** What the model reads beside results of tools: documents and files are private, and may hold untrusted text, as pages do. */
const heldBy = (sources: readonly Source[], attachments: number): ReturnType<NonNullable<ToolkitRequest['holds']>> => ({
  privateData: attachments > 0 || sources.some(({ kind }) => kind !== 'web'),
  foreignText: attachments > 0 || sources.length > 0,
})

/** Whether what a caller asks is answered without tools: they read and do more than a token for chats alone may. */
export const lacksTools = ({ token }: Pick<Caller, 'token'>): boolean =>
  token !== null && !token.scopes.includes('chat-tools:write')

/** Refuses with `token_scope` tools that are chosen with a token that may not have them used. */
export const requireToolScope = (tools: ToolChoice | undefined, withoutTools: boolean): void => {
  if (withoutTools && tools && tools.choice !== 'off')
    throw fail(
      'token_scope',
      'This API token lacks the scope `chat-tools:write`. Its owner can add it in the settings.',
    )
}

/** Refuses with `tool_unavailable` a choice that names what the account may not use; gives what was read for it. */
export const requireTools = async (
  { tools }: ChatContext,
  accountId: string,
  { ids = [], askFirst = [] }: Partial<ToolChoice> = {},
): Promise<UsableTools | undefined> => {
  const named = [ids, askFirst].filter((some) => some.length > 0)
  if (named.length === 0) return undefined
  if (!tools) throw fail('tool_unavailable')
  const usable = await tools.listUsable(accountId)
  for (const some of named) await tools.requireIds(usable, some)
  return usable
}

/** So that a model of which nobody says whether it calls tools is not asked twice for each answer. */
const refusalsOf = ({ toolRefusals }: ChatContext, { selection, tools }: Pick<UsableModel, 'selection' | 'tools'>) => {
  const key = selectionKey(selection)
  return { areKnown: tools !== true && toolRefusals.get(key) === true, note: () => toolRefusals.set(key, true) }
}

/**
 * Asks, and where a provider that never said whether its model calls tools refuses before the first word, asks without
 * them: a model that knows of none answers all the same.
 */
const askWithToolsIfTaken = (
  model: Pick<UsableModel, 'tools'>,
  ask: UsableModel['ask'],
  noteRefusal: () => void,
): UsableModel['ask'] => {
  let takesTools = model.tools === true
  return async function* (turn, signal) {
    if (takesTools || turn.tools.length === 0 || turn.toolChoice === 'required') return yield* ask(turn, signal)
    try {
      for await (const parts of ask(turn, signal)) {
        takesTools = true
        yield parts
      }
    } catch (error) {
      const refused =
        error instanceof ProviderFailure && error.kind === 'rejected' && refusalStatuses.has(error.status ?? 0)
      if (takesTools || !refused) throw error
      for await (const parts of ask({ ...turn, tools: [], formerTools: turn.tools }, signal)) {
        noteRefusal()
        yield parts
      }
    }
  }
}

const refusalStatuses = new Set([400, 404, 422])

const unlessTooLarge = async (building: Promise<BuiltTurn>): Promise<BuiltTurn | null> => {
  try {
    return await building
  } catch (error) {
    if (isRefusal(error) && error.code === 'context_overflow') return null
    throw error
  }
}
