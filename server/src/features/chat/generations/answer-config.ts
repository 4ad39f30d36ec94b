/** Which model answers in a chat, with which options and system message. Never another one than was chosen. */
import type { Selection } from '@atrium/contract/common'
import type { GenerationOptions } from '@atrium/contract/generation'
import type { Preferences } from '@atrium/contract/settings'
import { type UsableModel, excerptsModel, isExcerpts } from '../../../core/generation/index.ts'
import { selectionKey } from '../../../core/settings/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { readProjectReach } from '../project-reach.ts'
import { startSelection } from '../sessions/selection.ts'
import { openSettings, textToSelection } from '../stores/rows.ts'
import type { SessionRow } from '../tables.ts'

/** Which model answers, with which options and system message. */
export interface AnswerConfig {
  readonly model: UsableModel
  readonly options: GenerationOptions
  readonly system: string | null
}

/** The selection that counts: for this answer, else the chat's, else the one that a new chat in its place starts with. */
export const chooseSelection = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  override: Selection | undefined,
): Promise<Selection | null> =>
  override ?? textToSelection(chat.selection) ?? (await startSelection(context, keys, chat))

/** The chosen model. Refuses with `model_unavailable` and the reason. */
export const resolveModel = async (
  context: ChatContext,
  accountId: string,
  selection: Selection | null,
): Promise<UsableModel> => {
  if (selection === null) throw fail('model_unavailable', 'Choose a model for this chat first.')
  if (isExcerpts(selection)) return excerptsModel()
  const found = await context.resolveModel(accountId, selection)
  if ('unavailable' in found) throw fail('model_unavailable', found.unavailable)
  return found.model
}

/**
 * Options of the account, of the model, the chat and the request, each overriding the ones before it, and the system
 * message with the instructions of projects.
 */
export const readAnswerOptions = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  selection: Selection | null,
  options: GenerationOptions | undefined,
): Promise<Omit<AnswerConfig, 'model'>> => {
  const preferences = await context.preferences(chat.account_id)
  const settings = openSettings(keys, chat)
  const { instructions } = await readProjectReach(context, keys, chat)
  const system = [settings.systemMessage ?? preferences.systemMessage, instructions]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
  return {
    options: withoutNoLimit({ ...ownOptions(preferences, selection), ...settings.generationOptions, ...options }),
    system: system === '' ? null : system,
  }
}

/** What an account set for all models, and over it what it set for this one. */
export const ownOptions = (preferences: Preferences, selection: Selection | null): GenerationOptions => ({
  ...preferences.generationOptions,
  ...(selection && preferences.modelGenerationOptions[selectionKey(selection)]),
})

/** "No limit" takes one away that was set further out, and is said to no provider. */
const withoutNoLimit = ({ num_predict, ...options }: GenerationOptions): GenerationOptions =>
  num_predict === undefined || num_predict < 0 ? options : { ...options, num_predict }

export const resolveAnswerConfig = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  request: { readonly modelOverride?: Selection | undefined; readonly options?: GenerationOptions | undefined },
): Promise<AnswerConfig> => {
  const selection = await chooseSelection(context, keys, chat, request.modelOverride)
  const [settings, model] = await Promise.all([
    readAnswerOptions(context, keys, chat, selection, request.options),
    resolveModel(context, chat.account_id, selection),
  ])
  return { ...settings, model }
}
