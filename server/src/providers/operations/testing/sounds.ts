/** Recorded exchanges of sound, in the shapes that their makers document. */
import type { Exchange } from './exchange.ts'
import { falExchange, mp3, samples, sayBytes, sayEvents, toBase64, wav } from './samples.ts'

export const sounds: readonly Exchange[] = [
  {
    operation: 'audio',
    format: 'common',
    endpoint: '/v1/chat/completions',
    model: 'gpt-audio',
    config: { default_voice: 'alloy', default_format: 'pcm16' },
    ask: { prompt: 'Rain' },
    answers: {
      'POST /v1/chat/completions': sayEvents(
        { choices: [{ delta: { audio: { id: 'a', transcript: 'It ' } } }] },
        { choices: [{ delta: { audio: { data: toBase64(samples.subarray(0, 2400)), transcript: 'rains.' } } }] },
        { choices: [{ delta: { audio: { data: toBase64(samples.subarray(2400)) } }, finish_reason: 'stop' }] },
        { choices: [], usage: { prompt_tokens: 4, completion_tokens: 90 } },
      ),
    },
    said: [
      {
        path: 'POST /v1/chat/completions',
        json: {
          model: 'gpt-audio',
          stream: true,
          modalities: ['text', 'audio'],
          audio: { voice: 'alloy', format: 'pcm16' },
          messages: [{ role: 'user', content: 'Rain' }],
        },
      },
    ],
    result: { mediaType: 'audio/wav', bytes: wav, transcript: 'It rains.', inputTokens: 4, outputTokens: 90 },
    units: { kind: 'bytes', input: 0, output: wav.byteLength },
    moderated: {
      'POST /v1/chat/completions': sayEvents({ choices: [{ delta: {}, finish_reason: 'content_filter' }] }),
    },
  },
  {
    operation: 'audio',
    format: 'elevenlabs',
    endpoint: '/v1/sound-generation',
    model: 'eleven_text_to_sound_v2',
    ask: { prompt: 'Rain', durationMs: 2500 },
    answers: { 'POST /v1/sound-generation?output_format=mp3_44100_128': sayBytes('audio/mpeg', mp3) },
    said: [
      {
        path: 'POST /v1/sound-generation?output_format=mp3_44100_128',
        json: { text: 'Rain', duration_seconds: 2.5, model_id: 'eleven_text_to_sound_v2' },
      },
    ],
    result: { mediaType: 'audio/mpeg', transcript: null },
    units: { kind: 'bytes', input: 0, output: mp3.byteLength },
    media: (bytes) => ({ 'POST /v1/sound-generation?output_format=mp3_44100_128': sayBytes('audio/mpeg', bytes) }),
  },
  {
    operation: 'audio',
    format: 'elevenlabs',
    title: 'music',
    endpoint: '/v1/sound-generation',
    model: 'music_v1',
    ask: { prompt: 'A waltz', durationMs: 10_000, format: 'pcm' },
    answers: { 'POST /v1/music?output_format=pcm_24000': sayBytes('audio/pcm', samples) },
    said: [
      {
        path: 'POST /v1/music?output_format=pcm_24000',
        json: { prompt: 'A waltz', music_length_ms: 10_000, model_id: 'music_v1' },
      },
    ],
    result: { mediaType: 'audio/wav', bytes: wav },
    units: { kind: 'bytes', input: 0, output: wav.byteLength },
  },
  {
    operation: 'audio',
    format: 'stability',
    endpoint: '/v2beta/audio/stable-audio-2/text-to-audio',
    model: 'stable-audio-2.5',
    ask: { prompt: 'Rain', durationMs: 20_000, format: 'mp3' },
    answers: { 'POST /v2beta/audio/stable-audio-2/text-to-audio': sayBytes('audio/mpeg', mp3) },
    said: [
      {
        path: 'POST /v2beta/audio/stable-audio-2/text-to-audio',
        parts: ['name="duration"\r\n\r\n20', 'name="model"\r\n\r\nstable-audio-2.5', 'name="output_format"\r\n\r\nmp3'],
      },
    ],
    result: { mediaType: 'audio/mpeg' },
    units: { kind: 'bytes', input: 0, output: mp3.byteLength },
    media: (bytes) => ({ 'POST /v2beta/audio/stable-audio-2/text-to-audio': sayBytes('audio/mpeg', bytes) }),
  },
  falExchange(
    'audio',
    'fal-ai/stable-audio',
    { prompt: 'Rain', durationMs: 9000 },
    {
      sent: { prompt: 'Rain', duration: 9 },
      done: { audio_file: { url: '{strange}/strange/rain.mp3' } },
      media: sayBytes('audio/mpeg', mp3),
      result: { mediaType: 'audio/mpeg' },
      units: { kind: 'bytes', input: 0, output: mp3.byteLength },
    },
  ),
]
