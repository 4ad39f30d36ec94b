/** What a person prefers, and what an administrator fixes for the instance. */
import { z } from 'zod'
import { area } from '../area.ts'
import { ReadSource, Selection } from '../common.ts'
import { GenerationOptions } from '../generation.ts'
import { languageCodes } from '../languages.ts'
import { routes } from '../route.ts'
import { settingsDescription } from './area.ts'

export const Theme = z.strictObject({
  mode: z.enum(['system', 'light', 'dark', 'contrast']),
  accent: z.enum(['verdigris', 'indigo', 'ochre', 'rose', 'graphite']),
})

/** Everything has a default, so that an empty document is a valid one. */
export const Preferences = z.strictObject({
  theme: Theme.default({ mode: 'system', accent: 'verdigris' }),
  language: z.enum(['system', ...languageCodes]).default('system'),
  density: z.enum(['compact', 'normal', 'roomy']).default('normal'),
  textSize: z.enum(['small', 'normal', 'large']).default('normal'),
  textWidth: z.enum(['normal', 'wide']).default('normal'),
  motion: z.enum(['system', 'reduced']).default('system'),
  messageStyle: z.enum(['bubbles', 'document']).default('bubbles'),
  layout: z
    .strictObject({
      sidebarWidth: z.number().int().min(220).max(420),
      sidebarOpen: z.boolean(),
      paneWidth: z.number().int().min(320).max(1600),
    })
    .default({ sidebarWidth: 272, sidebarOpen: true, paneWidth: 380 }),
  chat: z
    .strictObject({
      sendKey: z.enum(['enter', 'mod-enter']),
      follow: z.enum(['question', 'end']),
      showThinking: z.boolean(),
      generateTitles: z.boolean(),
      followUps: z.boolean(),
      pasteAsFile: z.boolean(),
      pasteThreshold: z.number().int().min(500).max(100_000),
    })
    .default({
      sendKey: 'enter',
      follow: 'question',
      showThinking: false,
      generateTitles: true,
      followUps: true,
      pasteAsFile: true,
      pasteThreshold: 2500,
    }),
  defaultModel: Selection.nullable().default(null),
  /** Reads images and scans for documents; null: the default model, where it can see. */
  visionModel: Selection.nullable().default(null),
  /** Turns speech into text; null: the first that is there. `local` for the local runtime. */
  speechModel: z
    .strictObject({ providerId: z.string().max(200), model: z.string().max(200) })
    .nullable()
    .default(null),
  /** `<providerType>:<providerId or empty>:<model>` of starred and lately used models. */
  favouriteModels: z.array(z.string().max(500)).max(200).default([]),
  recentModels: z.array(z.string().max(500)).max(10).default([]),
  systemMessage: z.string().max(20_000).default(''),
  generationOptions: GenerationOptions.default({}),
  /** Action name → keys such as `Mod+K`; an empty string switches the action's keys off. */
  shortcuts: z.record(z.string().max(60), z.string().max(60)).default({}),
  shortcutsEnabled: z.boolean().default(true),
})
export type Preferences = z.infer<typeof Preferences>

const shape = Preferences.shape
/** A change: top-level members are replaced, `theme`, `layout` and `chat` are merged one level deep. */
export const PreferencesPatch = z.strictObject({
  theme: Theme.partial().optional(),
  language: shape.language.unwrap().optional(),
  density: shape.density.unwrap().optional(),
  textSize: shape.textSize.unwrap().optional(),
  textWidth: shape.textWidth.unwrap().optional(),
  motion: shape.motion.unwrap().optional(),
  messageStyle: shape.messageStyle.unwrap().optional(),
  layout: shape.layout.unwrap().partial().optional(),
  chat: shape.chat.unwrap().partial().optional(),
  defaultModel: Selection.nullable().optional(),
  visionModel: Selection.nullable().optional(),
  speechModel: shape.speechModel.unwrap().optional(),
  favouriteModels: shape.favouriteModels.unwrap().optional(),
  recentModels: shape.recentModels.unwrap().optional(),
  systemMessage: shape.systemMessage.unwrap().optional(),
  generationOptions: GenerationOptions.optional(),
  shortcuts: shape.shortcuts.unwrap().optional(),
  shortcutsEnabled: z.boolean().optional(),
})
export type PreferencesPatch = z.infer<typeof PreferencesPatch>

const sourced = <T extends z.ZodType>(value: T) =>
  z.strictObject({
    value,
    source: ReadSource,
    variable: z.string().nullable(),
  })

/** `host:port`, with the port always written. */
export const HostAndPort = z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/, 'write it as host:port')

export const InstanceSettings = z.strictObject({
  signupEnabled: sourced(z.boolean()),
  /** Private addresses that outbound calls may reach, each exactly `host:port`. */
  privateAddresses: sourced(z.array(HostAndPort)),
  /** Who may turn speech into text: by voice, and for documents that are sound. */
  voiceInput: sourced(z.enum(['off', 'admins', 'all-users'])),
  /** Whether chats can be shared by links that need no account. */
  chatLinks: sourced(z.boolean()),
  /** Bytes of files that an account may keep; 0: as many as there is room for. */
  storageQuotaBytes: sourced(
    z
      .number()
      .int()
      .min(0)
      .max(2 ** 50),
  ),
  localRuntime: sourced(z.strictObject({ enabled: z.boolean(), baseUrl: z.url({ protocol: /^https?$/ }) })),
  /** The names of all saved settings that cannot be read, also of other areas. */
  unreadable: z.array(z.string()),
})
export type InstanceSettings = z.infer<typeof InstanceSettings>

export const settingsRoutes = routes({
  read: {
    method: 'get',
    path: '/api/preferences',
    access: 'user',
    summary: 'The own preferences, defaults filled in',
    returns: Preferences,
  },
  update: {
    method: 'put',
    path: '/api/preferences',
    access: 'user',
    summary: 'Change some of the own preferences',
    body: PreferencesPatch,
    returns: Preferences,
  },
  instance: {
    method: 'get',
    path: '/api/settings',
    access: 'admin',
    summary: 'The settings of the instance, each with its source',
    returns: InstanceSettings,
  },
  updateInstance: {
    method: 'put',
    path: '/api/settings',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Change settings of the instance',
    body: z.strictObject({
      signupEnabled: z.boolean().optional(),
      privateAddresses: z.array(HostAndPort).max(100).optional(),
      voiceInput: InstanceSettings.shape.voiceInput.shape.value.optional(),
      chatLinks: z.boolean().optional(),
      storageQuotaBytes: InstanceSettings.shape.storageQuotaBytes.shape.value.optional(),
    }),
    returns: InstanceSettings,
    errors: ['setting_locked'],
  },
})

export const settingsArea = area(settingsDescription, {
  routes: settingsRoutes,
  shapes: { InstanceSettings, Preferences, PreferencesPatch, Theme },
})
