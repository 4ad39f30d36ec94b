/** Speech written down, over the common `/audio/transcriptions`, or with the bare sound as the body. */
import { exchange } from '../exchange.ts'
import { makeHarmless } from '../harmless-text.ts'
import type { Checked } from '../../platform/outbound/types.ts'
import { asArray, asObject, asText, asTokens, type Json } from '../wires/json.ts'
import { type Field, encodeForm } from './form.ts'
import { type OperationCall, unreadableAnswer } from './route.ts'
import type { Transcription, TranscriptionAsk } from './types.ts'

const timeoutMs = 10 * 60_000
const maxBytes = 16 * 1024 * 1024
/** A day of speech, a sentence each eight seconds. */
const maxSegments = 10_000
const longestWord = 100

export async function transcribe(call: OperationCall, ask: TranscriptionAsk): Promise<Transcription> {
  const { outbound, headers, hasKey, config, signal } = call
  const sent = config['request_mode'] === 'raw' ? await sayRaw(call, ask) : sayMultipart(call, ask)
  const answer = await exchange(outbound, {
    method: 'POST',
    url: sent.url,
    headers: { ...headers, 'content-type': sent.type },
    hasKey,
    bytes: sent.bytes,
    signal,
    timeoutMs,
    maxBytes,
  })
  return readTranscription(asObject(answer) ?? {})
}

interface Sent {
  readonly url: Checked<URL>
  readonly type: string
  readonly bytes: Uint8Array
}

function sayMultipart({ url, model, config }: OperationCall, ask: TranscriptionAsk): Sent {
  // Asked for wherever the definition does not say that there are none: a provider refuses it in its own words.
  const timed = ask.segments === true && config['supports_timestamps'] !== false
  const fields: Field[] = [
    ['model', model],
    ['response_format', timed ? 'verbose_json' : 'json'],
    ...(timed ? [['timestamp_granularities[]', 'segment'] as const] : []),
    ...(ask.language ? [['language', ask.language] as const] : []),
    ...(ask.prompt ? [['prompt', ask.prompt] as const] : []),
    ...(ask.temperature === undefined ? [] : [['temperature', String(ask.temperature)] as const]),
  ]
  const file = { name: ask.fileName, mediaType: ask.mediaType, bytes: ask.audio }
  return { url, ...encodeForm(fields, file) }
}

async function sayRaw({ outbound, url, model }: OperationCall, ask: TranscriptionAsk): Promise<Sent> {
  const address = new URL(url)
  if (!address.searchParams.has('model')) address.searchParams.set('model', model)
  if (ask.language) address.searchParams.set('language', ask.language)
  return { url: await outbound.check(address.href), type: ask.mediaType, bytes: ask.audio }
}

function readTranscription(answer: Json): Transcription {
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

/** No recording is longer: ten days. */
const mostSeconds = 864_000

/** Some write the seconds as text; an absurd figure is unknown. */
function secondsOf(value: unknown): number | null {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 && seconds <= mostSeconds ? seconds : null
}
