/**
 * What models do besides chat: embeddings, images, speech, transcriptions. What is asked and what comes back is the same
 * whatever the provider; every fault is a ProviderFailure.
 */

/** The operations by the capability that they are metered as. */
export interface Operations {
  embedding: { ask: EmbeddingAsk; answer: Embeddings }
  image: { ask: ImageAsk; answer: Images }
  tts: { ask: SpeechAsk; answer: Speech }
  stt: { ask: TranscriptionAsk; answer: Transcription }
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

export interface ImageAsk {
  readonly prompt: string
  /** 1 unless said otherwise. Several come in several calls where the provider draws one at a time. */
  readonly count?: number | undefined
  /** In the provider's own words, as are the next ones: `1024x1024`, `16:9`. */
  readonly size?: string | undefined
  readonly quality?: string | undefined
  readonly style?: string | undefined
  readonly background?: string | undefined
  readonly format?: string | undefined
}
export interface Picture {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  /** Base64, no data-URL prefix; also where the provider gave an address instead. */
  readonly data: string
  /** The prompt as the provider changed it. */
  readonly revisedPrompt: string | null
}
export interface Images {
  readonly pictures: readonly Picture[]
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
}
export interface Transcription {
  readonly text: string
  readonly language: string | null
  /** How long the sound is. */
  readonly seconds: number | null
  /** Empty unless they were asked for and the provider told them. Times in seconds. */
  readonly segments: readonly { readonly start: number; readonly end: number; readonly text: string }[]
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}
