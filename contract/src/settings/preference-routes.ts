/** Preferences of an account, whole or one at a time, and the look that the instance begins with. */
import { z } from 'zod'
import { Selection } from '../common.ts'
import { GenerationOptions } from '../generation.ts'
import { routes } from '../route.ts'
import { Preferences, PreferencesPatch, Theme } from './preferences.ts'

/** A model by its members; without a provider it is one of the local runtime. */
const ModelName = {
  model: z.string().min(1).max(200),
  providerType: Selection.shape.providerType.optional(),
  providerId: Selection.shape.providerId.optional(),
}

export const preferencesRoutes = routes({
  read: {
    method: 'get',
    path: '/api/preferences',
    access: 'user',
    summary: 'Get your preferences, with defaults filled in',
    returns: Preferences,
  },
  update: {
    method: 'put',
    path: '/api/preferences',
    access: 'user',
    summary: 'Update your preferences. Omitted fields stay as they are',
    body: PreferencesPatch,
    returns: Preferences,
  },
  defaultTheme: {
    method: 'get',
    path: '/api/preferences/default-theme',
    access: 'admin',
    summary: 'Get the theme for visitors, and for accounts that chose none',
    returns: z.strictObject({ theme: Theme }),
  },
  updateDefaultTheme: {
    method: 'put',
    path: '/api/preferences/default-theme',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set the theme for visitors, and for accounts that chose none. Omitted fields stay as they are',
    body: z.strictObject({ theme: Theme.partial() }),
    returns: z.strictObject({ theme: Theme }),
  },
  updateDefaultModel: {
    method: 'put',
    path: '/api/preferences/default-model',
    access: 'user',
    summary: 'Set the model for your new chats. Without a provider, it is one of the local runtime',
    body: z.strictObject(ModelName),
    returns: Preferences,
  },
  updateSystemMessage: {
    method: 'put',
    path: '/api/preferences/system-message',
    access: 'user',
    summary: 'Set your system message; empty removes it',
    body: z.strictObject({ message: Preferences.shape.systemMessage.unwrap() }),
    returns: Preferences,
  },
  updateGenerationOptions: {
    method: 'put',
    path: '/api/preferences/generation-options',
    access: 'user',
    summary: 'Update your generation options. Omitted fields stay as they are',
    body: GenerationOptions,
    returns: Preferences,
  },
  resetGenerationOptions: {
    method: 'post',
    path: '/api/preferences/generation-options/reset',
    access: 'user',
    summary: 'Reset your generation options. Those of single models stay',
    returns: Preferences,
  },
  updateModelGenerationOptions: {
    method: 'put',
    path: '/api/preferences/model-generation-options',
    access: 'user',
    summary: 'Set your generation options for a model, used whenever it answers. None resets them',
    body: z.strictObject({ ...ModelName, options: GenerationOptions }),
    returns: Preferences,
  },
})
