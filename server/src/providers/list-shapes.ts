/** Lists of models in the shapes of providers with a format of their own, as entries of the common one. Pure. */
import { asArray, asObject, asText, type Json } from './wires/json.ts'

/** The entries of `{data}`, of a bare array (also of names alone), of Gemini's `{models}` and of Bedrock's `{modelSummaries}`. */
export function entriesOf(answer: unknown): unknown[] {
  if (Array.isArray(answer)) return answer.map(plainEntry)
  const whole = asObject(answer)
  if (Array.isArray(whole?.['data'])) return whole['data']
  if (Array.isArray(whole?.['modelSummaries'])) return whole['modelSummaries'].map((entry) => summary(asObject(entry)))
  return asArray(whole?.['models']).map((entry) => named(asObject(entry)))
}

/** ComfyUI lists the names of files alone, and the web UI of Stable Diffusion calls the id of a model its name. */
function plainEntry(entry: unknown): unknown {
  if (typeof entry === 'string') return { id: entry }
  const name = asObject(entry)?.['model_name']
  return typeof name === 'string' ? { id: name } : entry
}

/** `{"name":"models/…","inputTokenLimit":…,"supportedGenerationMethods":[…],"thinking":true}`. */
function named(entry: Json | null): Json {
  const methods = asArray(entry?.['supportedGenerationMethods'])
  const limit = entry?.['inputTokenLimit']
  const thinks = entry?.['thinking']
  return {
    id: asText(entry?.['name']).replace(/^models\//, ''),
    inputTokenLimit: limit,
    ...(methods.length > 0 ? { type: typeByMethods(methods) } : {}),
    ...(typeof thinks === 'boolean' ? { capabilities: { thinking: thinks } } : {}),
  }
}

function typeByMethods(methods: readonly unknown[]): string {
  // Empty: a model that talks, unless its name says otherwise.
  if (methods.includes('generateContent')) return ''
  if (methods.includes('embedContent')) return 'embedding'
  if (methods.includes('predictLongRunning')) return 'video'
  return methods.includes('predict') ? 'image' : 'moderation'
}

/** `{"modelId":"…","modelArn":"…","outputModalities":["TEXT"],"inferenceTypesSupported":["ON_DEMAND"]}`. */
function summary(entry: Json | null): Json {
  const modalities = (name: string) => asArray(entry?.[name]).map((word) => asText(word).toLowerCase())
  const output = modalities('outputModalities')
  return {
    id: callableId(entry),
    input_modalities: modalities('inputModalities'),
    architecture: { output_modalities: output },
    ...(output.includes('embedding') ? { type: 'embedding' } : {}),
  }
}

/** Models that run nowhere by themselves are called through the profile of the region's part of the world. */
function callableId(entry: Json | null): string {
  const id = asText(entry?.['modelId'])
  const types = asArray(entry?.['inferenceTypesSupported'])
  if (types.length === 0 || types.includes('ON_DEMAND') || !types.includes('INFERENCE_PROFILE')) return id
  const region = asText(entry?.['modelArn']).split(':')[3] ?? ''
  const [, part = ''] = /^(us-gov|us|eu|ap)-/.exec(region) ?? []
  return `${{ 'us-gov': 'us-gov', us: 'us', eu: 'eu', ap: 'apac' }[part] ?? 'global'}.${id}`
}
