/** Every format by its name, for each operation. A new one is a file, and a line here. */
import type { AnswerFormat, FoundImages, FoundSound, FoundVideo, SpeechFormat, TaskFormat } from '../format.ts'
import type {
  EmbeddingAsk,
  Embeddings,
  ImageAsk,
  SoundAsk,
  Transcription,
  TranscriptionAsk,
  VideoAsk,
} from '../types.ts'
import type { Config } from '../route.ts'
import { automatic1111Images } from './automatic1111-images.ts'
import { chatSound } from './chat-sound.ts'
import { comfyuiImages } from './comfyui-images.ts'
import { commonImages } from './common-images.ts'
import { elevenlabsSound, elevenlabsSpeech, elevenlabsTranscription } from './elevenlabs.ts'
import { commonEmbeddings, geminiEmbeddings, huggingfaceEmbeddings, localEmbeddings } from './embeddings.ts'
import { falImages, falSound, falVideo } from './fal.ts'
import { geminiImages } from './gemini-images.ts'
import { geminiVideo } from './gemini-video.ts'
import { huggingfaceImages } from './huggingface-images.ts'
import { openaiVideo } from './openai-video.ts'
import { openrouterImages } from './openrouter-images.ts'
import { openrouterVideo } from './openrouter-video.ts'
import { commonSpeech, geminiSpeech, huggingfaceSpeech } from './speech.ts'
import { stabilityImages } from './stability-images.ts'
import { stabilitySound } from './stability-sound.ts'
import { commonTranscription, huggingfaceTranscription, whisperTranscription } from './transcription.ts'
import { vertexVideo } from './vertex-video.ts'
import { xaiImages } from './xai-images.ts'
import { xaiVideo } from './xai-video.ts'

/**
 * `most`: how many of something one call gives; absent: as many as the definition says. `edits`: it knows where pictures
 * are drawn from others without being told by the definition. `avif`: those may be AVIF.
 */
type Made<A, R> = ({ readonly answer: AnswerFormat<A, R> } | { readonly task: TaskFormat<A, R> }) & {
  readonly most?: number
  readonly edits?: true
  readonly avif?: true
}
type Named<F> = Readonly<Record<string, F>>

const embedding = {
  common: commonEmbeddings,
  local: localEmbeddings,
  gemini: geminiEmbeddings,
  huggingface: huggingfaceEmbeddings,
} satisfies Named<AnswerFormat<EmbeddingAsk, Embeddings>>

const image = {
  common: { answer: commonImages },
  openrouter: { answer: openrouterImages, edits: true },
  xai: { answer: xaiImages, edits: true },
  gemini: { answer: geminiImages, most: 1, edits: true },
  stability: { answer: stabilityImages, most: 1, edits: true },
  huggingface: { answer: huggingfaceImages, most: 1 },
  automatic1111: { answer: automatic1111Images, edits: true },
  comfyui: { task: comfyuiImages, edits: true },
  fal: { task: falImages, avif: true },
} satisfies Named<Made<ImageAsk, FoundImages>>

const tts = {
  common: commonSpeech,
  elevenlabs: elevenlabsSpeech,
  gemini: geminiSpeech,
  huggingface: huggingfaceSpeech,
} satisfies Named<SpeechFormat>

const stt = {
  common: commonTranscription,
  elevenlabs: elevenlabsTranscription,
  'whisper-cpp': whisperTranscription,
  huggingface: huggingfaceTranscription,
} satisfies Named<AnswerFormat<TranscriptionAsk, Transcription>>

const audio = {
  common: { answer: chatSound },
  elevenlabs: { answer: elevenlabsSound },
  stability: { answer: stabilitySound },
  fal: { task: falSound },
} satisfies Named<Made<SoundAsk, FoundSound>>

const video = {
  common: openrouterVideo,
  openai: openaiVideo,
  xai: xaiVideo,
  gemini: geminiVideo,
  vertex: vertexVideo,
  fal: falVideo,
} satisfies Named<TaskFormat<VideoAsk, FoundVideo>>

export const formats = { embedding, image, tts, stt, audio, video } as const

/** What models do that there are formats for. */
export type FormattedCapability = keyof typeof formats

export type FormatName<N extends keyof typeof formats> = keyof (typeof formats)[N]

/** The names that a definition of ours may give a capability. */
export const formatNames = {
  embedding: ['common', 'gemini', 'huggingface'],
  image: Object.keys(image) as [FormatName<'image'>, ...FormatName<'image'>[]],
  tts: Object.keys(tts) as [FormatName<'tts'>, ...FormatName<'tts'>[]],
  stt: Object.keys(stt) as [FormatName<'stt'>, ...FormatName<'stt'>[]],
  audio: Object.keys(audio) as [FormatName<'audio'>, ...FormatName<'audio'>[]],
  video: Object.keys(video) as [FormatName<'video'>, ...FormatName<'video'>[]],
} as const

/** How many of something one call gives in a format; null: as many as its definition says. */
export function mostPerCall<N extends keyof typeof formats>(operation: N, name: FormatName<N>): number | null {
  const format = (formats[operation] as Named<object>)[String(name)]
  return format && 'most' in format && typeof format.most === 'number' ? format.most : null
}

/** So many pictures go with a question where nobody says how many. */
const usualSources = 4

/** From how many pictures a new one is drawn, by the definition and the format; 0: from none. */
export function mostSources(name: FormatName<'image'>, config: Config): number {
  const told = config['max_reference_images']
  const format: Made<ImageAsk, FoundImages> = image[name]
  if (config['edit_endpoint'] === undefined && !format.edits && typeof told !== 'number') return 0
  return typeof told === 'number' && told >= 0 ? Math.min(told, usualSources) : format.edits ? 1 : usualSources
}

/** Whether pictures that a new one is drawn from may be AVIF. */
export const takesAvif = (name: FormatName<'image'>): boolean => {
  const format: Made<ImageAsk, FoundImages> = image[name]
  return format.avif === true
}
