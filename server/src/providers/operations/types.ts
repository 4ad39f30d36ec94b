/**
 * What models do besides chat: embeddings, images, speech, transcriptions, sound. What is asked and what comes back is
 * the same whatever the provider; every fault is a ProviderFailure.
 */

import type { ProviderFailure } from '../types.ts'
import type { PictureType, SoundType } from './media-type.ts'

/** The operations by the capability that they are metered as. */
export interface Operations {
  embedding: { ask: EmbeddingAsk; answer: Embeddings }
  image: { ask: ImageAsk; answer: Images }
  tts: { ask: SpeechAsk; answer: Speech }
  stt: { ask: TranscriptionAsk; answer: Transcription }
  audio: { ask: SoundAsk; answer: Sound }
}
export type OperationName = keyof Operations

export type EmbeddingInput = string | readonly number[]

export interface EmbeddingAsk {
  /** 1 to 2048 texts; or texts as the ids of their tokens, which only the common format takes. */
  readonly input: readonly EmbeddingInput[]
  /** The length of a vector, for models that can be cut down. */
  readonly dimensions?: number | undefined
}
export interface Embeddings {
  /** One for every text, in its order. */
  readonly vectors: readonly (readonly number[])[]
  /** null: the provider does not say. */
  readonly inputTokens: number | null
}

/** A picture that goes with a question. */
export interface SourcePicture {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly name: string
}

export interface ImageAsk {
  readonly prompt: string
  /** Pictures to work from, which makes it an edit. */
  readonly sources?: readonly SourcePicture[] | undefined
  /** A PNG of the first source's size; what is transparent in it is drawn anew. */
  readonly mask?: SourcePicture | undefined
  /** 1 unless said otherwise. Several come in several calls where the provider draws one at a time. */
  readonly count?: number | undefined
  /** In the provider's own words, as are the next ones: `1024x1024`, `16:9`. */
  readonly size?: string | undefined
  readonly quality?: string | undefined
  readonly style?: string | undefined
  readonly background?: string | undefined
  readonly format?: string | undefined
  readonly seed?: number | undefined
}
export interface Picture {
  /** By its own bytes. */
  readonly mediaType: PictureType
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  /** The prompt as the provider changed it. */
  readonly revisedPrompt: string | null
}
export interface MissingPictures {
  readonly count: number
  readonly failure: ProviderFailure
}
export interface Images {
  /** One at least. */
  readonly pictures: readonly Picture[]
  /** Why there are fewer than were asked for; null where there are not. */
  readonly missing: MissingPictures | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

export interface SpeechAsk {
  readonly text: string
  /** Absent: the default of the connection. */
  readonly voice?: string | undefined
  /** `mp3`, `opus`, `aac`, `flac`, `wav`, `pcm`. Absent: the default of the connection. */
  readonly format?: string | undefined
  /** 0.25 to 4. */
  readonly speed?: number | undefined
  readonly instructions?: string | undefined
}
export interface Speech {
  readonly mediaType: string
  readonly format: string
  /** The sound as it comes; throws ProviderFailure in the middle. Read it to its end, or leave the loop: both end the call. */
  readonly body: AsyncIterableIterator<Uint8Array>
}

export interface TranscriptionAsk {
  readonly audio: Uint8Array
  readonly fileName: string
  readonly mediaType: string
  /** Two letters. */
  readonly language?: string | undefined
  readonly prompt?: string | undefined
  readonly temperature?: number | undefined
  /** Asks for times as well, unless the connection says that it has none. */
  readonly segments?: boolean | undefined
  /** Wants it in English, whatever is spoken. */
  readonly translate?: boolean | undefined
  /** Wants to hear its words as they are found, where the provider tells them so. */
  readonly stream?: boolean | undefined
  /** Takes what was heard before a later piece of a long recording failed, rather than nothing. */
  readonly partial?: boolean | undefined
}
/** What of a recording was not heard, in seconds. */
export interface MissingSpeech {
  readonly start: number
  readonly end: number
  readonly failure: ProviderFailure
}
export interface Transcription {
  readonly text: string
  readonly language: string | null
  /** How long the sound is. */
  readonly seconds: number | null
  /** Empty unless they were asked for and the provider told them. Times in seconds. */
  readonly segments: readonly { readonly start: number; readonly end: number; readonly text: string }[]
  /** Only where `partial` was asked for. */
  readonly missing?: MissingSpeech | undefined
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

export interface SoundAsk {
  readonly prompt: string
  readonly durationMs?: number | undefined
  readonly voice?: string | undefined
  /** `wav`, `mp3`, `flac`, `opus`, `pcm16`. Absent: the default of the connection. */
  readonly format?: string | undefined
}
export interface Sound {
  /** By its own bytes; bare samples come as WAV. */
  readonly mediaType: SoundType
  readonly bytes: Uint8Array
  /** What is said in it, where the provider tells. */
  readonly transcript: string | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** What is heard of a call while it runs. */
export interface CallNews {
  /** From 0 to 1. */
  readonly progress?: number | undefined
  /** A picture as far as it is. */
  readonly partial?: Pick<Picture, 'bytes' | 'mediaType'> | undefined
  /** What was heard in a recording since the last time. */
  readonly text?: string | undefined
}

export interface VideoAsk {
  readonly prompt: string
  /** Whole ones. */
  readonly seconds?: number | undefined
  readonly resolution?: string | undefined
  readonly aspectRatio?: string | undefined
  readonly generateAudio?: boolean | undefined
  readonly firstFrame?: SourcePicture | undefined
  readonly lastFrame?: SourcePicture | undefined
  readonly seed?: number | undefined
  /** The same for the same wish, where the provider keeps count of them. */
  readonly key?: string | undefined
}
