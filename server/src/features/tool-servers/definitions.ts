/**
 * Definitions of tools as servers list them, made fit to be shown and kept: bounded, without invisible characters, each
 * with a name that is unique, and a digest over what the server really said. Pure.
 */
import { createHash } from 'node:crypto'
import { type LeftOutTool, mostToolsOfServer } from '@atrium/contract/tool-servers'
import { z } from 'zod'
import type { ListedTool } from './kind.ts'

/** A definition as it is kept. */
export const Definition = z.strictObject({
  /** Unique within its server. */
  name: z.string(),
  originalName: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  claimsReadOnly: z.boolean(),
  call: z.unknown(),
  digest: z.string(),
})
export type Definition = z.infer<typeof Definition>

const mostNameLetters = 512
const mostTitleLetters = 200
const mostDescriptionLetters = 4000
const mostSchemaLetters = 32_000
const mostCallLetters = 64_000
const deepestSchema = 32

/** Those that can be kept, in the order of the server, and those that cannot. */
export const readDefinitions = (
  listed: readonly ListedTool[],
): { readonly definitions: Definition[]; readonly leftOut: LeftOutTool[] } => {
  const definitions: Definition[] = []
  const leftOut: LeftOutTool[] = []
  const names = new Set<string>()
  for (const tool of listed) {
    const leave = (reason: LeftOutTool['reason']) => {
      // A list of a million bad tools is told by its first ones.
      if (leftOut.length < mostToolsOfServer) leftOut.push({ name: cleanText(String(tool.name), 100), reason })
    }
    const reason = definitions.length >= mostToolsOfServer ? 'too-many' : faultOf(tool)
    if (reason) {
      leave(reason)
      continue
    }
    const name = nameOf(tool.name)
    if (names.has(name)) {
      leave('duplicate')
      continue
    }
    names.add(name)
    definitions.push({
      name,
      originalName: tool.name,
      title: tool.title ? cleanText(tool.title, mostTitleLetters) || null : null,
      description: cleanText(tool.description ?? '', mostDescriptionLetters),
      inputSchema: cleanJson(tool.inputSchema) as Record<string, unknown>,
      claimsReadOnly: tool.claimsReadOnly,
      call: tool.call ?? null,
      digest: digestOf(tool),
    })
  }
  return { definitions, leftOut }
}

const faultOf = (tool: ListedTool): LeftOutTool['reason'] | null => {
  if (tool.fault) return tool.fault
  if (typeof tool.name !== 'string' || tool.name.trim() === '' || tool.name.length > mostNameLetters) return 'bad-name'
  const { inputSchema } = tool
  if (typeof inputSchema !== 'object' || inputSchema === null || Array.isArray(inputSchema)) return 'bad-schema'
  if (!('type' in inputSchema) || inputSchema.type !== 'object' || isTooDeep(inputSchema, deepestSchema))
    return 'bad-schema'
  if (JSON.stringify(inputSchema).length > mostSchemaLetters) return 'too-large'
  if (JSON.stringify(tool.call ?? null).length > mostCallLetters) return 'too-large'
  return null
}

/** What the server calls it, where that can stand in paths and ids; else what is left of it, with a digest. */
export const nameOf = (original: string): string => {
  if (/^[A-Za-z0-9_.-]{1,64}$/.test(original)) return original
  const rest = original.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 50)
  return `${rest}-${createHash('sha256').update(original).digest('hex').slice(0, 10)}`
}

/** Over everything that a model or a person goes by, as the server said it. */
export const digestOf = ({ name, title, description, inputSchema, claimsReadOnly, call }: ListedTool): string =>
  createHash('sha256')
    .update(canonicalJson([name, title ?? null, description ?? null, inputSchema, claimsReadOnly, call ?? null]))
    .digest('hex')

/** One digest over a list of definitions. */
export const digestOfAll = (definitions: readonly Pick<Definition, 'name' | 'digest'>[]): string =>
  createHash('sha256')
    .update(
      definitions
        .map(({ name, digest }) => `${name} ${digest}`)
        .toSorted()
        .join('\n'),
    )
    .digest('hex')

/** The same text for the same value, whatever the order of its members. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Without control, format and unassigned characters (RTL marks and tags among them), and no longer than that. */
export const cleanText = (text: string, most: number): string => {
  const clean = text
    .slice(0, most * 4)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n\t]|[\u2028\u2029\u115F\u1160\u3164\uFFA0]/gu, '')
    .trim()
  return clean.length > most ? `${clean.slice(0, most - 1).toWellFormed()}…` : clean
}

/** JSON whose texts are clean, and that has no member which means something to JavaScript. */
export const cleanJson = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value, mostDescriptionLetters)
  if (Array.isArray(value)) return value.map(cleanJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (name === '__proto__' ? [] : [[name, cleanJson(inner)]])),
  )
}

const isTooDeep = (value: unknown, most: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return most === 0 || Object.values(value).some((inner) => isTooDeep(inner, most - 1))
}
