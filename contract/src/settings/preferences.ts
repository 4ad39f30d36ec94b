/** What a person prefers. Everything has a default, so that an empty document is a valid one. */
import { z } from 'zod'
import { Selection } from '../common.ts'
import { GenerationOptions } from '../generation.ts'
import { languageCodes } from '../languages.ts'

export const Theme = z.strictObject({
  mode: z.enum(['system', 'light', 'dark', 'contrast']),
  accent: z.enum(['verdigris', 'indigo', 'ochre', 'rose', 'graphite']),
})

export type Theme = z.infer<typeof Theme>

export const usualTheme: Theme = { mode: 'system', accent: 'verdigris' }

const TimeZone = z.string().max(64).refine(isTimeZone, 'is no time zone such as Europe/Berlin')

const ModelGenerationOptions = z
  .record(z.string().max(500), GenerationOptions)
  .refine((models) => Object.keys(models).length <= 200, 'at most 200 models can have options of their own')

const railEntries = z.array(z.string().max(200)).max(100)
const Rail = z.strictObject({ order: railEntries, hidden: railEntries })

const MediaDefault = z.strictObject({
  providerId: z.string().max(200),
  model: z.string().max(300),
  /** By field of the request, such as `size`; what is not here is as the model has it. */
  options: z
    .record(z.string().max(60), z.string().max(200))
    .refine((options) => Object.keys(options).length <= 20, 'at most 20 options'),
})
const MediaDefaults = z.strictObject({
  image: MediaDefault.optional(),
  video: MediaDefault.optional(),
  speech: MediaDefault.optional(),
  sound: MediaDefault.optional(),
})

export const Preferences = z.strictObject({
  theme: Theme.default(usualTheme),
  language: z.enum(['system', ...languageCodes]).default('system'),
  density: z.enum(['compact', 'normal', 'roomy']).default('normal'),
  textSize: z.enum(['small', 'normal', 'large']).default('normal'),
  textWidth: z.enum(['normal', 'wide']).default('normal'),
  motion: z.enum(['system', 'reduced']).default('system'),
  /** In which times are written; `system`: that of the browser, and UTC in e-mails. */
  timeZone: TimeZone.default('system'),
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
  /** The entries of the rail by their addresses: which come first, in this order, and which are not shown. */
  rail: Rail.default({ order: [], hidden: [] }),
  /** Steps of setting up the server that an administrator does not want to see any more. */
  hiddenSetupSteps: z.array(z.string().max(60)).max(50).default([]),
  defaultModel: Selection.nullable().default(null),
  /** Writes titles of chats and suggests questions; null: the chat's own model. */
  titleModel: Selection.nullable().default(null),
  /** Reads images and scans for documents; null: the default model, where it can see. */
  visionModel: Selection.nullable().default(null),
  /** Turns speech into text; null: the first that is there. `local` for the local runtime. */
  speechModel: z
    .strictObject({ providerId: z.string().max(200), model: z.string().max(200) })
    .nullable()
    .default(null),
  /** How text is read aloud. */
  readAloud: z
    .strictObject({
      /** null: the first model that is there, else a voice of the device; `device`: always one of the device. */
      model: z.strictObject({ providerId: z.string().max(200), model: z.string().max(300) }).nullable(),
      /** null: the default of the model. */
      voice: z.string().max(200).nullable(),
      speed: z.number().min(0.5).max(2),
      /** Answers are read when they are done. */
      autoPlay: z.boolean(),
    })
    .default({ model: null, voice: null, speed: 1, autoPlay: false }),
  /** How one dictates. */
  dictation: z
    .strictObject({
      /** The language that is spoken, as BCP 47 has it; null: the model finds out. */
      language: z
        .string()
        .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
        .nullable(),
      /** The button is held while one speaks; false: pressed once to begin and once to end. */
      hold: z.boolean(),
      /** By the browser's recogniser, where it runs on the device. */
      onDevice: z.boolean(),
    })
    .default({ language: null, hold: false, onDevice: false }),
  /** What each kind of media is made with where nothing else is chosen. */
  mediaDefaults: MediaDefaults.default({}),
  /** `<providerType>:<providerId or empty>:<model>` of starred and lately used models. */
  favouriteModels: z.array(z.string().max(500)).max(200).default([]),
  recentModels: z.array(z.string().max(500)).max(10).default([]),
  systemMessage: z.string().max(20_000).default(''),
  generationOptions: GenerationOptions.default({}),
  /** By model, named as in `favouriteModels`: what is used whenever it answers, over `generationOptions`. */
  modelGenerationOptions: ModelGenerationOptions.default({}),
  /** Action name → keys such as `Mod+K`; an empty string switches the action's keys off. */
  shortcuts: z.record(z.string().max(60), z.string().max(60)).default({}),
  shortcutsEnabled: z.boolean().default(true),
})
export type Preferences = z.infer<typeof Preferences>

const shape = Preferences.shape
/** A change: top-level members are replaced, `theme`, `layout`, `chat`, `readAloud` and `dictation` are merged one level deep. */
export const PreferencesPatch = z.strictObject({
  theme: Theme.partial().optional(),
  language: shape.language.unwrap().optional(),
  density: shape.density.unwrap().optional(),
  textSize: shape.textSize.unwrap().optional(),
  textWidth: shape.textWidth.unwrap().optional(),
  motion: shape.motion.unwrap().optional(),
  timeZone: TimeZone.optional(),
  messageStyle: shape.messageStyle.unwrap().optional(),
  layout: shape.layout.unwrap().partial().optional(),
  chat: shape.chat.unwrap().partial().optional(),
  rail: Rail.optional(),
  hiddenSetupSteps: shape.hiddenSetupSteps.unwrap().optional(),
  defaultModel: Selection.nullable().optional(),
  titleModel: Selection.nullable().optional(),
  visionModel: Selection.nullable().optional(),
  speechModel: shape.speechModel.unwrap().optional(),
  readAloud: shape.readAloud.unwrap().partial().optional(),
  dictation: shape.dictation.unwrap().partial().optional(),
  mediaDefaults: MediaDefaults.optional(),
  favouriteModels: shape.favouriteModels.unwrap().optional(),
  recentModels: shape.recentModels.unwrap().optional(),
  systemMessage: shape.systemMessage.unwrap().optional(),
  generationOptions: GenerationOptions.optional(),
  modelGenerationOptions: ModelGenerationOptions.optional(),
  shortcuts: shape.shortcuts.unwrap().optional(),
  shortcutsEnabled: z.boolean().optional(),
})
export type PreferencesPatch = z.infer<typeof PreferencesPatch>

function isTimeZone(name: string): boolean {
  if (name === 'system') return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
