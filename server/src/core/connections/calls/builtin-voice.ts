/**
 * The built-in voice as a speech model that every account has: `builtin`/`voice`. Nothing of it leaves this server, so
 * nothing is counted, and no budget is asked.
 */
import { mostSpokenChars, speakEnglish, voiceNames } from '../../../platform/voice/index.ts'
import { samplesOf } from '../../../platform/voice/wav.ts'
import { WorkFailure } from '../../../platform/work/failure.ts'
import { stoppedFailure } from '../../../providers/faults.ts'
import { type Speech, type SpeechAsk, violatedLimit } from '../../../providers/operations/index.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { builtinName } from '../catalogue/model-list.ts'
import type { CapabilityModel } from './capability-offers.ts'

const defaultVoice = voiceNames[0]
const formats = ['wav', 'pcm'] as const

export const builtinVoice: CapabilityModel = {
  providerId: 'builtin',
  providerName: builtinName,
  model: 'voice',
  config: {
    voices: voiceNames,
    default_voice: defaultVoice,
    formats,
    default_format: 'wav',
    max_characters: mostSpokenChars,
    languages: ['en'],
  },
}

/** Throws ProviderFailure. */
export const speakBuiltin = async (ask: SpeechAsk, signal: AbortSignal): Promise<Speech> => {
  const tooLong = violatedLimit('tts', builtinVoice.config, ask)
  if (tooLong) throw tooLong
  const voice = voiceNames.find((name) => name === (ask.voice ?? defaultVoice))
  if (!voice) throw refused(`The built-in voice has these voices: ${voiceNames.join(', ')}.`, 'voice')
  const format = formats.find((name) => name === (ask.format ?? 'wav'))
  if (!format) throw refused('The built-in voice answers in wav or pcm.', 'response_format')
  const wav = await speakEnglish(ask.text, { voice, speed: ask.speed, signal }).catch((error: unknown) => {
    throw toProviderFailure(error)
  })
  if (!wav) throw refused('The built-in voice speaks English only. Choose another voice for this text.', 'input')
  const sound = format === 'wav' ? wav : samplesOf(wav)
  return { mediaType: `audio/${format}`, format, body: inPieces(sound) }
}

const refused = (words: string, parameter: string): ProviderFailure =>
  new ProviderFailure('rejected', words, 400, { parameter })

const toProviderFailure = (error: unknown): unknown => {
  if (!(error instanceof WorkFailure)) return error
  if (error.kind === 'aborted') return stoppedFailure()
  return error.kind === 'timeout'
    ? new ProviderFailure('timeout', 'The built-in voice took too long.')
    : new ProviderFailure('malformed', 'The built-in voice could not say this.')
}

const pieceBytes = 64 * 1024

async function* inPieces(sound: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < sound.length; at += pieceBytes) yield sound.subarray(at, at + pieceBytes)
}
