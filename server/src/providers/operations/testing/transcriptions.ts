/** Recorded exchanges of transcriptions, in the shapes that their makers document. */
import type { Answer, Exchange } from './exchange.ts'
import { recording, sayEvents, wav } from './samples.ts'

const heard = { kind: 'bytes', input: wav.byteLength, output: 0 }
const verbose: Answer = {
  body: {
    text: 'Hello.',
    language: 'english',
    duration: 1.2,
    segments: [{ id: 0, start: 0, end: 1.2, text: ' Hello.' }],
  },
}
const transcript = { text: 'Hello.', segments: [{ start: 0, end: 1.2 }] }

export const transcriptions: readonly Exchange[] = [
  {
    operation: 'stt',
    format: 'common',
    title: 'heard as it comes',
    endpoint: '/v1/audio/transcriptions',
    model: 'gpt-4o-transcribe',
    config: { supports_streaming: true, supports_timestamps: false },
    ask: { ...recording, segments: undefined, stream: true },
    answers: {
      'POST /v1/audio/transcriptions': sayEvents(
        { type: 'transcript.text.delta', delta: 'Hel' },
        { type: 'transcript.text.delta', delta: 'lo.' },
        {
          type: 'transcript.text.done',
          text: 'Hello.',
          usage: { type: 'tokens', input_tokens: 14, output_tokens: 3, total_tokens: 17 },
        },
      ),
    },
    said: [
      {
        path: 'POST /v1/audio/transcriptions',
        parts: ['name="stream"\r\n\r\ntrue', 'name="response_format"\r\n\r\njson'],
      },
    ],
    result: { text: 'Hello.', inputTokens: 14, outputTokens: 3 },
    units: heard,
  },
  {
    operation: 'stt',
    format: 'common',
    endpoint: '/v1/audio/transcriptions',
    model: 'whisper-1',
    ask: recording,
    answers: { 'POST /v1/audio/transcriptions': verbose },
    said: [
      {
        path: 'POST /v1/audio/transcriptions',
        parts: [
          'name="file"; filename="memo.wav"',
          'name="response_format"\r\n\r\nverbose_json',
          'name="language"\r\n\r\nen',
        ],
      },
    ],
    result: transcript,
    units: heard,
  },
  {
    operation: 'stt',
    format: 'common',
    title: 'translated',
    endpoint: '/v1/audio/transcriptions',
    model: 'whisper-1',
    ask: { ...recording, language: undefined, translate: true },
    answers: { 'POST /v1/audio/translations': verbose },
    said: [{ path: 'POST /v1/audio/translations', parts: ['name="model"\r\n\r\nwhisper-1'] }],
    result: transcript,
    units: heard,
  },
  {
    operation: 'stt',
    format: 'common',
    title: 'bare',
    endpoint: '/v1/audio/transcriptions',
    model: 'whisper-large-v3',
    config: { request_mode: 'raw' },
    ask: recording,
    answers: { 'POST /v1/audio/transcriptions?model=whisper-large-v3&language=en': { body: { text: 'Hello.' } } },
    said: [{ path: 'POST /v1/audio/transcriptions?model=whisper-large-v3&language=en' }],
    result: { text: 'Hello.', segments: [] },
    units: heard,
  },
  {
    operation: 'stt',
    format: 'whisper-cpp',
    title: 'translated',
    endpoint: '/inference',
    model: 'whisper',
    ask: { ...recording, translate: true },
    answers: { 'POST /inference': verbose },
    said: [{ path: 'POST /inference', parts: ['name="translate"\r\n\r\ntrue'] }],
    result: transcript,
    units: heard,
  },
  {
    operation: 'stt',
    format: 'elevenlabs',
    endpoint: '/v1/speech-to-text',
    model: 'scribe_v1',
    ask: recording,
    answers: {
      'POST /v1/speech-to-text': {
        body: {
          language_code: 'eng',
          text: 'Hello there. Bye.',
          words: [
            { text: 'Hello', start: 0.1, end: 0.5, type: 'word' },
            { text: ' ', start: 0.5, end: 0.6, type: 'spacing' },
            { text: 'there.', start: 0.6, end: 1, type: 'word' },
            { text: ' ', start: 1, end: 1.4, type: 'spacing' },
            { text: 'Bye.', start: 1.4, end: 1.9, type: 'word' },
          ],
        },
      },
    },
    said: [
      {
        path: 'POST /v1/speech-to-text',
        parts: ['name="model_id"\r\n\r\nscribe_v1', 'name="language_code"\r\n\r\nen'],
      },
    ],
    result: {
      text: 'Hello there. Bye.',
      seconds: 1.9,
      segments: [
        { start: 0.1, end: 1, text: 'Hello there.' },
        { start: 1.4, end: 1.9, text: 'Bye.' },
      ],
    },
    units: heard,
  },
  {
    operation: 'stt',
    format: 'whisper-cpp',
    endpoint: '/inference',
    model: 'whisper',
    ask: recording,
    answers: { 'POST /inference': verbose },
    said: [
      {
        path: 'POST /inference',
        parts: ['name="response_format"\r\n\r\nverbose_json', 'name="file"; filename="memo.wav"'],
      },
    ],
    result: transcript,
    units: heard,
  },
  {
    operation: 'stt',
    format: 'huggingface',
    endpoint: '/hf-inference/models/openai/whisper-large-v3',
    model: 'openai/whisper-large-v3',
    ask: recording,
    answers: { 'POST /hf-inference/models/openai/whisper-large-v3': { body: { text: 'Hello.' } } },
    said: [{ path: 'POST /hf-inference/models/openai/whisper-large-v3' }],
    result: { text: 'Hello.', segments: [] },
    units: heard,
  },
]
