/**
 * What Gemini makes besides words: pictures and speech by `:generateContent`, films by Interactions
 * (ai.google.dev/api/generate-content, ai.google.dev/gemini-api/docs/interactions).
 */
import { json, type Refusals } from '../writing.ts'
import { type Maker, type MakerCall, objectOf, rootOf, sendBytes, turnedAway } from './call.ts'
import { film, pixel, samples } from './samples.ts'

const problem: Refusals = (message, _type, _code, status = 400) => ({
  error: { code: status, message, status: status === 401 ? 'UNAUTHENTICATED' : 'INVALID_ARGUMENT' },
})

export const geminiMedia: Maker = async (state, call, res) => {
  const { method, url, headers, body } = call
  const { pathname } = url
  const [, model = ''] = /^\/v1beta\/models\/(.+):generateContent$/.exec(pathname) ?? []
  const modalities = modalitiesOf(body)
  // Models that draw while they chat are the wire's own.
  const isMade = model !== '' && modalities.some((one) => one !== 'TEXT') && !model.includes('painter')
  const isFilm = /^\/v1beta\/(interactions|files)(\/|$)/.test(pathname)
  if (!isMade && !isFilm) return false
  const shown = typeof headers['x-goog-api-key'] === 'string' ? headers['x-goog-api-key'] : undefined
  const named = isMade ? model : String(objectOf(body)['model'] ?? '')
  if (await turnedAway(state, res, { shown, model: named, problem })) return
  if (isFilm) return films(call, method, res)
  const wrong = complaint(objectOf(body), modalities)
  if (wrong) return json(res, 400, problem(wrong, '', null))
  const made = modalities.includes('AUDIO')
    ? { mimeType: 'audio/L16;codec=pcm;rate=24000', data: samples.toString('base64') }
    : { mimeType: 'image/png', data: pixel.toString('base64') }
  const parts = [...(modalities.includes('TEXT') ? [{ text: 'Here it is.' }] : []), { inlineData: made }]
  json(res, 200, {
    candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1290, totalTokenCount: 1295 },
    modelVersion: decodeURIComponent(model),
    responseId: 'resp-media',
  })
}

const modalitiesOf = (body: unknown): string[] => {
  const told = objectOf(objectOf(body)['generationConfig'])['responseModalities']
  return Array.isArray(told) ? told.map(String) : []
}

/** What the API refuses: it knows the name of every field. */
function complaint(body: Record<string, unknown>, modalities: readonly string[]): string | null {
  const config = objectOf(body['generationConfig'])
  const unknown = [
    ...strange(body, ['contents', 'generationConfig']),
    ...strange(config, ['responseModalities', 'imageConfig', 'speechConfig', 'seed']),
    ...strange(objectOf(config['imageConfig']), ['aspectRatio', 'imageSize']),
    ...strange(objectOf(config['speechConfig']), ['voiceConfig']),
  ]
  if (unknown[0] !== undefined) return `Invalid JSON payload received. Unknown name "${unknown[0]}": Cannot find field.`
  const contents = Array.isArray(body['contents']) ? body['contents'].map(objectOf) : []
  const parts = contents.flatMap(({ parts: some }) => (Array.isArray(some) ? some.map(objectOf) : []))
  if (!parts.some(({ text }) => typeof text === 'string')) return '* GenerateContentRequest.contents: is not specified'
  const voice = objectOf(objectOf(config['speechConfig'])['voiceConfig'])['prebuiltVoiceConfig']
  if (modalities.includes('AUDIO') && typeof objectOf(voice)['voiceName'] !== 'string')
    return 'Voice name is not specified.'
  return null
}

const strange = (value: object, known: readonly string[]): string[] =>
  Object.keys(value).filter((name) => !known.includes(name))

/** An interaction in the background, done when it is asked about; its film lies among the files of the same host. */
function films(call: MakerCall, method: string, res: Parameters<Maker>[2]): void | false {
  const { url } = call
  const body = objectOf(call.body)
  const id = 'v1_ChdmaWxt'
  if (method === 'POST' && url.pathname === '/v1beta/interactions') {
    const wanted = objectOf(body['response_format'])
    const isWhole = body['input'] !== undefined && body['background'] === true && wanted['type'] === 'video'
    if (!isWhole) return json(res, 400, problem('Invalid request.', '', null))
    return json(res, 200, { id, object: 'interaction', model: body['model'], status: 'in_progress', steps: [] })
  }
  if (method === 'POST' && url.pathname === `/v1beta/interactions/${id}/cancel`)
    return json(res, 200, { id, object: 'interaction', status: 'cancelled' })
  if (method === 'GET' && url.pathname === `/v1beta/interactions/${id}`) {
    const uri = `${rootOf(call)}/v1beta/files/f1lm:download?alt=media`
    const content = [{ type: 'video', mime_type: 'video/mp4', uri }]
    return json(res, 200, {
      id,
      object: 'interaction',
      status: 'completed',
      steps: [
        { type: 'thought', content: [] },
        { type: 'model_output', content },
      ],
      usage: { total_tokens: 4000, output_tokens_by_modality: [{ modality: 'video', tokens: 4000 }] },
    })
  }
  if (method === 'GET' && url.pathname === '/v1beta/files/f1lm:download' && url.searchParams.get('alt') === 'media')
    return sendBytes(res, 'video/mp4', film())
  return json(res, 404, problem('Requested entity was not found.', '', null, 404))
}
