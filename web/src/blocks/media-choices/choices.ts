/** What can be chosen when something is made, as the definition of its model lists it. Pure. */
import type { MediaModel, MediaModels } from '@atrium/contract/media-gallery'

export const kinds = ['image', 'video', 'speech', 'sound'] as const
export type MakeKind = (typeof kinds)[number]

/** One choice among the listed ones: the field of the request, and its values. */
export interface Choice {
  readonly field: string
  readonly values: readonly string[]
  /** What the model takes where nothing is chosen; empty: it decides by itself. */
  readonly usual: string
}

/** The kinds that something can be made of here. */
export const kindsOf = (models: MediaModels): MakeKind[] => kinds.filter((kind) => models[kind].length > 0)

/** By kind: the field of the request, where its values are listed, and what is usual. */
const fields: Readonly<Record<MakeKind, readonly (readonly [field: string, listed: string, usual: string])[]>> = {
  image: [
    ['size', 'sizes', 'default_size'],
    ['quality', 'qualities', 'default_quality'],
    ['style', 'styles', 'default_style'],
  ],
  video: [
    ['durationMs', 'durations', 'default_duration'],
    ['resolution', 'resolutions', 'default_resolution'],
    ['aspectRatio', 'aspect_ratios', 'default_aspect_ratio'],
  ],
  speech: [
    ['voice', 'voices', 'default_voice'],
    ['responseFormat', 'formats', 'default_format'],
  ],
  sound: [
    ['voice', 'voices', 'default_voice'],
    ['format', 'formats', 'default_format'],
  ],
}

export const choicesOf = (kind: MakeKind, { config }: MediaModel): Choice[] => [
  ...fields[kind].flatMap(([field, listed, usual]) => {
    const values = config[listed]
    if (!Array.isArray(values) || values.length === 0) return []
    const said = config[usual]
    return [
      {
        field,
        values: values.map(String),
        usual: typeof said === 'string' || typeof said === 'number' ? String(said) : '',
      },
    ]
  }),
  ...(kind === 'sound' ? lengthsOf(config) : []),
]

/** Lengths of sounds in seconds, of which definitions tell the shortest and the longest alone. */
const usualLengths = [1, 2, 5, 10, 20, 30, 60, 120, 180, 300, 600]

const lengthsOf = ({ min_duration_ms: least, max_duration_ms: most }: MediaModel['config']): Choice[] => {
  if (typeof most !== 'number') return []
  const shortest = typeof least === 'number' ? least : 0
  const values = usualLengths.filter((seconds) => seconds * 1000 >= shortest && seconds * 1000 <= most).map(String)
  return values.length === 0 ? [] : [{ field: 'durationMs', values, usual: '' }]
}

/** How many pictures can be asked for at once; the server asks one by one where a model draws one at a time. */
export const mostPictures = ({ config }: MediaModel): number => {
  const most = config['max_n']
  return typeof most === 'number' ? Math.min(10, Math.max(usualPictures, most)) : usualPictures
}
const usualPictures = 4

export const takesMask = ({ config }: MediaModel): boolean => config['supports_mask'] === true

/** What a film is made with beside its choices. */
export interface Film {
  /** Ids of pictures of the gallery; empty: none. */
  readonly firstFrameId: string
  readonly lastFrameId: string
  /** null: as is usual. */
  readonly generateAudio: boolean | null
}

export const noFilm: Film = { firstFrameId: '', lastFrameId: '', generateAudio: null }

/** Whether a film can begin and end with a picture, and be made with sound or without. */
export const filmPartsOf = ({ config }: MediaModel) => ({
  first: config['supports_frames'] === true || config['supports_first_frame'] === true,
  last: config['supports_frames'] === true,
  audio: config['supports_audio'] === true,
  usualAudio: config['default_generate_audio'] === true,
})

/** The fields of the request; what the model does not do is left out. */
export function filmFieldsOf(model: MediaModel, { firstFrameId, lastFrameId, generateAudio }: Film) {
  const { first, last, audio } = filmPartsOf(model)
  return {
    ...(first && firstFrameId !== '' ? { firstFrameId } : {}),
    ...(last && lastFrameId !== '' ? { lastFrameId } : {}),
    ...(audio && generateAudio !== null ? { generateAudio } : {}),
  }
}

/** Of what was chosen, that which this model lists. */
export const listedOf = (
  choices: readonly Choice[],
  chosen: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    choices.flatMap(({ field, values }) => {
      const value = chosen[field] ?? ''
      return values.includes(value) ? [[field, value]] : []
    }),
  )

/** The fields of a request from what was chosen; what was not chosen is left out. */
export const requestOf = (
  kind: MakeKind,
  { pluginId, model }: MediaModel,
  prompt: string,
  chosen: Readonly<Record<string, string>>,
  count: number,
): Record<string, unknown> => ({
  pluginId,
  model,
  [kind === 'speech' ? 'input' : 'prompt']: prompt,
  ...optionsOf(kind, chosen, count),
})

/** What was chosen alone. */
export const optionsOf = (
  kind: MakeKind,
  chosen: Readonly<Record<string, string>>,
  count: number,
): Record<string, string | number> => ({
  ...(kind === 'image' && count > 1 ? { n: count } : {}),
  ...Object.fromEntries(
    Object.entries(chosen)
      .filter(([, value]) => value !== '')
      // Definitions list seconds.
      .map(([field, value]) => [field, field === 'durationMs' ? Math.round(Number(value) * 1000) : value]),
  ),
})
