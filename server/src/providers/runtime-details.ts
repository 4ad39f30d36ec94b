/** Reads what the local runtime tells of one model. Pure; whatever is missing or odd is left out. */
import type { ModelDetails, ModelParameters } from '@atrium/contract/local-runtime'
import { asArray, asObject, asText, asTokens, type Json } from './wires/json.ts'

const longestText = 200_000
const longestWord = 200
const mostParameters = 200

export function readShown(name: string, shown: Json, verbose: boolean): ModelDetails {
  const info = asObject(shown['model_info']) ?? {}
  const details = asObject(shown['details'])
  const figure = (ending: string): number | null => {
    const key = Object.keys(info).find((entry) => entry.endsWith(ending))
    return key ? asTokens(info[key]) : null
  }
  return {
    name,
    family: asText(details?.['family']).slice(0, longestWord) || null,
    format: asText(details?.['format']).slice(0, longestWord) || null,
    parameterSize: asText(details?.['parameter_size']).slice(0, longestWord) || null,
    quantization: asText(details?.['quantization_level']).slice(0, longestWord) || null,
    contextWindow: figure('.context_length'),
    embeddingLength: figure('.embedding_length'),
    capabilities: asArray(shown['capabilities'])
      .slice(0, 20)
      .map((word) => asText(word).slice(0, longestWord))
      .filter(Boolean),
    modifiedAt: asTime(shown['modified_at']),
    parameters: readParameters(asText(shown['parameters'])),
    system: bounded(shown['system']),
    template: bounded(shown['template']),
    license: bounded(asArray(shown['license'])[0] ?? shown['license']),
    definition: bounded(shown['modelfile']),
    info: verbose ? plainInfo(info) : null,
  }
}

/** Lines such as `temperature 0.7` and `stop "<|end|>"`; a name that comes again becomes a list. */
export function readParameters(text: string): ModelParameters {
  const read = new Map<string, (string | number | boolean)[]>()
  for (const line of text.split('\n')) {
    const [, name, written] = /^\s*([a-z][a-z0-9_]{0,39})\s+(.+?)\s*$/.exec(line) ?? []
    if (!name || written === undefined || (!read.has(name) && read.size >= mostParameters)) continue
    read.set(name, [...(read.get(name) ?? []), readValue(written)].slice(0, 50))
  }
  const value = (values: (string | number | boolean)[]) =>
    values.length === 1 && values[0] !== undefined ? values[0] : values.map((one) => String(one))
  return Object.fromEntries([...read].map(([name, values]) => [name, value(values)]))
}

/** The runtime writes nanoseconds and its own zone; null where that is no time. */
export function asTime(value: unknown): string | null {
  const time = Date.parse(asText(value))
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function readValue(written: string): string | number | boolean {
  const quoted = /^"(.*)"$/s.exec(written)?.[1]
  if (quoted !== undefined) return quoted.replace(/\\(["\\])/g, '$1').slice(0, 2000)
  if (written === 'true' || written === 'false') return written === 'true'
  const number = Number(written)
  return Number.isFinite(number) ? number : written.slice(0, 2000)
}

const bounded = (value: unknown): string | null => asText(value).slice(0, longestText) || null

/** Vocabularies and the like are left out: they are lists of a hundred thousand entries. */
function plainInfo(info: Json): Record<string, string | number | boolean> {
  const plain = Object.entries(info).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return Object.fromEntries(plain.slice(0, 500)) as Record<string, string | number | boolean>
}
