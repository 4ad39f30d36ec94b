/** What an account set as usual for a model, as fields of a wish. Pure. */
import type { Config } from './options.ts'

type Kind = 'image' | 'video' | 'speech'

/** By kind: the field of the wish, and where the definition of a model lists its values. */
const fields: Readonly<Record<Kind, readonly (readonly [field: string, listed: string])[]>> = {
  image: [
    ['size', 'sizes'],
    ['quality', 'qualities'],
    ['style', 'styles'],
  ],
  video: [
    ['durationMs', 'durations'],
    ['resolution', 'resolutions'],
    ['aspectRatio', 'aspect_ratios'],
  ],
  speech: [
    ['voice', 'voices'],
    ['responseFormat', 'formats'],
  ],
}

/** What the model does not list, or no longer, is left out: it was not chosen for this making. */
export const usualFields = (
  kind: Kind,
  options: Readonly<Record<string, string>>,
  config: Config,
): Record<string, string | number> => {
  const usual: Record<string, string | number> = {}
  for (const [field, listed] of fields[kind]) {
    const said = options[field]
    const values = config[listed]
    if (said === undefined || !Array.isArray(values) || !values.map(String).includes(said)) continue
    // Definitions list seconds.
    usual[field] = field === 'durationMs' ? Math.round(Number(said) * 1000) : said
  }
  return usual
}
