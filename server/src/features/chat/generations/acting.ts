/** An answer that may call tools: they are opened, the turn is planned with their definitions, and read in rounds. */
import type { Source } from '@atrium/contract/generation'
import {
  type UsableModel,
  answerInRounds,
  estimateTokens,
  fitRounds,
  usualRounds,
} from '../../../core/generation/index.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { Part } from '../../../providers/types.ts'
import type { ChatContext } from '../context.ts'
import type { AnswerInput } from './input.ts'
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
  let cited = sources.reduce((most, { number = 0 }) => Math.max(most, number), 0)
  const toolkit = await context.tools.open({
    ...chosen,
    accountId: chat.account_id,
    chatId: chat.id,
    question: question?.text ?? '',
    contextWindow: config.model.contextWindow,
    vision: config.model.vision,
    nextSource: () => (cited += 1),
  })
  if (!toolkit) return null
  const before = partial && { toolCalls: [], toolTexts: {}, ...partial.calls, text: partial.text }
  const toolTokens = estimateTokens(JSON.stringify(toolkit.specs()))
  const built = await unlessTooLarge(buildTurn(context, keys, { ...input, toolTokens }, { goesOn: true }))
  return (
    built && {
      ...built,
      open: (ask, signal) =>
        answerInRounds(
          {
            turn: built.turn,
            toolkit,
            ask,
            maxRounds: usualRounds,
            mustCall,
            before,
            fit: fitRounds(config.model, config.options),
          },
          signal,
        ),
    }
  )
}

const unlessTooLarge = async (building: Promise<BuiltTurn>): Promise<BuiltTurn | null> => {
  try {
    return await building
  } catch (error) {
    if (isRefusal(error) && error.code === 'context_overflow') return null
    throw error
  }
}
