/** Handlers for the context window: its gauge, its policy, and summaries on request. */
import type { chatRoutes } from '@atrium/contract/chat'
import {
  type UsableModel,
  defaultWindowTokens,
  failureOf,
  isAgent,
  isExcerpts,
} from '../../../core/generation/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { valuesOf } from '../../../platform/settings/index.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { compactChat, restoreMessages } from './compaction.ts'
import { type ChatContext, openChat } from '../context.ts'
import { readChat } from '../messages/serialise.ts'
import { fullDocumentTokens } from '../generations/retrieval.ts'
import { temporaryChatHours } from '../sessions/temporary.ts'
import type { SessionRow } from '../tables.ts'
import { countDefinitions } from '../generations/tool-turn.ts'
import { mayCall } from '../generations/input.ts'
import { planTurn } from '../generations/turn.ts'
import { openSettings } from '../stores/rows.ts'
import { chooseSelection, resolveAnswerConfig, readAnswerOptions, resolveModel } from '../generations/answer-config.ts'

type Routes = Pick<
  typeof chatRoutes,
  'context' | 'compact' | 'restore' | 'contextPolicy' | 'compactionConfig' | 'updateCompactionConfig'
>

export const contextHandlers = (context: ChatContext): Handlers<Routes> => ({
  async context({ params, query }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const leaf = chat.active_leaf_id ? await context.store.messages.read(chat.id, chat.active_leaf_id) : null
    const draft = {
      id: '',
      parentId: leaf?.id ?? null,
      depth: leaf ? leaf.depth + 1 : 0,
      role: 'user' as const,
      text: '',
      attachments: [],
      textTokens: query.draftTokens,
      attachmentTokens: 0,
      droppedImages: 0,
      retrieval: null,
      said: '',
    }
    const model = await modelForGauge(context, keys, chat)
    const config = { ...(await readAnswerOptions(context, keys, chat, model.selection, undefined)), model }
    const tools = openSettings(keys, chat).tools ?? { choice: 'auto' as const }
    const toolTokens = mayCall(chat, model, tools)
      ? await countDefinitions(context, chat, config, tools.ids ?? null)
      : 0
    return (await planTurn(context, keys, { chat, config, question: draft, partial: null, toolTokens })).plan
  },

  async compact({ params }, { caller, signal }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    if (chat.running_generation_id !== null) throw fail('generation_running')
    const config = await resolveAnswerConfig(context, keys, chat, {})
    const { selection } = config.model
    if ((isExcerpts(selection) || isAgent(selection)) && (await context.compaction.values()).model === null) {
      throw fail('model_unavailable', 'Excerpts and agents can’t summarise. Choose another model first.')
    }
    return readChat(context, keys, await translateFailure(compactChat(context, keys, chat, config, signal)))
  },

  async restore({ params }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    await restoreMessages(context, chat, params.messageId)
    return readChat(context, keys, (await openChat(context, chat.id, caller.accountId)).chat)
  },

  async contextPolicy() {
    const config = await context.compaction.values()
    return {
      policy: 'fit-window',
      defaultWindowTokens,
      compaction: config.enabled,
      thresholdTokens: config.thresholdTokens,
      keepRecentMessages: config.keepRecentMessages,
      fullDocumentTokens: fullDocumentTokens(context),
      temporaryChatHours: temporaryChatHours(context),
    }
  },

  compactionConfig: () => context.compaction.values(),
  updateCompactionConfig: async ({ body }) => valuesOf(await context.compaction.change(body)),
})

/** The gauge works without a model too: then the default window counts. */
const modelForGauge = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
): Promise<Omit<UsableModel, 'ask'>> => {
  const selection = await chooseSelection(context, keys, chat, undefined)
  try {
    return await resolveModel(context, chat.account_id, selection)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return {
      selection: selection ?? { providerType: 'local', providerId: null, model: '?' },
      name: '',
      contextWindow: null,
      vision: null,
      prefills: false,
      sizesWindow: false,
      tools: false,
    }
  }
}

const reportableCodes = [
  'provider_failed',
  'provider_unreachable',
  'provider_rejected',
  'api_key_needed',
  'over_budget',
] as const

/** A provider's failure as a refusal in our words. */
const translateFailure = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const { code, detail } = failureOf(error)
    const known = reportableCodes.find((word) => word === code)
    throw fail(known ?? 'provider_failed', detail)
  }
}
