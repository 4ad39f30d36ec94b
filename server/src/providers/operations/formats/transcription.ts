/** Speech written down in the common way, with the bare sound as the body, by whisper.cpp and by Hugging Face. */
import { errorInStream } from '../../faults.ts'
import { makeHarmless } from '../../harmless-text.ts'
import { ProviderFailure } from '../../types.ts'
import { asArray, asObject, asText, asTokens, type Json, parseFrame } from '../../wires/json.ts'
import type { AnswerFormat, FrameReader, Reply } from '../format.ts'
import { type Field, fieldsOf } from '../form.ts'
import { type Config, textIn, unreadableAnswer } from '../route.ts'
import { maxSegments, secondsOf } from '../times.ts'
import type { Transcription, TranscriptionAsk } from '../types.ts'

type TranscriptionFormat = AnswerFormat<TranscriptionAsk, Transcription>

const longestWord = 100

const fileOf = (ask: TranscriptionAsk) => ({
  field: 'file',
  name: ask.fileName,
  mediaType: ask.mediaType,
  bytes: ask.audio,
})
const bareSound = (ask: TranscriptionAsk) => ({ mediaType: ask.mediaType, bytes: ask.audio })

/** `/audio/transcriptions`; with `request_mode: raw` the sound itself, and the rest in the address. */
export const commonTranscription: TranscriptionFormat = {
  say(ask, { endpoint, model, config }) {
    if (config['request_mode'] === 'raw') {
      requireOriginal(ask)
      const address = new URL(endpoint)
      if (!address.searchParams.has('model')) address.searchParams.set('model', model)
      if (ask.language) address.searchParams.set('language', ask.language)
      return { address: address.href, bytes: bareSound(ask) }
    }
    // Asked for wherever the definition does not say that there are none: a provider refuses it in its own words.
    const timed = ask.segments === true && config['supports_timestamps'] !== false
    const { language, prompt, temperature } = ask
    const times: Field[] = timed ? [['timestamp_granularities[]', 'segment']] : []
    const response_format = timed ? 'verbose_json' : 'json'
    // Who tells times tells them at the end.
    const stream = ask.stream === true && !timed && config['supports_streaming'] === true ? true : undefined
    const fields = [
      ...fieldsOf({ model, response_format, stream }),
      ...times,
      ...fieldsOf({ language, prompt, temperature }),
    ]
    const address = ask.translate === true ? translationAddress(endpoint, config) : undefined
    return { address, accept: stream && 'text/event-stream', form: { fields, files: [fileOf(ask)] } }
  },
  read: (reply) => readTranscription(reply),
  reader: () => readDeltas(),
}

/** `/inference` of whisper.cpp: the model is the server's. */
export const whisperTranscription: TranscriptionFormat = {
  say: (ask) => ({
    form: {
      fields: fieldsOf({
        response_format: ask.segments === true ? 'verbose_json' : 'json',
        language: ask.language ?? 'auto',
        translate: ask.translate,
        prompt: ask.prompt,
        temperature: ask.temperature,
      }),
      files: [fileOf(ask)],
    },
  }),
  read: (reply) => readTranscription(reply),
}

/** `hf-inference/models/{model}`: the sound itself. */
export const huggingfaceTranscription: TranscriptionFormat = {
  say(ask) {
    requireOriginal(ask)
    return { bytes: bareSound(ask) }
  },
  read: (reply) => readTranscription(reply),
}

/** `/audio/translations` beside `/audio/transcriptions`, unless the definition names another place, or has none. */
function translationAddress(endpoint: string, config: Config): string {
  const named = textIn(config, 'translation_endpoint')
  if (named !== undefined) return named
  const { pathname } = new URL(endpoint)
  if (config['supports_translation'] === false || !pathname.endsWith('/transcriptions')) throw noTranslation()
  return 'translations'
}

/** Throws where a translation is asked of whoever has none: it is not asked for something else instead. */
export function requireOriginal({ translate }: TranscriptionAsk): void {
  if (translate === true) throw noTranslation()
}

const noTranslation = (): ProviderFailure =>
  new ProviderFailure('rejected', 'This model transcribes audio but doesn’t translate it.', 400)

/** `transcript.text.delta`, then `transcript.text.done` with the whole. */
function readDeltas(): FrameReader<Transcription> {
  let done: Json | null = null
  return {
    frame(data) {
      const event = parseFrame(data)
      if (event && (event['type'] === 'error' || event['error'])) throw errorInStream(event)
      if (event?.['type'] === 'transcript.text.done') done = event
      return event?.['type'] === 'transcript.text.delta' ? { text: makeHarmless(asText(event['delta'])) } : null
    },
    end: () => readTranscription({ json: done }),
  }
}

function readTranscription({ json }: Pick<Reply, 'json'>): Transcription {
  const answer: Json = asObject(json) ?? {}
  if (typeof answer['text'] !== 'string') throw unreadableAnswer()
  const usage = asObject(answer['usage'])
  const inputTokens = asTokens(usage?.['input_tokens'])
  return {
    text: makeHarmless(answer['text']),
    language: asText(answer['language']).slice(0, longestWord) || null,
    seconds: secondsOf(answer['duration']) ?? secondsOf(usage?.['seconds']),
    segments: asArray(answer['segments'])
      .slice(0, maxSegments)
      .flatMap((entry) => {
        const segment = asObject(entry)
        const [start, end] = [secondsOf(segment?.['start']), secondsOf(segment?.['end'])]
        return start === null || end === null ? [] : [{ start, end, text: makeHarmless(asText(segment?.['text'])) }]
      }),
    inputTokens,
    outputTokens: inputTokens === null ? null : asTokens(usage?.['output_tokens']),
  }
}
