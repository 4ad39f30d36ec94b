/** The body of an operation: the first of its forms that can be sent. */
import { OperationFault } from './faults.ts'
import type { Body } from './operation.ts'
import { isObject, type Json, type JsonObject, textOf } from './parse-document.ts'
import { keyOf } from './parameters.ts'
import { follow } from './references.ts'
import type { SchemaReader } from './schemas.ts'

export interface ReadBody {
  readonly body: Body
  readonly schema: JsonObject
  readonly isRequired: boolean
}

const kinds: readonly (readonly [kind: Body['kind'], mediaType: RegExp])[] = [
  ['json', /^(application\/([\w.+-]+\+)?json|\*\/\*)$/],
  ['form', /^application\/x-www-form-urlencoded$/],
  ['multipart', /^multipart\/form-data$/],
  ['text', /^text\/[\w.+-]+$/],
]

/** null: it has none, or none that can be sent and none that must be. Throws OperationFault. */
export const readBody = (
  document: JsonObject,
  schemas: SchemaReader,
  given: Json | undefined,
  taken: Set<string>,
): ReadBody | null => {
  if (given === undefined) return null
  const { value, chain } = follow(document, given)
  const isRequired = value['required'] === true
  const content = isObject(value['content']) ? Object.entries(value['content']) : []
  for (const [kind, pattern] of kinds) {
    const [type, media] = content.find(([name]) => pattern.test(plainType(name))) ?? []
    if (type === undefined || !isObject(media)) continue
    const schema = schemas.read(media['schema'] ?? {}, chain)
    const key = keyOf('body', 'request', taken)
    const mediaType = plainType(type) === '*/*' ? 'application/json' : plainType(type)
    const description = textOf(value['description'])
    const files = kind === 'multipart' ? filesOf(schema) : []
    const shown = files.length > 0 ? withFiles(schema, files) : schema
    return {
      body: { key, kind, mediaType, files },
      schema: description === '' || shown['description'] ? shown : { ...shown, description },
      isRequired,
    }
  }
  if (isRequired) throw new OperationFault('unsupported')
  return null
}

const plainType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()

/** Fields that hold bytes, as either version of OpenAPI says it. */
const filesOf = ({ properties }: JsonObject): string[] =>
  isObject(properties) ? Object.keys(properties).filter((name) => isFile(properties[name])) : []

const isFile = (schema: Json | undefined): boolean =>
  isObject(schema) &&
  (schema['format'] === 'binary' ||
    schema['format'] === 'base64' ||
    schema['contentEncoding'] !== undefined ||
    (typeof schema['contentMediaType'] === 'string' && !/^(text\/|application\/json)/.test(schema['contentMediaType'])))

/** A model can only write bytes as base64. */
const withFiles = (schema: JsonObject, files: readonly string[]): JsonObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).map(([name, inner]) => [
      name,
      files.includes(name)
        ? {
            type: 'string',
            description: `${textOf(isObject(inner) ? inner['description'] : '')} (a file, as base64)`.trim(),
          }
        : inner,
    ]),
  ),
})
