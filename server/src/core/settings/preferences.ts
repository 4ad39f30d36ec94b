/** Preferences of accounts: read with defaults filled in, and changed in one transaction each. */
import { Selection } from '@atrium/contract/common'
import type { Preferences, PreferencesPatch, settingsRoutes } from '@atrium/contract/settings'
import type { AccountEvent } from '@atrium/contract/system'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Instance } from './instance.ts'
import { mergePreferences, readPreferences, selectionKey, setModelOptions, usedLast } from './rules.ts'
import type { SettingsStore } from './store.ts'

type Names =
  | ('read' | 'update' | 'defaultTheme' | 'updateDefaultTheme' | 'updateDefaultModel' | 'updateSystemMessage')
  | ('updateGenerationOptions' | 'resetGenerationOptions' | 'updateModelGenerationOptions')

export interface PreferencesDeps {
  readonly store: SettingsStore
  readonly instance: Pick<Instance, 'read' | 'save'>
  /** Tells the open pages of an account. */
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
  /** Tells everybody's. */
  readonly announceAll: (event: AccountEvent) => Promise<void>
}

const largestDocument = 400_000
const changedEvent: AccountEvent = { type: 'preferences-changed', data: {} }

export const createPreferences = ({ store, instance, announce, announceAll }: PreferencesDeps) => {
  const defaultTheme = async () => (await instance.read()).defaultTheme.value
  const preferencesOf = async (accountId: string): Promise<Preferences> =>
    readPreferences(await store.preferences(accountId), await defaultTheme())

  /** Lays a patch over what an account has, and tells its pages. */
  const change = async (
    accountId: string,
    patchOf: (before: Preferences) => PreferencesPatch,
  ): Promise<Preferences> => {
    const theme = await defaultTheme()
    let patch: PreferencesPatch = {}
    const stored = await store.changePreferences(accountId, (before) => {
      patch = patchOf(readPreferences(before, theme))
      const after = mergePreferences(before, patch)
      if (JSON.stringify(after).length > largestDocument) throw fail('too_large', 'These settings are too large.')
      return after
    })
    await announce(accountId, changedEvent)
    // Which model a new chat starts with is part of the list of models.
    if (patch.defaultModel !== undefined || patch.recentModels !== undefined)
      await announce(accountId, { type: 'models-changed', data: {} })
    return readPreferences(stored, theme)
  }

  const handlers: Pick<Handlers<typeof settingsRoutes>, Names> = {
    read: (_input, { caller }) => preferencesOf(caller.accountId),
    update: ({ body }, { caller }) => change(caller.accountId, () => body),
    defaultTheme: async () => ({ theme: await defaultTheme() }),
    async updateDefaultTheme({ body }) {
      const saved = await instance.save({ defaultTheme: body.theme })
      await announceAll(changedEvent)
      return { theme: saved.defaultTheme.value }
    },
    updateDefaultModel: ({ body }, { caller }) =>
      change(caller.accountId, () => ({ defaultModel: wholeSelection(body) })),
    updateSystemMessage: ({ body }, { caller }) => change(caller.accountId, () => ({ systemMessage: body.message })),
    updateGenerationOptions: ({ body }, { caller }) =>
      change(caller.accountId, ({ generationOptions }) => ({ generationOptions: { ...generationOptions, ...body } })),
    resetGenerationOptions: (_input, { caller }) => change(caller.accountId, () => ({ generationOptions: {} })),
    async updateModelGenerationOptions({ body: { options, ...model } }, { caller }) {
      const key = selectionKey(wholeSelection(model))
      return await change(caller.accountId, (before) => {
        const modelGenerationOptions = setModelOptions(before, key, options)
        if (Object.keys(modelGenerationOptions).length > 200)
          throw fail('too_large', 'At most 200 models can have their own options.')
        return { modelGenerationOptions }
      })
    },
  }

  return {
    handlers,
    preferencesOf,
    /** Puts a model first among those that an account used lately. */
    async rememberModel(accountId: string, selection: Selection): Promise<void> {
      const key = selectionKey(selection)
      if ((await preferencesOf(accountId)).recentModels[0] === key) return
      await change(accountId, ({ recentModels }) => ({ recentModels: usedLast(recentModels, key) }))
    },
  }
}

/** A bare name is that of a model of the local runtime. Refuses what is no selection. */
const wholeSelection = (named: {
  readonly model: string
  readonly providerType?: Selection['providerType'] | undefined
  readonly providerId?: string | null | undefined
}): Selection => {
  const { model, providerId = null, providerType = providerId === null ? 'local' : 'plugin' } = named
  const read = Selection.safeParse({ providerType, providerId, model })
  if (read.success) return read.data
  const message = read.error.issues[0]?.message ?? 'is not the provider of a model'
  throw fail('validation_failed', undefined, [{ path: 'body.providerId', message }])
}
