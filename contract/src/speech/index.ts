/** Text read aloud, recordings turned into text, and who may use either. */
import { z } from 'zod'
import { area } from '../area.ts'
import { BuiltInState } from '../built-in.ts'
import { AccessMode, ReadSource } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { speechDescription } from './area.ts'

/** A model for speech, and what its provider says of it: voices, formats, bounds. */
export const SpeechModel = z.strictObject({
  model: z.string(),
  pluginId: z.string(),
  pluginName: z.string(),
  config: z.record(z.string(), z.unknown()),
})
export type SpeechModel = z.infer<typeof SpeechModel>

/** A connection that has models for speech. */
export const SpeechPlugin = z.strictObject({
  id: z.string(),
  name: z.string(),
  models: z.array(z.string()),
  config: z.record(z.string(), z.unknown()),
})

export const SpeechFormat = z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'])
export type SpeechFormat = z.infer<typeof SpeechFormat>

export const Voices = z.strictObject({
  voices: z.array(z.string()),
  defaultVoice: z.string().nullable(),
  formats: z.array(z.string()),
  defaultFormat: z.string().nullable(),
  /** How much text it reads at once; null: nobody says. */
  maxCharacters: z.number().int().nullable(),
})
export type Voices = z.infer<typeof Voices>

const SpeechRequest = z.strictObject({
  model: z.string().min(1).max(300),
  /** Needed where several connections have a model of this name. */
  pluginId: z.string().min(1).max(200).optional(),
  input: z.string().trim().min(1).max(100_000),
  voice: z.string().max(200).optional(),
  responseFormat: SpeechFormat.optional(),
  speed: z.number().min(0.25).max(4).optional(),
})
export type SpeechRequest = z.infer<typeof SpeechRequest>

/** The largest recording that is turned into text, in bytes. A long one in WAV is cut at pauses. */
export const maxRecordingBytes = 25 * 1024 * 1024

/** The fields of the form beside its file `audio`. */
export const TranscriptionRequest = z.strictObject({
  model: z.string().min(1).max(300),
  pluginId: z.string().min(1).max(200).optional(),
  /** The language that is spoken, as BCP 47 has it. */
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'write it as a language tag, such as en or de-AT')
    .optional(),
  /** Names and words that occur in it. */
  prompt: z.string().max(1000).optional(),
  /** Subtitles beside the text; refused where the model tells no times. */
  subtitles: z.enum(['srt', 'vtt']).optional(),
  /** Where a later part of a long recording fails, answer with what came before it rather than refuse. */
  partial: z.enum(['true', 'false']).optional(),
})
export type TranscriptionRequest = z.infer<typeof TranscriptionRequest>

export const SpokenText = z.strictObject({
  text: z.string(),
  language: z.string().nullable(),
  /** Of the recording, in seconds. */
  duration: z.number().nullable(),
  /** Times in seconds; empty where the model tells none. */
  segments: z.array(z.strictObject({ start: z.number(), end: z.number(), text: z.string() })),
  subtitles: z.string().nullable(),
  /** What of it was not heard, in seconds, and why; only where `partial` was asked for. */
  missing: z.strictObject({ start: z.number(), end: z.number(), detail: z.string() }).nullable(),
})
export type SpokenText = z.infer<typeof SpokenText>

export const VoiceFeature = z.enum(['stt', 'tts', 'voice-mode'])
export type VoiceFeature = z.infer<typeof VoiceFeature>

const Access = z.strictObject({
  mode: AccessMode,
  source: ReadSource,
  lockedByEnv: z.boolean(),
})
export const VoiceAccess = z.strictObject({ stt: Access, tts: Access, 'voice-mode': Access })
export type VoiceAccess = z.infer<typeof VoiceAccess>

const asking = [
  'voice_not_allowed',
  'model_not_found',
  'model_unavailable',
  'over_budget',
  'api_key_needed',
  'provider_failed',
  'provider_unreachable',
  'provider_rejected',
] as const

export const speechRoutes = routes({
  own: {
    method: 'get',
    path: '/api/voice-access/own',
    access: 'user',
    summary: 'Get whether you can turn speech into text, have text read aloud, and talk with a chat',
    /** `voice-mode` takes the other two, too. */
    returns: z.strictObject({ stt: z.boolean(), tts: z.boolean(), 'voice-mode': z.boolean() }),
  },
  access: {
    method: 'get',
    path: '/api/voice-access',
    access: 'admin',
    summary: 'Get who can use each speech feature',
    returns: VoiceAccess,
  },
  updateAccess: {
    method: 'put',
    path: '/api/voice-access/{feature}',
    access: 'admin',
    names: 'instance',
    audit: 'setting.change',
    summary: 'Set who can use a speech feature',
    /** `stt`, `tts` or `voice-mode`. */
    params: z.strictObject({ feature: z.string().min(1).max(50) }),
    body: z.strictObject({ mode: AccessMode }),
    returns: VoiceAccess,
    errors: ['setting_locked', 'voice_feature_not_found'],
  },
  speechModels: {
    method: 'get',
    path: '/api/tts/models',
    access: 'user',
    summary: 'List the text-to-speech models that you can use',
    returns: z.array(SpeechModel),
  },
  speechPlugins: {
    method: 'get',
    path: '/api/tts/plugins',
    access: 'user',
    summary: 'List the text-to-speech connections that you can use',
    returns: z.array(SpeechPlugin),
  },
  voices: {
    method: 'get',
    path: '/api/tts/voices/{pluginId}',
    access: 'user',
    names: 'instance',
    summary: 'Get the voices and formats of a connection',
    params: z.strictObject({ pluginId: z.string().min(1).max(200) }),
    returns: Voices,
    errors: ['model_not_found'],
  },
  generate: {
    method: 'post',
    path: '/api/tts/generate',
    access: 'user',
    limit: 'speech',
    noStore: true,
    summary: 'Read text aloud. The audio is streamed and plays before it is complete',
    body: SpeechRequest,
    returns: bytes,
    errors: asking,
  },
  generateBase64: {
    method: 'post',
    path: '/api/tts/generate-base64',
    access: 'user',
    limit: 'speech',
    noStore: true,
    summary: 'Read text aloud. Returns the complete audio in base64',
    body: SpeechRequest,
    returns: z.strictObject({
      audio: z.string(),
      format: z.string(),
      mimeType: z.string(),
      size: z.number().int(),
    }),
    errors: asking,
  },
  voiceState: {
    method: 'get',
    path: '/api/tts/built-in-voice',
    access: 'admin',
    summary: 'Get whether the built-in voice is running, and how much memory it can use',
    returns: BuiltInState,
  },
  transcriptionModels: {
    method: 'get',
    path: '/api/stt/models',
    access: 'user',
    summary: 'List the speech-to-text models that you can use',
    returns: z.array(SpeechModel),
  },
  transcribe: {
    method: 'post',
    path: '/api/stt/transcribe',
    access: 'user',
    limit: 'transcribe',
    noStore: true,
    summary:
      'Transcribe a recording to text with timestamps and subtitles. It is not stored; long WAV files are split at pauses',
    upload: { maxBytes: maxRecordingBytes + 64 * 1024, form: TranscriptionRequest },
    returns: SpokenText,
    errors: [...asking, 'sound_unsupported', 'too_large', 'unsupported_media_type'],
  },
})

export const speechArea = area(speechDescription, {
  routes: speechRoutes,
  shapes: { SpeechModel, SpeechPlugin, SpokenText, VoiceAccess, Voices },
})
