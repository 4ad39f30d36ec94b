/** Reads the list of models that a compatible provider gives, with whatever it tells of each. Pure. */
import { Capability } from '@atrium/contract/connections'
import { z } from 'zod'
import { entriesOf } from './list-shapes.ts'
import { ProviderFailure } from './types.ts'
import { asArray, asObject, asText, asTokens, type Json } from './wires/json.ts'

/** One entry of a catalogue. `kind` other than `chat` is kept out of the chat picker. */
export const ListedModel = z.object({
  id: z.string(),
  kind: z.enum(['chat', 'embedding', 'image', 'tts', 'stt', 'audio', 'video', 'other']),
  /** What it is said to do besides. */
  also: z.array(Capability).optional(),
  contextWindow: z.number().int().nullable(),
  /** null: nobody says. */
  vision: z.boolean().nullable(),
  tools: z.boolean().nullable(),
  thinking: z.boolean().nullable(),
  /** Seconds since 1970, where the provider says when it was made. */
  createdAt: z.number().int().positive().optional(),
})
export type ListedModel = z.infer<typeof ListedModel>

const maxModels = 5000

/** Takes every shape that `entriesOf` knows. Throws ProviderFailure when there is nothing usable. */
export function readModelList(answer: unknown): ListedModel[] {
  const byId = new Map<string, ListedModel>()
  for (const entry of entriesOf(answer)) {
    const id = asText(asObject(entry)?.['id'])
    if (soundId(id) && byId.size < maxModels) byId.set(id, describe(id, asObject(entry) ?? {}))
  }
  if (byId.size === 0) throw new ProviderFailure('malformed', 'The provider answered, but listed no models.')
  return [...byId.values()]
}

/** A model of which only the id is known. */
export const modelOfId = (id: string): ListedModel => describe(id, {})

export const soundId = (id: string): boolean => id.length > 0 && id.length <= 200 && !/[\p{Cc}\\]|\.\./u.test(id)

const describe = (id: string, entry: Json): ListedModel => ({
  id,
  kind: kindOf(id, entry),
  ...(drawsToo(entry) ? { also: ['image'] } : {}),
  contextWindow: contextOf(entry),
  vision: visionOf(id, entry),
  tools: said(entry, /^(tools?|tool_use|tool_calling|function_calling|functions)$/),
  thinking:
    said(entry, /^(reasoning|include_reasoning|reasoning_effort|thinking)$/) ?? (thinkingNames.test(id) || null),
  createdAt: createdAtOf(entry),
})

/** Lists say it in seconds, or as a text (Anthropic); 0, and what no date can be, is how some say nothing. */
function createdAtOf(entry: Json): number | undefined {
  const said = entry['created'] ?? entry['created_at'] ?? entry['createdAt']
  const seconds = typeof said === 'string' ? Date.parse(said) / 1000 : said
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds < latestSeconds)) return undefined
  return Math.floor(seconds) || undefined
}
/** The year 2100; what is more stands in milliseconds, or is nonsense. */
const latestSeconds = 4_102_444_800

const contextKeys = [
  'context_length',
  'context_window',
  'max_context_length',
  'max_context_tokens',
  'max_model_len',
  'max_input_tokens',
  'inputTokenLimit',
]

function contextOf(entry: Json): number | null {
  const top = asTokens(asObject(entry['top_provider'])?.['context_length'])
  if (top) return top
  for (const key of contextKeys) {
    const tokens = asTokens(entry[key])
    if (tokens) return tokens
  }
  const meta = asObject(entry['meta'])
  return asTokens(meta?.['n_ctx']) || asTokens(meta?.['n_ctx_train']) || null
}

/** Whether the entry names a feature: true or false where it speaks of features at all, else null. */
function said(entry: Json, name: RegExp): boolean | null {
  const parameters = entry['supported_parameters']
  const capabilities = entry['capabilities']
  const table = asObject(capabilities)
  if (table) {
    const keys = Object.keys(table).filter((key) => name.test(key))
    if (keys.length > 0) return keys.some((key) => table[key] === true || asObject(table[key])?.['supported'] === true)
  }
  const words = [...asArray(parameters), ...asArray(capabilities)].filter((word) => typeof word === 'string')
  return words.length > 0 ? words.some((word) => name.test(word)) : null
}

function visionOf(id: string, entry: Json): boolean | null {
  const modalities = [
    ...asArray(asObject(entry['architecture'])?.['input_modalities']),
    ...asArray(entry['input_modalities']),
    ...asArray(asObject(entry['modalities'])?.['input']),
    ...asArray(entry['supported_input_modalities']),
  ]
  if (modalities.length > 0) return modalities.includes('image')
  if (entry['type'] === 'vlm') return true
  const table = asObject(entry['capabilities'])
  if (typeof table?.['vision'] === 'boolean') return table['vision']
  const words = asArray(entry['capabilities'])
  if (words.includes('vision') || words.includes('multimodal')) return true
  return visionNames.test(id) || null
}

const outputsOf = (entry: Json): readonly unknown[] => asArray(asObject(entry['architecture'])?.['output_modalities'])

const drawsToo = (entry: Json): boolean => outputsOf(entry).includes('text') && outputsOf(entry).includes('image')

function kindOf(id: string, entry: Json): ListedModel['kind'] {
  const type = asText(entry['type']) || asText(entry['task']) || asText(entry['mode'])
  for (const [kind, name] of kindsByType) if (name.test(type)) return kind
  if (asObject(entry['capabilities'])?.['completion_chat'] === false) return 'other'
  const output = outputsOf(entry)
  if (output.length > 0 && !output.includes('text')) {
    return (['image', 'video', 'audio'] as const).find((kind) => output.includes(kind)) ?? 'other'
  }
  for (const [kind, name] of kindsByName) if (name.test(id)) return kind
  return 'chat'
}

type Named = readonly (readonly [Exclude<ListedModel['kind'], 'chat'>, RegExp])[]
const kindsByType: Named = [
  ['embedding', /embed/i],
  ['image', /^(image|text-to-image|image_generation)$/i],
  ['tts', /^(tts|text-to-speech|audio_speech)$/i],
  ['stt', /^(stt|transcri\w*|automatic-speech-recognition|audio_transcription)$/i],
  ['video', /^(video|text-to-video)$/i],
  ['audio', /^(audio|text-to-audio)$/i],
  ['other', /^(moderation|rerank\w*)$/i],
]
const kindsByName: Named = [
  ['embedding', /embed/i],
  ['image', /dall-e|gpt-image|stable-diffusion|(^|[/_-])imagen([^a-z]|$)/i],
  ['tts', /text-to-speech|(^|[^a-z])tts([^a-z]|$)/i],
  ['stt', /whisper|transcribe/i],
  ['video', /(^|[^a-z])(sora|veo)([^a-z]|$)/i],
  ['other', /moderation|rerank/i],
]
const thinkingNames = /(^|[/_-])(o[134]|gpt-5|deepseek-r1|qwq|magistral)([^a-z0-9]|$)|thinking|reasoner/i
const visionNames =
  /gpt-4o|gpt-4\.1|gpt-5|claude-(3|opus|sonnet|haiku)|gemini|llava|pixtral|(^|[^a-z])vl([^a-z]|$)|vision|llama-4|gemma-?3/i
