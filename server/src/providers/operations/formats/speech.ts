/** Speech in the common way, Gemini's and Hugging Face's. ElevenLabs' stands with the rest of it. */
import { asObject, asText } from '../../wires/json.ts'
import { bytesOfBase64 } from '../base64.ts'
import type { SpeechFormat } from '../format.ts'
import { omitUndefined, textIn, unreadableAnswer } from '../route.ts'
import { samplesOf, toWav } from '../wav.ts'
import { contentIn } from './gemini-images.ts'

/** `/audio/speech`. */
export const commonSpeech: SpeechFormat = {
  say: (ask, { model, config, also }) => ({
    accept: 'audio/*',
    json: {
      ...also,
      ...omitUndefined({
        model,
        input: ask.text,
        voice: ask.voice ?? textIn(config, 'default_voice'),
        response_format: ask.format ?? textIn(config, 'default_format') ?? 'mp3',
        speed: ask.speed,
        instructions: ask.instructions,
      }),
    },
  }),
}

/** `:generateContent` gives bare samples, whatever is asked for. */
export const geminiSpeech: SpeechFormat = {
  say(ask, { config }) {
    const voiceName = ask.voice ?? textIn(config, 'default_voice')
    const speechConfig = voiceName === undefined ? {} : { voiceConfig: { prebuiltVoiceConfig: { voiceName } } }
    const text = ask.instructions ? `${ask.instructions}: ${ask.text}` : ask.text
    return {
      json: {
        contents: [{ role: 'user', parts: [{ text }] }],
        generationConfig: { responseModalities: ['AUDIO'], speechConfig },
      },
    }
  },
  read(reply) {
    const { parts } = contentIn(reply)
    const sounds = parts.map((part) => asObject(part['inlineData'])).filter((sound) => sound !== null)
    const [first] = sounds
    if (!first) throw unreadableAnswer()
    const samples = Buffer.concat(sounds.map((sound) => bytesOfBase64(asText(sound['data']))))
    const bytes = toWav(samples, samplesOf(asText(first['mimeType'])))
    return { bytes, mediaType: 'audio/wav', format: 'wav' }
  },
}

/** `hf-inference/models/{model}`. */
export const huggingfaceSpeech: SpeechFormat = {
  say: (ask) => ({ accept: 'audio/*', json: { inputs: ask.text } }),
}
