/** Which format a connection is asked in. Pure. */
import { type WireId, wires } from '../../../providers/wires/index.ts'
import type { InstalledDefinition } from '../types.ts'

/** The ends of paths that belong to one format, whichever provider serves them. */
const byPath: readonly (readonly [RegExp, WireId])[] = [
  [/\/chat\/completions$/, 'chat-completions'],
  [/\/responses$/, 'responses'],
  [/\/v\d+\/messages$/, 'anthropic'],
  [/:(stream)?generateContent$/i, 'gemini'],
  [/\/converse(-stream)?$/, 'bedrock'],
]

/** The format that an address is for, by the end of its path; null for one that says nothing of it. */
export function wireOfAddress(address: string): WireId | null {
  const path = URL.canParse(address) ? new URL(address).pathname.replace(/\/+$/, '') : ''
  return byPath.find(([end]) => end.test(path))?.[1] ?? null
}

/**
 * By the path where it is known. Else what comes with Atrium is asked in its own format, also where administrators moved
 * it, and what they installed by its mode, whatever its id is; null for a format that has no chats.
 */
export function wireOf({
  bundled,
  source,
  route,
}: Pick<InstalledDefinition, 'bundled' | 'source' | 'route'>): WireId | null {
  const known = wireOfAddress(route.url)
  if (known !== null) return known
  if (bundled && source === 'bundled' && !followsMode.has(bundled.wire)) return bundled.wire
  if (route.semantics === 'completions') return null
  return route.semantics === 'responses' ? 'responses' : 'chat-completions'
}

/** The path under a base address, for formats whose path does not follow the mode; undefined for the others. */
export function pathUnderBase(endpoint: string, bundledWire: WireId | undefined): string | undefined {
  const wire = wireOfAddress(endpoint) ?? bundledWire
  return wire === undefined || followsMode.has(wire) ? undefined : wires[wire].path
}

const followsMode: ReadonlySet<WireId> = new Set(['chat-completions', 'responses'])
