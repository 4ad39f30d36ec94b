/**
 * Schemas of a document as JSON Schema 2020-12 that stands alone: references are put in their places, what OpenAPI 3.0
 * says in its own way is said in the usual one, and what is only for documentation is left out.
 */
import { OperationFault } from './faults.ts'
import { isObject, type Json, type JsonObject } from './parse-document.ts'
import { lookUp, requireNew } from './references.ts'

/** Parts of all schemas of one operation together. */
const mostParts = 20_000

export interface SchemaReader {
  /** Throws OperationFault. */
  read(schema: Json | undefined, chain?: readonly string[]): JsonObject
}

const plain = new Set([
  ...['type', 'enum', 'const', 'format', 'title', 'description', 'default', 'required', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
  ...['dependentRequired', 'contentEncoding', 'contentMediaType', 'deprecated'],
])
const single = new Set([
  ...['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
])
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** `isOld`: by OpenAPI 3.0. One reader for each operation: it counts. */
export const createSchemaReader = (document: JsonObject, isOld: boolean): SchemaReader => {
  let parts = 0

  const read = (schema: Json | undefined, chain: readonly string[]): Json => {
    parts += 1
    if (parts > mostParts) throw new OperationFault('too-large')
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) throw new OperationFault('bad-schema')
    if ('$dynamicRef' in schema || '$recursiveRef' in schema) throw new OperationFault('unsupported')
    const { $ref, ...beside } = schema
    if (typeof $ref !== 'string') return readPlain(schema, chain)
    const referred = read(lookUp(document, requireNew($ref, chain)), [...chain, $ref])
    // By OpenAPI 3.0, nothing stands beside a reference.
    const own = isOld ? {} : readPlain(beside, chain)
    if (Object.keys(own).length === 0 || !isObject(referred)) return referred
    const { title, description, ...rules } = own
    const words = { ...(title && { title }), ...(description && { description }) }
    return Object.keys(rules).length === 0
      ? { ...referred, ...words }
      : { ...words, ...rules, allOf: [referred, ...listOf(rules['allOf'])] }
  }

  const readPlain = (schema: JsonObject, chain: readonly string[]): JsonObject => {
    const pairs = Object.entries(schema).flatMap(([name, value]): [string, Json][] => {
      if (plain.has(name)) return [[name, value]]
      if (single.has(name)) return [[name, read(value, chain)]]
      if (lists.has(name)) return [[name, listOf(value).map((inner) => read(inner, chain))]]
      if (!maps.has(name) || !isObject(value)) return []
      return [[name, Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, read(inner, chain)]))]]
    })
    return withoutReadOnly(schema, isOld ? fromOld(schema, Object.fromEntries(pairs)) : Object.fromEntries(pairs))
  }

  return {
    read(schema, chain = []) {
      const made = read(schema, chain)
      if (isObject(made)) return made
      return made === false ? { not: {} } : {}
    },
  }
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])

/** `nullable`, and bounds that are flags. */
const fromOld = (old: JsonObject, schema: JsonObject): JsonObject => {
  const made: Record<string, Json> = { ...schema }
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof made[flag] !== 'boolean') continue
    const limit = made[bound]
    const isExclusive = made[flag]
    delete made[flag]
    if (!isExclusive || limit === undefined) continue
    delete made[bound]
    made[flag] = limit
  }
  if (old['nullable'] === true && typeof made['type'] === 'string') {
    made['type'] = [made['type'], 'null']
    if (Array.isArray(made['enum'])) made['enum'] = [...(made['enum'] as Json[]), null]
  }
  return made
}

/** What only the server says is not asked for. */
const withoutReadOnly = (given: JsonObject, schema: JsonObject): JsonObject => {
  const { properties, required } = given
  if (!isObject(properties)) return schema
  const isReadOnly = (value: Json | undefined): boolean => isObject(value) && value['readOnly'] === true
  const hidden = new Set(Object.keys(properties).filter((name) => isReadOnly(properties[name])))
  if (hidden.size === 0) return schema
  const left = Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).filter(
    ([name]) => !hidden.has(name),
  )
  const needed = listOf(required).filter((name) => typeof name !== 'string' || !hidden.has(name))
  return { ...schema, properties: Object.fromEntries(left), ...(required === undefined ? {} : { required: needed }) }
}
