/** How long chats are summarised on this instance, in a row of the area's own table. */
import { CompactionConfig } from '@atrium/contract/chat'
import { declareVariables, defineSettings, setting, wholeNumber } from '../../platform/settings/index.ts'
import { chatConfigStorage } from './stores/config.ts'

const { enabled, thresholdTokens, keepRecentMessages, model, prompt } = CompactionConfig.shape

const compaction = defineSettings(
  {
    enabled: setting(enabled, { default: false }),
    thresholdTokens: setting(thresholdTokens, { default: 8000 }),
    keepRecentMessages: setting(keepRecentMessages, { default: 8 }),
    /** null: the model of the chat. */
    model: setting(model, { default: null }),
    prompt: setting(prompt, { default: '' }),
  },
  { row: 'compaction', storage: chatConfigStorage },
)

const { FULL_DOCUMENT_CONTEXT_MAX_TOKENS, TEMPORARY_CHAT_HOURS } = declareVariables({
  TEMPORARY_CHAT_HOURS: [
    wholeNumber(1, 720),
    'hours after its last question until a temporary chat and its files are deleted',
    { usual: '`24`', plain: true },
  ],
  FULL_DOCUMENT_CONTEXT_MAX_TOKENS: [
    wholeNumber(0, 10_000_000),
    'the most tokens of whole documents to send with a chat; beyond it, excerpts are sent',
    { usual: '`32000`', plain: true },
  ],
})

export const chatSettings = { compaction, FULL_DOCUMENT_CONTEXT_MAX_TOKENS, TEMPORARY_CHAT_HOURS }

export type CompactionFields = typeof compaction.fields
