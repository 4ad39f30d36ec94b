/** Performs one operation against one address, counted and timed; every fault leaves as a ProviderFailure. */
import type { CallUnits } from '../metering.ts'
import { ProviderFailure } from '../types.ts'
import { embedders } from './embeddings.ts'
import { generateImages } from './images.ts'
import { charactersIn, type Config, figureIn, type OperationCall } from './route.ts'
import { synthesizeSpeech } from './speech.ts'
import { transcribe } from './transcription.ts'
import type { OperationName, Operations } from './types.ts'

export { joinAnswers, splitAsk } from './portions.ts'
export type { Config } from './route.ts'
export type * from './types.ts'

/** What is told to an operation beyond what was asked. */
export interface OperationOptions {
  /** The format of embeddings: the common one, the local runtime's, or Gemini's. */
  readonly embeddings: 'common' | 'local' | 'gemini'
  /** Further fields of a request for speech, which its definition names. */
  readonly also: Readonly<Record<string, unknown>>
}

type Performers = {
  [N in OperationName]: (
    call: OperationCall,
    ask: Operations[N]['ask'],
    manner: OperationOptions,
  ) => Promise<Operations[N]['answer']>
}

const performers: Performers = {
  embedding: (call, ask, { embeddings }) =>
    counted(call, embedders[embeddings](call, ask), ({ vectors }) => ({
      kind: 'inputs',
      input: ask.input.length,
      output: vectors.length,
    })),
  image: (call, ask) =>
    counted(call, generateImages(call, ask), ({ pictures }) => ({ kind: 'images', input: 0, output: pictures.length })),
  // Its sound comes after it was answered, and ends the count.
  tts: (call, ask, { also }) => synthesizeSpeech(call, ask, also),
  stt: (call, ask) =>
    counted(call, transcribe(call, ask), () => ({ kind: 'bytes', input: ask.audio.byteLength, output: 0 })),
}

export const perform = <N extends OperationName>(
  name: N,
  call: OperationCall,
  ask: Operations[N]['ask'],
  manner: OperationOptions,
): Promise<Operations[N]['answer']> => performers[name](call, ask, manner)

interface Told {
  readonly inputTokens: number | null
  readonly outputTokens?: number | null
}

async function counted<A extends Told>({ measure }: OperationCall, work: Promise<A>, units: (answer: A) => CallUnits) {
  try {
    const answer = await work
    measure.heard([{ type: 'usage', inputTokens: answer.inputTokens, outputTokens: answer.outputTokens ?? null }])
    measure.end('success', { units: units(answer) })
    return answer
  } catch (error) {
    measure.end(error instanceof ProviderFailure && error.kind === 'aborted' ? 'cancelled' : 'error', { error })
    throw error
  }
}

/** The limit of the definition that a request violates, checked before anything is asked; null for none. */
export function violatedLimit<N extends OperationName>(
  name: N,
  config: Config,
  ask: Operations[N]['ask'],
): ProviderFailure | null {
  const tooLarge = (words: string): ProviderFailure => new ProviderFailure('too_large', words)
  const over = (bound: string, size: number): number | null => {
    const most = figureIn(config, bound)
    return most !== null && size > most ? most : null
  }
  if ('prompt' in ask && name === 'image') {
    const most = over('max_prompt_length', ask.prompt?.length ?? 0)
    return most === null ? null : tooLarge(`This model takes prompts of ${most} characters at most.`)
  }
  if ('text' in ask) {
    const most = over('max_characters', charactersIn(ask.text))
    return most === null ? null : tooLarge(`This voice reads ${most} characters at a time at most.`)
  }
  if ('audio' in ask) {
    const most = over('max_audio_bytes', ask.audio.byteLength)
    return most === null ? null : tooLarge(`This model takes recordings of ${Math.floor(most / 1_048_576)} MB at most.`)
  }
  return null
}

const about = (text: string): number => Math.ceil(text.length / 4)

/** Four characters to a token: enough to reserve by. */
export function estimate<N extends OperationName>(ask: Operations[N]['ask']): number {
  // Ids of tokens are counted already.
  if ('input' in ask)
    return ask.input.reduce((sum, one) => sum + (typeof one === 'string' ? about(one) : one.length), 0)
  return about('text' in ask ? ask.text : 'prompt' in ask ? (ask.prompt ?? '') : '')
}
