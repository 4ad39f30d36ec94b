/** What a definition says that its models take, and how much a question is about. Pure. */
import { ProviderFailure } from '../types.ts'
import { charactersIn, type Config, figureIn } from './route.ts'
import type { OperationName, Operations } from './types.ts'

/** The limit of the definition that a request violates, checked before anything is asked; null for none. */
export function violatedLimit<N extends OperationName>(
  name: N,
  config: Config,
  ask: Operations[N]['ask'],
): ProviderFailure | null {
  // What is asked, not what is answered: the status says so.
  const tooLarge = (words: string): ProviderFailure => new ProviderFailure('too_large', words, 413)
  const over = (bound: string, size: number): number | null => {
    const most = figureIn(config, bound)
    return most !== null && size > most ? most : null
  }
  if ('prompt' in ask && (name === 'image' || name === 'audio')) {
    const most = over('max_prompt_length', ask.prompt?.length ?? 0)
    return most === null ? null : tooLarge(`This model accepts prompts of at most ${most} characters.`)
  }
  if ('text' in ask) {
    const most = over('max_characters', charactersIn(ask.text))
    return most === null ? null : tooLarge(`This voice reads at most ${most} characters at a time.`)
  }
  if ('audio' in ask) {
    const most = over('max_audio_bytes', ask.audio.byteLength)
    return most === null
      ? null
      : tooLarge(`This model accepts recordings of at most ${Math.floor(most / 1_048_576)} MB.`)
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
