/** Reads a definition out of text far enough to show it; the server checks every field. */
import type { Definition } from '@atrium/contract/connections'

export type DefinitionResult =
  | { readonly definition: Definition }
  | {
      readonly wrong: 'empty' | 'json' | 'shape' | 'list' | 'fields' | 'other'
      readonly more?: Record<string, unknown>
    }

const demanded = ['id', 'name', 'type', 'endpoint', 'auth', 'model_map'] as const

/** What the text holds, or in which way it holds no definition. `only`: the id it has to have. */
export function readDefinition(text: string, only?: string): DefinitionResult {
  if (text.trim() === '') return { wrong: 'empty' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { wrong: 'json', more: { where: placeOf(text, error) } }
  }
  if (Array.isArray(value)) return { wrong: 'list' }
  if (typeof value !== 'object' || value === null) return { wrong: 'shape' }
  const missing = demanded.filter((name) => !(name in value))
  if (missing.length > 0) return { wrong: 'fields', more: { fields: missing.join(', ') } }
  // Every field is checked by the server, which says what is wrong with it.
  const definition = value as Definition
  if (only !== undefined && definition.id !== only) return { wrong: 'other', more: { id: String(definition.id), only } }
  return { definition }
}

/** Where the JSON breaks off, as `3:7`: what the browser says, else the first thing that is no part of JSON. */
function placeOf(text: string, error: unknown): string {
  const words = error instanceof Error ? error.message : ''
  const told = /line (\d+) column (\d+)/.exec(words)
  if (told) return `${told[1]}:${told[2]}`
  const before = text.slice(0, Number(/position (\d+)/.exec(words)?.[1] ?? parts.exec(text)?.[0].length))
  return `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`
}
const parts = /^(?:[\s{}[\]:,]|"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)*/
