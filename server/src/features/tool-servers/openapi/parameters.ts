/** The parameters of an operation: what models are asked for, and where it goes. */
import { OperationFault } from './faults.ts'
import type { Parameter } from './operation.ts'
import { isObject, type Json, type JsonObject, memberOf, textOf } from './parse-document.ts'
import { follow } from './references.ts'
import type { SchemaReader } from './schemas.ts'

export interface ReadParameter {
  readonly parameter: Parameter
  readonly schema: JsonObject
  readonly isRequired: boolean
}

/** By the specification, parameters of these names are passed over. */
const passedOver = /^(accept|content-type|authorization)$/i
/** What the way there says itself, or what names another host or who somebody is. */
const forbidden =
  /^(host|cookie|content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/

/** Those of the path and those of the operation, which win. Throws OperationFault. */
export const readParameters = (
  document: JsonObject,
  schemas: SchemaReader,
  lists: readonly (Json | undefined)[],
  taken: Set<string>,
): ReadParameter[] => {
  const found = new Map<string, { readonly value: JsonObject; readonly chain: readonly string[] }>()
  for (const list of lists) {
    if (list === undefined) continue
    if (!Array.isArray(list)) throw new OperationFault('bad-schema')
    for (const given of list as readonly Json[]) {
      const referred = follow(document, given)
      found.set(`${textOf(referred.value['in'])} ${textOf(referred.value['name'])}`, referred)
    }
  }
  return [...found.values()].flatMap(({ value, chain }) => readParameter(schemas, value, chain, taken) ?? [])
}

/** null: it is passed over. */
const readParameter = (
  schemas: SchemaReader,
  given: JsonObject,
  chain: readonly string[],
  taken: Set<string>,
): ReadParameter | null => {
  const name = textOf(given['name'])
  const where = given['in']
  const isRequired = given['required'] === true || where === 'path'
  if (where !== 'path' && where !== 'query' && where !== 'header' && where !== 'cookie')
    throw new OperationFault('bad-schema')
  if (name === '' || name.length > 200) throw new OperationFault('bad-schema')
  if (where === 'header') {
    if (passedOver.test(name)) return null
    if (forbidden.test(name) || !token.test(name)) {
      if (isRequired) throw new OperationFault('unsupported')
      return null
    }
  }
  if (where === 'cookie' && !token.test(name)) throw new OperationFault('unsupported')
  const content = memberOf(given['content'], 'application/json')
  if (isObject(given['content']) && content === undefined) throw new OperationFault('unsupported')
  const read = schemas.read(
    content === undefined ? (given['schema'] ?? {}) : (memberOf(content, 'schema') ?? {}),
    chain,
  )
  const description = textOf(given['description'])
  const style = content === undefined ? styleOf(where, given['style']) : 'json'
  const explode = typeof given['explode'] === 'boolean' ? given['explode'] : style === 'form'
  return {
    parameter: { key: keyOf(name, where, taken), name, in: where, style, explode },
    schema: description === '' ? read : { ...read, description },
    isRequired,
  }
}

const styleOf = (where: Parameter['in'], style: Json | undefined): Parameter['style'] => {
  const usual = where === 'query' || where === 'cookie' ? 'form' : 'simple'
  if (style === undefined || style === usual) return usual
  if (where === 'query' && (style === 'spaceDelimited' || style === 'pipeDelimited' || style === 'deepObject'))
    return style
  throw new OperationFault('unsupported')
}

/** A name for the argument that every provider takes, and that nothing else of the operation has. */
export const keyOf = (name: string, where: string, taken: Set<string>): string => {
  const slug = name.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 50) || where
  for (const key of [slug, `${where}_${slug}`.slice(0, 60)]) if (isFree(key, taken)) return key
  for (let n = 2; ; n += 1) if (isFree(`${slug}_${n}`, taken)) return `${slug}_${n}`
}

const isFree = (key: string, taken: Set<string>): boolean => {
  if (taken.has(key) || key === '__proto__') return false
  taken.add(key)
  return true
}
