/** Sound over chat completions: streamed with `modalities`, in pieces of base64 beside what is said in it. */
import { errorInStream } from '../../faults.ts'
import { ProviderFailure } from '../../types.ts'
import { asArray, asObject, asText, asTokens, type Json, parseFrame } from '../../wires/json.ts'
import type { AnswerFormat, FoundSound, FrameReader } from '../format.ts'
import { moderatedAnswer, omitUndefined, textIn, unreadableAnswer } from '../route.ts'
import type { SoundAsk } from '../types.ts'

const maxEncoded = 80 * 1024 * 1024

export const chatSound: AnswerFormat<SoundAsk, FoundSound> = {
  say(ask, { model, config, also }) {
    const audio = omitUndefined({
      voice: ask.voice ?? textIn(config, 'default_voice'),
      format: ask.format ?? textIn(config, 'default_format') ?? 'wav',
    })
    const messages = [{ role: 'user', content: ask.prompt }]
    const stream = { stream: true, stream_options: { include_usage: true } }
    return {
      json: { ...also, model, modalities: ['text', 'audio'], audio, messages, ...stream },
      accept: 'text/event-stream',
    }
  },

  /** Whoever does not stream gives the whole in the message. */
  read({ json }) {
    const answer = asObject(json)
    const audio = asObject(asObject(asObject(asArray(answer?.['choices'])[0])?.['message'])?.['audio'])
    const base64 = asText(audio?.['data'])
    if (base64 === '') throw unreadableAnswer()
    return { found: { base64 }, samples: '', transcript: asText(audio?.['transcript']), ...tokensOf(answer) }
  },

  reader: () => readPieces(),
}

function readPieces(): FrameReader<FoundSound> {
  const pieces: Uint8Array[] = []
  let encoded = 0
  let transcript = ''
  let usage: Json | null = null
  let filtered = false
  return {
    frame(data) {
      const event = parseFrame(data)
      if (event?.['error']) throw errorInStream(event)
      usage = asObject(event?.['usage']) ? event : usage
      const choice = asObject(asArray(event?.['choices'])[0])
      filtered ||= choice?.['finish_reason'] === 'content_filter'
      const audio = asObject(asObject(choice?.['delta'])?.['audio'])
      const piece = asText(audio?.['data'])
      encoded += piece.length
      if (encoded > maxEncoded) {
        throw new ProviderFailure('too_large', 'The sound of the provider is larger than Atrium takes.')
      }
      if (piece !== '') pieces.push(Buffer.from(piece, 'base64'))
      if (transcript.length < 100_000) transcript += asText(audio?.['transcript'])
      return null
    },
    end() {
      if (pieces.length === 0) throw filtered ? moderatedAnswer() : unreadableAnswer()
      return { found: { bytes: Buffer.concat(pieces) }, samples: '', transcript, ...tokensOf(usage) }
    },
  }
}

const tokensOf = (answer: Json | null) => {
  const usage = asObject(answer?.['usage'])
  return { inputTokens: asTokens(usage?.['prompt_tokens']), outputTokens: asTokens(usage?.['completion_tokens']) }
}
