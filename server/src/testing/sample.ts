/** Values that fit a schema, for tests that walk over all routes. */
import { z } from 'zod'

/** The least that a schema takes: required members only, shortest strings, smallest numbers. */
export const sampleOf = (schema: z.ZodType): unknown => fill(jsonSchemaOf(schema))

/** Walks ask for the same schemas again and again, and to translate one takes longer than a request. */
const translated = new WeakMap<z.ZodType, JsonSchema>()
const jsonSchemaOf = (schema: z.ZodType): JsonSchema => {
  const known = translated.get(schema)
  if (known) return known
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  translated.set(schema, made)
  return made
}

interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly format?: string
  readonly pattern?: string
}

const fill = (schema: JsonSchema): unknown => {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'string') return text(schema)
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (first) return fill(first)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((name) => [name, fill(schema.properties?.[name] ?? {})]))
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => fill(schema.items ?? {}))
    case 'number':
    case 'integer':
      return Math.max(schema.minimum ?? 1, -1000)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return 'anything'
  }
}

const text = ({ format, pattern, allOf = [], minLength = 0 }: JsonSchema): string => {
  if (format === 'email') return 'ann@example.org'
  if (format === 'uri') return 'http://localhost:1234/v1/chat/completions'
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z'
  const patterns = [pattern, ...allOf.map((part) => part.pattern)].flatMap((one) => (one ? [new RegExp(one, 'u')] : []))
  for (const candidate of ['unknown-id-0001', 'localhost:1234', 'x', '1', 'USD', '/srv/data', '0'.repeat(32)]) {
    if (candidate.length >= minLength && patterns.every((one) => one.test(candidate))) return candidate
  }
  return 'x'.repeat(minLength)
}
