/** The text of a document as plain data: JSON, or YAML without what only YAML can do. */
import { parse } from 'yaml'
import { DocumentFault, mostDocumentBytes } from './faults.ts'

/** Written out: an anchor of YAML can stand for much. */
const mostLetters = 4_000_000

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = Readonly<Record<string, Json>>

/** Throws DocumentFault. */
export const parseDocument = (text: string): JsonObject => {
  if (Buffer.byteLength(text) > mostDocumentBytes) throw new DocumentFault('The document is larger than 1 MB.')
  const value = read(text.replace(/^\uFEFF/, ''))
  if (!isObject(value)) throw new DocumentFault('This isn’t an OpenAPI document.')
  return value
}

const read = (text: string): Json => {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text) as Json
  } catch {
    // A document of YAML may begin so, too.
  }
  try {
    const value: unknown = parse(text, { schema: 'core', maxAliasCount: 100, logLevel: 'error', prettyErrors: false })
    const written = JSON.stringify(value ?? null)
    if (written.length > mostLetters) throw new DocumentFault('The document is larger than 1 MB.')
    // A tree from here on: nothing in it is there twice.
    return JSON.parse(written) as Json
  } catch (error) {
    if (error instanceof DocumentFault) throw error
    throw new DocumentFault('The document isn’t valid JSON or YAML.')
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that the object itself has. */
export const memberOf = (value: unknown, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
