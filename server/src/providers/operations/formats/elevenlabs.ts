/** ElevenLabs: speech with the voice in the path, sound effects and music, and transcription with the times of words. */
import { makeHarmless } from '../../harmless-text.ts'
import { ProviderFailure } from '../../types.ts'
import { asArray, asObject, asText } from '../../wires/json.ts'
import type { About, AnswerFormat, FoundSound, SpeechFormat } from '../format.ts'
import { fieldsOf } from '../form.ts'
import { omitUndefined, textIn, unreadableAnswer } from '../route.ts'
import type { SoundAsk, Transcription, TranscriptionAsk } from '../types.ts'
import { sentencesOf, secondsOf } from '../times.ts'
import { requireOriginal } from './transcription.ts'

/** What they call the formats; one with its own rate is said as it is. */
const formats: Readonly<Record<string, string>> = {
  mp3: 'mp3_44100_128',
  opus: 'opus_48000_64',
  pcm: 'pcm_24000',
  pcm16: 'pcm_24000',
  wav: 'wav_24000',
}

const outputFormat = (format: string | undefined, { config }: About): string => {
  const wanted = format ?? textIn(config, 'default_format') ?? 'mp3'
  return formats[wanted] ?? wanted
}

export const elevenlabsSpeech: SpeechFormat = {
  say(ask, about) {
    const voice = ask.voice ?? textIn(about.config, 'default_voice')
    if (voice === undefined) {
      throw new ProviderFailure('rejected', 'Choose a voice for this model.', 400, { parameter: 'voice' })
    }
    const address = new URL(about.endpoint.replace(/\{voice_id\}|%7Bvoice_id%7D/gi, encodeURIComponent(voice)))
    address.searchParams.set('output_format', outputFormat(ask.format, about))
    const set = (name: string) => (typeof about.variables[name] === 'number' ? about.variables[name] : undefined)
    const settings = omitUndefined({
      stability: set('stability'),
      similarity_boost: set('similarity_boost'),
      style: set('style'),
      speed: ask.speed ?? set('speed'),
    })
    return {
      address: address.href,
      accept: 'audio/*',
      json: omitUndefined({
        text: ask.text,
        model_id: about.model,
        voice_settings: Object.keys(settings).length > 0 ? settings : undefined,
      }),
    }
  },
}

export const elevenlabsSound: AnswerFormat<SoundAsk, FoundSound> = {
  say(ask, about) {
    const format = outputFormat(ask.format, about)
    const query = `output_format=${encodeURIComponent(format)}`
    // Music has an address, and words for its length, of its own.
    if (/^music/.test(about.model)) {
      const json = omitUndefined({ prompt: ask.prompt, music_length_ms: ask.durationMs, model_id: about.model })
      return { address: `music?${query}`, json, accept: 'audio/*' }
    }
    const duration = ask.durationMs === undefined ? undefined : ask.durationMs / 1000
    const json = omitUndefined({ text: ask.prompt, duration_seconds: duration, model_id: about.model })
    return { address: `?${query}`, json, accept: 'audio/*' }
  },
  read({ bytes, json }, ask, about) {
    if (json !== null || bytes.byteLength === 0) throw unreadableAnswer()
    const rate = /^pcm_(\d+)$/.exec(outputFormat(ask.format, about))?.[1]
    return {
      found: { bytes },
      samples: rate === undefined ? undefined : `audio/L16;rate=${rate}`,
      transcript: null,
      inputTokens: null,
      outputTokens: null,
    }
  },
}

export const elevenlabsTranscription: AnswerFormat<TranscriptionAsk, Transcription> = {
  say(ask, { model }) {
    requireOriginal(ask)
    const fields = fieldsOf({
      model_id: model,
      language_code: ask.language,
      temperature: ask.temperature,
      timestamps_granularity: ask.segments === true ? 'word' : 'none',
    })
    const file = { field: 'file', name: ask.fileName, mediaType: ask.mediaType, bytes: ask.audio }
    return { form: { fields, files: [file] } }
  },
  read({ json }, ask) {
    const answer = asObject(json)
    if (!answer || typeof answer['text'] !== 'string') throw unreadableAnswer()
    const words = asArray(answer['words']).flatMap((entry) => {
      const word = asObject(entry)
      const [start, end] = [secondsOf(word?.['start']), secondsOf(word?.['end'])]
      return start === null || end === null ? [] : [{ start, end, text: asText(word?.['text']) }]
    })
    return {
      text: makeHarmless(answer['text']),
      language: asText(answer['language_code']).slice(0, 100) || null,
      seconds: words.at(-1)?.end ?? null,
      segments: ask.segments === true ? sentencesOf(words) : [],
      inputTokens: null,
      outputTokens: null,
    }
  },
}
