/** What OpenRouter has of its own beside the common routes: pictures, and lists by kind (openrouter.ai/docs/api-reference). */
import { json, type Refusals } from '../writing.ts'
import { keyAfter, type Maker, objectOf, turnedAway } from './call.ts'
import { pixel } from './samples.ts'

const problem: Refusals = (message, _type, _code, status = 400) => ({ error: { code: status, message } })

const kinds: Readonly<Record<string, readonly [input: string[], output: string[], ...ids: string[]]>> = {
  image: [['text', 'image'], ['image'], 'google/gemini-3.1-flash-image', 'openai/gpt-image-2'],
  video: [['text', 'image'], ['video'], 'runway/gen-4.5'],
  speech: [['text'], ['speech'], 'fish-audio/s2-pro'],
  audio: [['text', 'audio'], ['text', 'audio'], 'openai/gpt-audio'],
}

export const openRouter: Maker = async (state, { method, url, headers, body }, res) => {
  const { pathname, searchParams } = url
  if (!pathname.startsWith('/api/v1/')) return false
  const named = /^\/api\/v1\/(image|video)s\/models$/.exec(pathname)?.[1]
  const kind = named ?? (pathname === '/api/v1/models' ? (searchParams.get('output_modalities') ?? '') : '')
  const isList = method === 'GET' && kinds[kind] !== undefined
  const isPicture = method === 'POST' && pathname === '/api/v1/images'
  if (!isList && !isPicture) return false
  const sent = objectOf(body)
  const model = typeof sent['model'] === 'string' ? sent['model'] : ''
  if (await turnedAway(state, res, { shown: keyAfter('Bearer ', headers), model, problem })) return
  if (isList) return json(res, 200, { data: listOf(kind) })
  const references = sent['input_references']
  if (typeof sent['prompt'] !== 'string' || (references !== undefined && !isReferences(references)))
    return json(res, 400, problem('Invalid input', '', null))
  const data = [{ b64_json: pixel.toString('base64'), media_type: 'image/png' }]
  json(res, 200, { created: 1_790_000_000, data, usage: { prompt_tokens: 12, completion_tokens: 1290, cost: 0.04 } })
}

const listOf = (kind: string): object[] => {
  const [input = [], output = [], ...ids] = kinds[kind] ?? []
  return ids.map((id) => ({
    id,
    name: id,
    created: 1_790_000_000,
    architecture: { input_modalities: input, output_modalities: output },
  }))
}

const isReferences = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((one) => String(objectOf(objectOf(one)['image_url'])['url']).startsWith('data:image/'))
