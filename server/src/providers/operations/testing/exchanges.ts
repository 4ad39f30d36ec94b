/** Recorded exchanges of every format, in the shapes that their makers document. `{base}` and `{strange}` are two servers. */
import type { OperationName } from '../types.ts'
import { toWav } from '../wav.ts'

export interface Answer {
  readonly status?: number
  readonly type?: string
  readonly body: unknown
}

export interface Exchange {
  readonly operation: OperationName | 'video'
  readonly format: string
  readonly title?: string
  readonly endpoint: string
  readonly model: string
  readonly config?: Readonly<Record<string, unknown>>
  readonly also?: Readonly<Record<string, unknown>>
  readonly variables?: Readonly<Record<string, unknown>>
  readonly ask: object
  /** Somebody wants to see pictures as far as they are. */
  readonly partials?: boolean
  /** By method and path, the first one being the main question; `*` at the end stands for anything. */
  readonly answers: Readonly<Record<string, Answer>>
  /** The questions in their order. */
  readonly said: readonly { readonly path: string; readonly json?: object; readonly parts?: readonly string[] }[]
  readonly result: object
  readonly units?: object
  /** The answers where something was withheld. */
  readonly moderated?: Readonly<Record<string, Answer>>
  /** The paths that are not there when the provider has forgotten a task. */
  readonly forgotten?: readonly string[]
  /** The answers with other bytes in the place of the media. */
  readonly media?: (bytes: Buffer) => Readonly<Record<string, Answer>>
  /** What is asked when nobody waits any more. */
  readonly stops?: string
  /** Where the call hangs for that; absent: at the main question. */
  readonly stallsAt?: string
  /** What is asked to cancel a film. */
  readonly cancels?: string
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const png = pixel.toString('base64')
const picture = { bytes: pixel, mediaType: 'image/png', name: 'boat.png' }
const mp3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(400, 1)])
const samples = Buffer.alloc(4800, 3)
const wav = Buffer.from(toWav(samples))
const onePicture = { pictures: [{ mediaType: 'image/png', width: 1, height: 1 }], missing: null }
const oneImage = { kind: 'images', input: 0, output: 1 }
const recording = { audio: wav, fileName: 'memo.wav', mediaType: 'audio/wav', language: 'en', segments: true }
const boat = { prompt: 'A boat' }
const data = (...entries: object[]): Answer => ({ body: { created: 1, data: entries } })
const inBase64 = (bytes: Buffer): string => bytes.toString('base64')
const raw = (type: string, body: Buffer): Answer => ({ type, body })
const sse = (...events: object[]): Answer => ({
  type: 'text/event-stream',
  body: `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
})

const openaiBlocked: Answer = {
  status: 400,
  body: {
    error: { message: 'Your request was rejected.', type: 'image_generation_user_error', code: 'moderation_blocked' },
  },
}

const images: readonly Exchange[] = [
  {
    operation: 'image',
    format: 'common',
    endpoint: '/v1/images/generations',
    model: 'gpt-image-2',
    config: { size_parameter: 'size', default_size: '1024x1024' },
    ask: { ...boat, quality: 'high' },
    answers: { 'POST /v1/images/generations': data({ b64_json: png, revised_prompt: 'A boat, in oil' }) },
    said: [
      {
        path: 'POST /v1/images/generations',
        json: { model: 'gpt-image-2', prompt: 'A boat', n: 1, size: '1024x1024', quality: 'high' },
      },
    ],
    result: onePicture,
    units: oneImage,
    moderated: { 'POST /v1/images/generations': openaiBlocked },
    media: (bytes) => ({ 'POST /v1/images/generations': data({ b64_json: inBase64(bytes) }) }),
  },
  {
    operation: 'image',
    format: 'common',
    title: 'by address',
    endpoint: '/v1/images/generations',
    model: 'grok',
    ask: boat,
    answers: {
      'POST /v1/images/generations': data({ url: '{strange}/strange/boat.png' }),
      'GET /strange/boat.png': raw('text/plain', pixel),
    },
    said: [{ path: 'POST /v1/images/generations' }, { path: 'GET /strange/boat.png' }],
    result: onePicture,
    units: oneImage,
    media: (bytes) => ({ 'GET /strange/boat.png': raw('image/png', bytes) }),
  },
  {
    operation: 'image',
    format: 'common',
    title: 'edited',
    endpoint: '/v1/images/generations',
    model: 'gpt-image-2',
    config: { edit_endpoint: '/v1/images/edits' },
    ask: {
      ...boat,
      sources: [picture, { ...picture, name: 'sea.png' }],
      mask: { ...picture, name: 'mask.png' },
      count: 2,
    },
    answers: { 'POST /v1/images/edits': data({ b64_json: png }, { b64_json: png }) },
    said: [
      {
        path: 'POST /v1/images/edits',
        parts: [
          'name="image[]"; filename="boat.png"\r\nContent-Type: image/png',
          'name="image[]"; filename="sea.png"',
          'name="mask"; filename="mask.png"',
          'name="prompt"\r\n\r\nA boat',
          'name="n"\r\n\r\n2',
        ],
      },
    ],
    result: { pictures: [{ mediaType: 'image/png' }, { mediaType: 'image/png' }] },
    units: { kind: 'images', input: 0, output: 2 },
    moderated: { 'POST /v1/images/edits': openaiBlocked },
    media: (bytes) => ({ 'POST /v1/images/edits': data({ b64_json: inBase64(bytes) }) }),
  },
  {
    operation: 'image',
    format: 'common',
    title: 'streamed',
    partials: true,
    endpoint: '/v1/images/generations',
    model: 'gpt-image-2',
    config: { max_partial_images: 2 },
    ask: boat,
    answers: {
      'POST /v1/images/generations': sse(
        { type: 'image_generation.partial_image', b64_json: png, partial_image_index: 0 },
        { type: 'image_generation.partial_image', b64_json: png, partial_image_index: 1 },
        { type: 'image_generation.completed', b64_json: png, usage: { input_tokens: 9, output_tokens: 272 } },
      ),
    },
    said: [{ path: 'POST /v1/images/generations', json: { stream: true, partial_images: 2 } }],
    result: { ...onePicture, inputTokens: 9, outputTokens: 272 },
    units: oneImage,
    media: (bytes) => ({
      'POST /v1/images/generations': sse({ type: 'image_generation.completed', b64_json: inBase64(bytes) }),
    }),
  },
  {
    operation: 'image',
    format: 'openrouter',
    endpoint: '/api/v1/images',
    model: 'google/gemini-3.1-flash-image',
    config: { size_parameter: 'aspect_ratio', supports_n: false },
    ask: { ...boat, size: '16:9', sources: [picture] },
    answers: { 'POST /api/v1/images': data({ b64_json: png, media_type: 'image/png' }) },
    said: [
      {
        path: 'POST /api/v1/images',
        json: {
          aspect_ratio: '16:9',
          input_references: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }],
        },
      },
    ],
    result: onePicture,
    units: oneImage,
    media: (bytes) => ({ 'POST /api/v1/images': data({ b64_json: inBase64(bytes) }) }),
  },
  {
    operation: 'image',
    format: 'xai',
    endpoint: '/v1/images/generations',
    model: 'grok-imagine-image',
    config: { edit_endpoint: '/v1/images/edits', supports_response_format: true },
    ask: { ...boat, sources: [picture] },
    answers: { 'POST /v1/images/edits': data({ b64_json: png }) },
    said: [
      {
        path: 'POST /v1/images/edits',
        json: {
          model: 'grok-imagine-image',
          response_format: 'b64_json',
          image: { type: 'image_url', url: `data:image/png;base64,${png}` },
        },
      },
    ],
    result: onePicture,
    units: oneImage,
    moderated: { 'POST /v1/images/edits': data({ url: '', respect_moderation: false }) },
    media: (bytes) => ({ 'POST /v1/images/edits': data({ b64_json: inBase64(bytes) }) }),
  },
  gemini(
    'image',
    'gemini-3.1-flash-image',
    { ...boat, size: '16:9', sources: [picture] },
    {
      sent: {
        contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: png } }, { text: 'A boat' }] }],
        generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '16:9' } },
      },
      part: (bytes) => ({ inlineData: { mimeType: 'image/png', data: inBase64(bytes) } }),
      whole: pixel,
      result: { ...onePicture, inputTokens: 5, outputTokens: 1290 },
      units: oneImage,
      finish: 'IMAGE_SAFETY',
    },
  ),
  {
    operation: 'image',
    format: 'stability',
    endpoint: '/v2beta/stable-image/generate/core',
    model: 'sd3.5-large',
    config: { sizes: ['1:1', '16:9'] },
    ask: { ...boat, size: '1920x1080', seed: 7 },
    answers: { 'POST /v2beta/stable-image/generate/sd3': { body: { image: png, finish_reason: 'SUCCESS', seed: 7 } } },
    said: [
      {
        path: 'POST /v2beta/stable-image/generate/sd3',
        parts: ['name="model"\r\n\r\nsd3.5-large', 'name="aspect_ratio"\r\n\r\n16:9', 'name="seed"\r\n\r\n7'],
      },
    ],
    result: onePicture,
    units: oneImage,
    moderated: {
      'POST /v2beta/stable-image/generate/sd3': { body: { image: png, finish_reason: 'CONTENT_FILTERED', seed: 7 } },
    },
    media: (bytes) => ({
      'POST /v2beta/stable-image/generate/sd3': { body: { image: inBase64(bytes), finish_reason: 'SUCCESS' } },
    }),
  },
  {
    operation: 'image',
    format: 'stability',
    title: 'edited',
    endpoint: '/v2beta/stable-image/generate/core',
    model: 'core',
    ask: { ...boat, sources: [picture] },
    answers: { 'POST /v2beta/stable-image/generate/ultra': { body: { image: png, finish_reason: 'SUCCESS' } } },
    said: [
      {
        path: 'POST /v2beta/stable-image/generate/ultra',
        parts: ['name="image"; filename="boat.png"', 'name="strength"'],
      },
    ],
    result: onePicture,
    units: oneImage,
    moderated: {
      'POST /v2beta/stable-image/generate/ultra': {
        status: 403,
        body: { id: 'x', name: 'content_moderation', errors: ['Your request was flagged.'] },
      },
    },
  },
  {
    operation: 'image',
    format: 'huggingface',
    endpoint: '/hf-inference/models/black-forest-labs/FLUX.1-schnell',
    model: 'black-forest-labs/FLUX.1-schnell',
    ask: { ...boat, size: '512x768', seed: 3 },
    answers: { 'POST /hf-inference/models/black-forest-labs/FLUX.1-schnell': raw('image/png', pixel) },
    said: [
      {
        path: 'POST /hf-inference/models/black-forest-labs/FLUX.1-schnell',
        json: { inputs: 'A boat', parameters: { width: 512, height: 768, seed: 3 } },
      },
    ],
    result: onePicture,
    units: oneImage,
    media: (bytes) => ({ 'POST /hf-inference/models/black-forest-labs/FLUX.1-schnell': raw('image/png', bytes) }),
  },
  {
    operation: 'image',
    format: 'automatic1111',
    endpoint: '/sdapi/v1/txt2img',
    model: 'v1-5-pruned-emaonly',
    also: { steps: 25 },
    ask: { ...boat, size: '512x768', count: 2, seed: 9, sources: [picture], mask: picture },
    answers: {
      'POST /sdapi/v1/img2img': { body: { images: [png, png], parameters: {}, info: '{}' } },
      'POST /sdapi/v1/interrupt': { body: {} },
    },
    said: [
      {
        path: 'POST /sdapi/v1/img2img',
        json: {
          prompt: 'A boat',
          steps: 25,
          width: 512,
          height: 768,
          batch_size: 2,
          seed: 9,
          init_images: [png],
          mask: png,
          inpainting_mask_invert: 1,
          override_settings: { sd_model_checkpoint: 'v1-5-pruned-emaonly' },
        },
      },
    ],
    result: { pictures: [{ mediaType: 'image/png' }, { mediaType: 'image/png' }] },
    units: { kind: 'images', input: 0, output: 2 },
    media: (bytes) => ({ 'POST /sdapi/v1/img2img': { body: { images: [inBase64(bytes)] } } }),
    stops: 'POST /sdapi/v1/interrupt',
  },
  {
    operation: 'image',
    format: 'comfyui',
    endpoint: '/prompt',
    model: 'flux1-schnell',
    variables: { steps: 30, cfg_scale: 5, seed: -1 },
    ask: { ...boat, size: '768x1024', seed: 11 },
    answers: {
      'POST /prompt': { body: { prompt_id: 'p-1', number: 4, node_errors: {} } },
      'GET /queue': { body: { queue_running: [], queue_pending: [[5, 'somebody', {}, {}, []]] } },
      'GET /history/p-1': {
        body: {
          'p-1': {
            outputs: { saved: { images: [{ filename: 'atrium_1.png', subfolder: '', type: 'output' }] } },
            status: { status_str: 'success', completed: true, messages: [] },
          },
        },
      },
      'GET /view?filename=atrium_1.png&subfolder=&type=output': raw('image/png', pixel),
      'POST /queue': raw('text/plain', Buffer.from('')),
      'POST /interrupt': raw('text/plain', Buffer.from('')),
    },
    said: [
      {
        path: 'POST /prompt',
        json: {
          prompt: {
            model: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'flux1-schnell.safetensors' } },
            wanted: { inputs: { text: 'A boat' } },
            latent: { inputs: { width: 768, height: 1024, batch_size: 1 } },
            drawn: { inputs: { seed: 11, steps: 4, cfg: 1, positive: ['guided', 0] } },
          },
        },
      },
      { path: 'GET /queue' },
      { path: 'GET /history/p-1' },
      { path: 'GET /view?filename=atrium_1.png&subfolder=&type=output' },
    ],
    result: onePicture,
    units: oneImage,
    forgotten: ['GET /history/p-1'],
    media: (bytes) => ({ 'GET /view?filename=atrium_1.png&subfolder=&type=output': raw('image/png', bytes) }),
    stops: 'POST /interrupt',
    stallsAt: 'GET /queue',
  },
  fal(
    'image',
    'fal-ai/flux/dev',
    { ...boat, size: 'landscape_4_3' },
    {
      sent: { prompt: 'A boat', num_images: 1, image_size: 'landscape_4_3' },
      done: { images: [{ url: '{strange}/strange/boat.png', content_type: 'image/png' }], has_nsfw_concepts: [false] },
      withheld: { images: [{ url: '{strange}/strange/boat.png' }], has_nsfw_concepts: [true] },
      media: raw('image/png', pixel),
      result: onePicture,
      units: oneImage,
    },
  ),
]

const sounds: readonly Exchange[] = [
  {
    operation: 'audio',
    format: 'common',
    endpoint: '/v1/chat/completions',
    model: 'gpt-audio',
    config: { default_voice: 'alloy', default_format: 'pcm16' },
    ask: { prompt: 'Rain' },
    answers: {
      'POST /v1/chat/completions': sse(
        { choices: [{ delta: { audio: { id: 'a', transcript: 'It ' } } }] },
        { choices: [{ delta: { audio: { data: inBase64(samples.subarray(0, 2400)), transcript: 'rains.' } } }] },
        { choices: [{ delta: { audio: { data: inBase64(samples.subarray(2400)) } }, finish_reason: 'stop' }] },
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
    moderated: { 'POST /v1/chat/completions': sse({ choices: [{ delta: {}, finish_reason: 'content_filter' }] }) },
  },
  {
    operation: 'audio',
    format: 'elevenlabs',
    endpoint: '/v1/sound-generation',
    model: 'eleven_text_to_sound_v2',
    ask: { prompt: 'Rain', durationMs: 2500 },
    answers: { 'POST /v1/sound-generation?output_format=mp3_44100_128': raw('audio/mpeg', mp3) },
    said: [
      {
        path: 'POST /v1/sound-generation?output_format=mp3_44100_128',
        json: { text: 'Rain', duration_seconds: 2.5, model_id: 'eleven_text_to_sound_v2' },
      },
    ],
    result: { mediaType: 'audio/mpeg', transcript: null },
    units: { kind: 'bytes', input: 0, output: mp3.byteLength },
    media: (bytes) => ({ 'POST /v1/sound-generation?output_format=mp3_44100_128': raw('audio/mpeg', bytes) }),
  },
  {
    operation: 'audio',
    format: 'elevenlabs',
    title: 'music',
    endpoint: '/v1/sound-generation',
    model: 'music_v1',
    ask: { prompt: 'A waltz', durationMs: 10_000, format: 'pcm' },
    answers: { 'POST /v1/music?output_format=pcm_24000': raw('audio/pcm', samples) },
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
    answers: { 'POST /v2beta/audio/stable-audio-2/text-to-audio': raw('audio/mpeg', mp3) },
    said: [
      {
        path: 'POST /v2beta/audio/stable-audio-2/text-to-audio',
        parts: ['name="duration"\r\n\r\n20', 'name="model"\r\n\r\nstable-audio-2.5', 'name="output_format"\r\n\r\nmp3'],
      },
    ],
    result: { mediaType: 'audio/mpeg' },
    units: { kind: 'bytes', input: 0, output: mp3.byteLength },
    media: (bytes) => ({ 'POST /v2beta/audio/stable-audio-2/text-to-audio': raw('audio/mpeg', bytes) }),
  },
  fal(
    'audio',
    'fal-ai/stable-audio',
    { prompt: 'Rain', durationMs: 9000 },
    {
      sent: { prompt: 'Rain', duration: 9 },
      done: { audio_file: { url: '{strange}/strange/rain.mp3' } },
      media: raw('audio/mpeg', mp3),
      result: { mediaType: 'audio/mpeg' },
      units: { kind: 'bytes', input: 0, output: mp3.byteLength },
    },
  ),
]

const speech: readonly Exchange[] = [
  {
    operation: 'tts',
    format: 'common',
    endpoint: '/v1/audio/speech',
    model: 'gpt-4o-mini-tts',
    config: { default_voice: 'alloy' },
    ask: { text: 'Hello', speed: 1.5 },
    answers: { 'POST /v1/audio/speech': raw('audio/mpeg', mp3) },
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
    answers: { 'POST /v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb?output_format=mp3_44100_128': raw('audio/mpeg', mp3) },
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
  gemini(
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
      part: (bytes) => ({ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: inBase64(bytes) } }),
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
    answers: { 'POST /hf-inference/models/hexgrad/Kokoro-82M': raw('audio/mpeg', mp3) },
    said: [{ path: 'POST /hf-inference/models/hexgrad/Kokoro-82M', json: { inputs: 'Hello' } }],
    result: { mediaType: 'audio/mpeg' },
    units: { kind: 'characters', input: 5, output: 0 },
  },
]

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

const transcriptions: readonly Exchange[] = [
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

const embeddings: readonly Exchange[] = [
  {
    operation: 'embedding',
    format: 'huggingface',
    endpoint: '/hf-inference/models/BAAI/bge-m3/pipeline/feature-extraction',
    model: 'BAAI/bge-m3',
    ask: { input: ['a', 'b'] },
    answers: {
      'POST /hf-inference/models/BAAI/bge-m3/pipeline/feature-extraction': {
        body: [
          [0.1, 0.2],
          [0.3, 0.4],
        ],
      },
    },
    said: [{ path: 'POST /hf-inference/models/BAAI/bge-m3/pipeline/feature-extraction', json: { inputs: ['a', 'b'] } }],
    result: {
      vectors: [
        [0.1, 0.2],
        [0.3, 0.4],
      ],
    },
    units: { kind: 'inputs', input: 2, output: 2 },
  },
]

const film = { prompt: 'Waves', seconds: 4, resolution: '720p', aspectRatio: '16:9', generateAudio: true, key: 'k-1' }

const videos: readonly Exchange[] = [
  {
    operation: 'video',
    format: 'common',
    endpoint: '/api/v1/videos',
    model: 'runway/gen-4.5',
    config: { supports_idempotency: true, cancel_endpoint: '/api/v1/videos/{job_id}/cancel' },
    ask: { ...film, firstFrame: picture },
    answers: {
      'POST /api/v1/videos': {
        status: 202,
        body: { id: 'job-1', polling_url: '/api/v1/videos/job-1', status: 'pending' },
      },
      'GET /api/v1/videos/job-1': {
        body: { id: 'job-1', status: 'completed', unsigned_urls: ['{base}/x'], usage: { cost: 0.5 } },
      },
    },
    said: [
      {
        path: 'POST /api/v1/videos',
        json: {
          model: 'runway/gen-4.5',
          prompt: 'Waves',
          duration: 4,
          resolution: '720p',
          aspect_ratio: '16:9',
          generate_audio: true,
          frame_images: [{ type: 'image_url', frame_type: 'first_frame' }],
        },
      },
      { path: 'GET /api/v1/videos/job-1' },
    ],
    result: { found: { at: { address: ending('/api/v1/videos/job-1/content?index=0') } } },
    moderated: {
      'GET /api/v1/videos/job-1': { body: { id: 'job-1', status: 'failed', error: 'Blocked by content policy' } },
    },
    forgotten: ['GET /api/v1/videos/job-1'],
    cancels: 'POST /api/v1/videos/job-1/cancel',
  },
  {
    operation: 'video',
    format: 'openai',
    endpoint: '/v1/videos',
    model: 'wan-2.7',
    ask: film,
    answers: {
      'POST /v1/videos': { body: { id: 'video_1', object: 'video', status: 'queued', progress: 0, seconds: '4' } },
      'GET /v1/videos/video_1': { body: { id: 'video_1', status: 'completed', progress: 100 } },
    },
    said: [
      { path: 'POST /v1/videos', json: { model: 'wan-2.7', prompt: 'Waves', seconds: '4', size: '1280x720' } },
      { path: 'GET /v1/videos/video_1' },
    ],
    result: { found: { at: { address: ending('/v1/videos/video_1/content') } } },
    moderated: {
      'GET /v1/videos/video_1': { body: { id: 'video_1', status: 'failed', error: { code: 'moderation_blocked' } } },
    },
    forgotten: ['GET /v1/videos/video_1'],
    cancels: 'DELETE /v1/videos/video_1',
  },
  {
    operation: 'video',
    format: 'xai',
    endpoint: '/v1/videos/generations',
    model: 'grok-imagine-video',
    ask: film,
    answers: {
      'POST /v1/videos/generations': { body: { request_id: 'req-1' } },
      'GET /v1/videos/req-1': {
        body: { status: 'done', video: { url: '{strange}/strange/v.mp4', duration: 4, respect_moderation: true } },
      },
    },
    said: [
      {
        path: 'POST /v1/videos/generations',
        json: { model: 'grok-imagine-video', prompt: 'Waves', duration: 4, aspect_ratio: '16:9', resolution: '720p' },
      },
      { path: 'GET /v1/videos/req-1' },
    ],
    result: { found: { address: ending('/strange/v.mp4') } },
    moderated: {
      'GET /v1/videos/req-1': { body: { status: 'done', video: { url: 'x', respect_moderation: false } } },
    },
    forgotten: ['GET /v1/videos/req-1'],
  },
  fal('video', 'fal-ai/kling-video', film, {
    sent: { prompt: 'Waves', duration: '4', aspect_ratio: '16:9' },
    done: { video: { url: '{strange}/strange/v.mp4', content_type: 'video/mp4' } },
    media: raw('video/mp4', pixel),
    result: { found: { address: ending('/strange/v.mp4') } },
  }),
]

export const exchanges: readonly Exchange[] = [
  ...images,
  ...sounds,
  ...speech,
  ...transcriptions,
  ...embeddings,
  ...videos,
]

interface GeminiParts {
  readonly sent: object
  readonly part: (bytes: Buffer) => object
  readonly whole: Buffer
  readonly result: object
  readonly units: object
  readonly finish: string
}

function gemini(operation: 'image' | 'tts', model: string, ask: object, parts: GeminiParts): Exchange {
  const endpoint = `/v1beta/models/${model}:generateContent`
  const path = `POST ${endpoint}`
  const answer = (part: object): Answer => ({
    body: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Here.' }, part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1290 },
    },
  })
  return {
    operation,
    format: 'gemini',
    endpoint,
    model,
    ask,
    answers: { [path]: answer(parts.part(parts.whole)) },
    said: [{ path, json: parts.sent }],
    result: parts.result,
    units: parts.units,
    moderated: { [path]: { body: { candidates: [{ content: {}, finishReason: parts.finish }] } } },
    ...(operation === 'image' ? { media: (bytes: Buffer) => ({ [path]: answer(parts.part(bytes)) }) } : {}),
  }
}

interface FalParts {
  readonly sent: object
  readonly done: object
  readonly withheld?: object
  readonly media: Answer
  readonly result: object
  readonly units?: object
}

function fal(operation: 'image' | 'audio' | 'video', model: string, ask: object, parts: FalParts): Exchange {
  const endpoint = `/${model}`
  const at = `${endpoint}/requests/r-1`
  const told = {
    request_id: 'r-1',
    status_url: `{base}${at}/status`,
    response_url: `{base}${at}`,
    cancel_url: `{base}${at}/cancel`,
  }
  const lies = `GET ${/\/strange\/[\w.]+/.exec(JSON.stringify(parts.done))?.[0]}`
  return {
    operation,
    format: 'fal',
    endpoint,
    model,
    ask,
    answers: {
      [`POST ${endpoint}`]: { body: { ...told, status: 'IN_QUEUE', queue_position: 0 } },
      [`GET ${at}/status`]: { body: { ...told, status: 'COMPLETED' } },
      [`GET ${at}`]: { body: parts.done },
      [`PUT ${at}/cancel`]: { status: 202, body: { status: 'CANCELLATION_REQUESTED' } },
      [lies]: parts.media,
    },
    said: [{ path: `POST ${endpoint}`, json: parts.sent }, { path: `GET ${at}/status` }, { path: `GET ${at}` }],
    result: parts.result,
    ...(parts.units ? { units: parts.units } : {}),
    moderated: parts.withheld
      ? { [`GET ${at}`]: { body: parts.withheld } }
      : {
          [`GET ${at}/status`]: {
            body: { ...told, status: 'COMPLETED', error: 'No', error_type: 'content_policy_violation' },
          },
        },
    forgotten: [`GET ${at}`],
    ...(operation === 'video' ? {} : { media: (bytes: Buffer) => ({ [lies]: raw('audio/mpeg', bytes) }) }),
    ...(operation === 'video'
      ? { cancels: `PUT ${at}/cancel` }
      : { stops: `PUT ${at}/cancel`, stallsAt: `GET ${at}/status` }),
  }
}

/** A text that ends in another, for `toMatchObject`. */
function ending(end: string): { asymmetricMatch(value: unknown): boolean } {
  return { asymmetricMatch: (value) => typeof value === 'string' && value.endsWith(end) }
}
