/**
 * What ComfyUI is asked to run where a definition brings no graph of its own (`workflow`, `edit_workflow`,
 * `mask_workflow` in the options of its images). A graph is data: in the place of a value stands the name of a slot.
 */
import type { Json } from '../../wires/json.ts'

/** The slots of a graph. */
export const slots = ['prompt', 'model', 'width', 'height', 'batch', 'seed', 'steps', 'cfg', 'image', 'mask'] as const
export type Slot = (typeof slots)[number]

const model = { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: '{{model}}' } }
const wanted = { class_type: 'CLIPTextEncode', inputs: { text: '{{prompt}}', clip: ['model', 1] } }
const unwanted = { class_type: 'CLIPTextEncode', inputs: { text: '', clip: ['model', 1] } }
const blank = {
  class_type: 'EmptyLatentImage',
  inputs: { width: '{{width}}', height: '{{height}}', batch_size: '{{batch}}' },
}
const source = { class_type: 'LoadImage', inputs: { image: '{{image}}' } }
const mask = { class_type: 'LoadImageMask', inputs: { image: '{{mask}}', channel: 'alpha' } }
const encoded = { class_type: 'VAEEncode', inputs: { pixels: ['source', 0], vae: ['model', 2] } }
const masked = {
  class_type: 'VAEEncodeForInpaint',
  inputs: { pixels: ['source', 0], vae: ['model', 2], mask: ['mask', 0], grow_mask_by: 6 },
}
const decoded = { class_type: 'VAEDecode', inputs: { samples: ['drawn', 0], vae: ['model', 2] } }
const saved = { class_type: 'SaveImage', inputs: { images: ['decoded', 0], filename_prefix: 'atrium' } }
const drawn = (positive: string, denoise: number): Json => ({
  class_type: 'KSampler',
  inputs: {
    model: ['model', 0],
    positive: [positive, 0],
    negative: ['unwanted', 0],
    latent_image: ['latent', 0],
    seed: '{{seed}}',
    steps: '{{steps}}',
    cfg: '{{cfg}}',
    sampler_name: 'euler',
    scheduler: 'simple',
    denoise,
  },
})

export const textGraph: Json = { model, wanted, unwanted, latent: blank, drawn: drawn('wanted', 1), decoded, saved }

/** Models of the Flux family are guided by a node instead of by negative words. */
export const fluxGraph: Json = {
  model,
  wanted,
  unwanted,
  guided: { class_type: 'FluxGuidance', inputs: { conditioning: ['wanted', 0], guidance: 3.5 } },
  latent: blank,
  drawn: drawn('guided', 1),
  decoded,
  saved,
}

export const editGraph: Json = {
  model,
  wanted,
  unwanted,
  source,
  latent: encoded,
  drawn: drawn('wanted', 0.65),
  decoded,
  saved,
}

export const maskGraph: Json = {
  model,
  wanted,
  unwanted,
  source,
  mask,
  latent: masked,
  drawn: drawn('wanted', 1),
  decoded,
  saved,
}
