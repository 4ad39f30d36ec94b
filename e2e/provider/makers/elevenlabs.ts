/** ElevenLabs: speech, voices, sound effects, music and transcription (elevenlabs.io/docs/api-reference). */
import { json, type Refusals } from '../writing.ts'
import { formOf, keyAfter, type Maker, type MakerCall, objectOf, sendBytes, turnedAway } from './call.ts'
import { mp3, ogg, samples, wav } from './samples.ts'

const problem: Refusals = (message, type) => ({ detail: { status: type, message } })

/** What each place wants in its body. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/text-to-speech\/[^/]+$/, 'text'],
  [/^\/v1\/sound-generation$/, 'text'],
  [/^\/v1\/music$/, 'prompt'],
]

const voices = [
  { voice_id: 'JBFqnCBsd6RMkjVDRZzb', name: 'George', category: 'premade' },
  { voice_id: 'EXAVITQu4vr4xnSDxMaL', name: 'Sarah', category: 'premade' },
]

export const elevenLabs: Maker = async (state, call, res) => {
  const { method, url, headers } = call
  const place = places.find(([path]) => path.test(url.pathname))
  const isList = method === 'GET' && url.pathname === '/v2/voices'
  const isHearing = method === 'POST' && url.pathname === '/v1/speech-to-text'
  if (!isList && !isHearing && !(method === 'POST' && place)) return false
  const body = objectOf(call.body)
  const key = headers['xi-api-key']
  // Some tests have the list of voices stand beside speech of the common format.
  const shown = typeof key === 'string' ? key : isList ? keyAfter('Bearer ', headers) : undefined
  const model = String(body['model_id'] ?? formOf(call)?.fields['model_id'] ?? '')
  if (await turnedAway(state, res, { shown, model, problem })) return
  if (isList) return json(res, 200, { voices, has_more: false, total_count: voices.length })
  if (isHearing) return hear(call, res)
  if (typeof body[place?.[1] ?? ''] !== 'string') return json(res, 422, problem('Field required', 'missing', null))
  const [type, bytes] = soundOf(url.searchParams.get('output_format') ?? 'mp3_44100_128')
  sendBytes(res, type, bytes)
}

function soundOf(format: string): readonly [string, Buffer] {
  if (format.startsWith('pcm_')) return ['audio/pcm', samples]
  if (format.startsWith('wav_')) return ['audio/wav', wav()]
  return format.startsWith('opus_') ? ['audio/ogg', ogg] : ['audio/mpeg', mp3]
}

/** Every word with its times, and what stands between them. */
function hear(call: MakerCall, res: Parameters<Maker>[2]): void {
  const form = formOf(call)
  const file = form?.files.find(({ field }) => field === 'file')
  if (!form || !file || !form.fields['model_id']) return json(res, 422, problem('Field required', 'missing', null))
  const text = `I heard ${file.bytes.length} bytes.`
  const isTimed = form.fields['timestamps_granularity'] === 'word'
  const words = text.split(/(?= )|(?<= )/).map((word, at) => ({
    text: word,
    start: at / 4,
    end: (at + 1) / 4,
    type: word === ' ' ? 'spacing' : 'word',
    logprob: 0,
  }))
  json(res, 200, { language_code: 'eng', language_probability: 1, text, words: isTimed ? words : [] })
}
