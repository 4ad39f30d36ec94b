/** What differs between accepted tools and a server's newest list, what acceptance makes of it, and names for models. Pure. */
import { createHash } from 'node:crypto'
import type { ToolChange, ToolDefinition } from '@atrium/contract/tool-servers'
import type { Definition } from './definitions.ts'

/** A definition that an administrator took over, with what was decided about it. */
export interface AcceptedTool extends Definition {
  readonly enabled: boolean
  readonly sideEffect: boolean
}

export type ToolState = 'offered' | 'changed' | 'gone'

/** `seen`: what the server listed last; null: nothing but what was accepted. */
export const stateOf = (tool: Pick<Definition, 'name' | 'digest'>, seen: readonly Definition[] | null): ToolState => {
  if (seen === null) return 'offered'
  const now = seen.find(({ name }) => name === tool.name)
  if (!now) return 'gone'
  return now.digest === tool.digest ? 'offered' : 'changed'
}

export const changesOf = (accepted: readonly AcceptedTool[], seen: readonly Definition[] | null): ToolChange[] => {
  if (seen === null) return []
  const known = new Map(accepted.map((tool) => [tool.name, tool]))
  const changed = seen.flatMap((now): ToolChange[] => {
    const before = known.get(now.name)
    if (before?.digest === now.digest) return []
    return [changeOf(before ? 'changed' : 'new', now, before ?? null, now)]
  })
  const gone = accepted
    .filter((tool) => stateOf(tool, seen) === 'gone')
    .map((tool) => changeOf('gone', tool, tool, null))
  return [...changed, ...gone]
}

const changeOf = (
  kind: ToolChange['kind'],
  { name, originalName }: Definition,
  before: Definition | null,
  after: Definition | null,
): ToolChange => ({
  kind,
  name,
  originalName: originalName === name ? null : originalName,
  before: before && toToolDefinition(before),
  after: after && toToolDefinition(after),
})

const toToolDefinition = ({ title, description, inputSchema, claimsReadOnly }: Definition): ToolDefinition => ({
  title,
  description,
  inputSchema,
  claimsReadOnly,
})

/** The tools after some changes were accepted: changed ones as they are now, new ones on, gone ones no more. */
export const acceptChanges = (
  accepted: readonly AcceptedTool[],
  seen: readonly Definition[],
  names: ReadonlySet<string>,
  readOnly: ReadonlySet<string>,
): AcceptedTool[] => {
  const now = new Map(seen.map((tool) => [tool.name, tool]))
  const kept = accepted.flatMap((tool): AcceptedTool[] => {
    if (!names.has(tool.name)) return [tool]
    const next = now.get(tool.name)
    return next ? [{ ...next, enabled: tool.enabled, sideEffect: !readOnly.has(tool.name) }] : []
  })
  const known = new Set(accepted.map(({ name }) => name))
  const added = seen
    .filter(({ name }) => names.has(name) && !known.has(name))
    .map((tool) => ({ ...tool, enabled: true, sideEffect: !readOnly.has(tool.name) }))
  return [...kept, ...added]
}

/** So many letters models take at most. */
const mostNameLetters = 64

/**
 * A name for models, `[A-Za-z0-9_-]{1,64}`, that nothing in `taken` has; it is added there. Of a collision the digest of
 * the id tells, so that the name stays what it is.
 */
export const modelNameOf = (serverName: string, tool: string, id: string, taken: Set<string>): string => {
  const slug = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^_+|_+$/g, '')
  const server = slug(serverName).slice(0, 20) || 'server'
  const plain = `${server}__${slug(tool) || 'tool'}`
  const name = plain.length <= mostNameLetters && !taken.has(plain) ? plain : markedName(plain, id)
  taken.add(name)
  return name
}

const markedName = (plain: string, id: string): string =>
  `${plain.slice(0, mostNameLetters - 9)}_${createHash('sha256').update(id).digest('hex').slice(0, 8)}`

/** Whether an address lies in somebody's own network, as far as its name tells. */
export const isInternal = (address: string): boolean => {
  const { hostname } = new URL(address)
  return !hostname.includes('.') || /^[\d.]+$|^\[|\.(local|lan|home|internal|localhost|intranet|corp)$/i.test(hostname)
}

const firstPauseMs = 15_000
const longestPauseMs = 10 * 60_000

/** How long a server that could not be reached so often in a row is left alone. */
export const pauseAfter = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(Math.max(failures - 1, 0), 10), longestPauseMs)
