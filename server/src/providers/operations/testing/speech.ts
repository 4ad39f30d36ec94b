/** Recorded exchanges of speech, in the shapes that their makers document. */
import type { Exchange } from './exchange.ts'
import { geminiExchange, mp3, samples, sayBytes, toBase64, wav } from './samples.ts'

export const speech: readonly Exchange[] = [
  {
    operation: 'tts',
    format: 'common',
    endpoint: '/v1/audio/speech',
    model: 'gpt-4o-mini-tts',
    config: { default_voice: 'alloy' },
    ask: { text: 'Hello', speed: 1.5 },
    answers: { 'POST /v1/audio/speech': sayBytes('audio/mpeg', mp3) },
    said: [
      {
        path: 'POST /v1/audio/speech',
        json: { model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'alloy', response_format: 'mp3', speed: 1.5 },
      },
    ],
    result: { mediaType: 'audio/mpeg', format: 'mp3', bytes: mp3 },
    units: { kind: 'characters', input: 5, output: 0 },
  },
  {
    operation: 'tts',
    format: 'elevenlabs',
    endpoint: '/v1/text-to-speech/%7Bvoice_id%7D',
    model: 'eleven_multilingual_v2',
    config: { default_format: 'mp3' },
    variables: { stability: 0.4, similarity_boost: 0.8 },
    ask: { text: 'Hello', voice: 'JBFqnCBsd6RMkjVDRZzb' },
    answers: {
      'POST /v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb?output_format=mp3_44100_128': sayBytes('audio/mpeg', mp3),
    },
    said: [
      {
        path: 'POST /v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb?output_format=mp3_44100_128',
        json: {
          text: 'Hello',
          model_id: 'eleven_multilingual_v2',
          voice_settings: { stability: 0.4, similarity_boost: 0.8 },
        },
      },
    ],
    result: { mediaType: 'audio/mpeg', bytes: mp3 },
    units: { kind: 'characters', input: 5, output: 0 },
  },
  geminiExchange(
    'tts',
    'gemini-2.5-flash-preview-tts',
    { text: 'Hello', voice: 'Kore' },
    {
      sent: {
        contents: [{ parts: [{ text: 'Hello' }] }],
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
        },
      },
      part: (bytes) => ({ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: toBase64(bytes) } }),
      whole: samples,
      result: { mediaType: 'audio/wav', format: 'wav', bytes: wav },
      units: { kind: 'characters', input: 5, output: 0 },
      finish: 'PROHIBITED_CONTENT',
    },
  ),
  {
    operation: 'tts',
    format: 'huggingface',
    endpoint: '/hf-inference/models/hexgrad/Kokoro-82M',
    model: 'hexgrad/Kokoro-82M',
    ask: { text: 'Hello' },
    answers: { 'POST /hf-inference/models/hexgrad/Kokoro-82M': sayBytes('audio/mpeg', mp3) },
    said: [{ path: 'POST /hf-inference/models/hexgrad/Kokoro-82M', json: { inputs: 'Hello' } }],
    result: { mediaType: 'audio/mpeg' },
    units: { kind: 'characters', input: 5, output: 0 },
  },
]
