/**
 * Pictures over ComfyUI: a graph goes to `/prompt`, `/queue` says whether it still waits or runs, `/history` what came of
 * it, and `/view` gives each picture. Sources are laid down first, at `/upload/image`.
 */
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { asArray, asObject, asText, type Json } from '../../wires/json.ts'
import { ProviderFailure } from '../../types.ts'
import type { About, FoundImages, FormatRequest, TaskFormat } from '../format.ts'
import { textIn, unreadableAnswer } from '../route.ts'
import type { ImageAsk, SourcePicture } from '../types.ts'
import { editGraph, fluxGraph, maskGraph, type Slot, slots, textGraph } from './comfyui-graphs.ts'

export const comfyuiImages: TaskFormat<ImageAsk, FoundImages> = {
  before: ({ sources = [], mask }) => [...sources.slice(0, 1), ...(mask ? [mask] : [])].map(layDown),

  say: (ask, about) => ({
    json: { prompt: fill(graphFor(ask, about), valuesOf(ask, about)), prompt_id: randomUUID() },
  }),

  accepted({ json }) {
    const id = asText(asObject(json)?.['prompt_id'])
    if (id === '') throw unreadableAnswer()
    return { id }
  },

  whereToAsk: () => ({ address: 'queue' }),

  state({ json }, { id }) {
    const queue = asObject(json)
    if (holds(queue?.['queue_running'], id)) return { state: 'running', progress: null }
    return holds(queue?.['queue_pending'], id) ? { state: 'waiting', progress: null } : { state: 'done' }
  },

  whereResult: ({ id }) => ({ address: `history/${encodeURIComponent(id)}` }),

  result({ json }, { id }) {
    const entry = asObject(asObject(json)?.[id])
    if (!entry) throw new ProviderFailure('rejected', 'The provider no longer has this.')
    if (asText(asObject(entry['status'])?.['status_str']) === 'error') {
      throw new ProviderFailure('rejected', 'ComfyUI could not run the workflow. Its own log says why.')
    }
    const images = Object.values(asObject(entry['outputs']) ?? {}).flatMap((node) =>
      asArray(asObject(node)?.['images']),
    )
    const pictures = images
      .map(asObject)
      .filter((image) => image !== null)
      .filter((image) => image['type'] === 'output')
      .map((image) => ({ found: { at: placeOf(image) } }))
    if (pictures.length === 0) throw unreadableAnswer()
    return { pictures }
  },

  /** Out of the queue where it waits, and stopped where it runs. */
  cancel: ({ id }) => [
    { address: 'queue', json: { delete: [id] } },
    { address: 'interrupt', json: { prompt_id: id } },
  ],
}

const layDown = (source: SourcePicture): FormatRequest => ({
  address: 'upload/image',
  form: { fields: [['overwrite', 'true']], files: [{ ...source, name: nameOf(source), field: 'image' }] },
})

/** By its content: the same picture lies there once, and nobody's file is replaced by another. */
const nameOf = ({ bytes, mediaType }: SourcePicture): string => {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return `atrium-${digest}.${mediaType === 'image/jpeg' ? 'jpg' : mediaType === 'image/webp' ? 'webp' : 'png'}`
}

const holds = (list: unknown, id: string): boolean => asArray(list).some((entry) => asArray(entry)[1] === id)

const placeOf = (image: Json): FormatRequest => {
  const query = new URLSearchParams({
    filename: asText(image['filename']),
    subfolder: asText(image['subfolder']),
    type: 'output',
  })
  return { address: `view?${query}` }
}

function graphFor({ sources = [], mask }: ImageAsk, { model, config }: About): Json {
  const own = (name: string): Json | null => asObject(config[name])
  if (sources.length > 0 && mask) return own('mask_workflow') ?? maskGraph
  if (sources.length > 0) return own('edit_workflow') ?? editGraph
  return own('workflow') ?? (isFlux(model) ? fluxGraph : textGraph)
}

const isFlux = (model: string): boolean => /flux/i.test(model)

/** How often it is gone over, by the word for how good it shall be. */
const stepsOf: Readonly<Record<string, number>> = { draft: 10, standard: 20, high: 30, ultra: 50 }
const stepsOfFast = 4

function valuesOf(ask: ImageAsk, { model, config, variables }: About): Readonly<Record<Slot, string | number>> {
  const set = (name: string): number | null => (typeof variables[name] === 'number' ? variables[name] : null)
  const quality = ask.quality ?? textIn(config, 'default_quality') ?? 'standard'
  const [, width = '1024', height = '1024'] =
    /^(\d{2,5})x(\d{2,5})$/.exec(ask.size ?? textIn(config, 'default_size') ?? '') ?? []
  const fast = /schnell|turbo|lightning/i.test(model)
  const usual = quality === 'standard' ? (set('steps') ?? 20) : (stepsOf[quality] ?? 20)
  const seed = ask.seed ?? set('seed') ?? -1
  const [source] = ask.sources ?? []
  return {
    prompt: ask.prompt,
    model: /\.[a-z]{2,12}$/.test(model) ? model : `${model}.safetensors`,
    width: Number(width),
    height: Number(height),
    batch: ask.count ?? 1,
    seed: seed >= 0 ? seed : randomInt(2 ** 31),
    steps: fast ? stepsOfFast : usual,
    cfg: isFlux(model) ? 1 : (set('cfg_scale') ?? 7),
    image: source ? nameOf(source) : '',
    mask: ask.mask ? nameOf(ask.mask) : '',
  }
}

/** A slot that is all of a text becomes the value itself, and one within a text its words. */
function fill(graph: unknown, values: Readonly<Record<Slot, string | number>>): unknown {
  if (typeof graph === 'string') {
    const whole = slots.find((slot) => graph === `{{${slot}}}`)
    if (whole) return values[whole]
    return graph.replace(/\{\{(\w+)\}\}/g, (place, name: string) =>
      name in values ? String(values[name as Slot]) : place,
    )
  }
  if (Array.isArray(graph)) return graph.map((entry) => fill(entry, values))
  const object = asObject(graph)
  if (!object) return graph
  return Object.fromEntries(Object.entries(object).map(([name, entry]) => [name, fill(entry, values)]))
}
