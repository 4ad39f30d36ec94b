/** Servers and tools as callers see them. */
import type { ServerTool, ToolServer, ToolServerHealth } from '@atrium/contract/tool-servers'
import { toIsoTime } from '../../platform/iso-time.ts'
import { digestOfAll } from './definitions.ts'
import { type AcceptedTool, changesOf, stateOf } from './rules.ts'
import type { StoredServer } from './store.ts'
import type { ToolServerHealthRow } from './tables.ts'

type Tools = StoredServer['tools']

export const toToolServer = (server: StoredServer, hasCredential: boolean, isManager: boolean): ToolServer => {
  const { id, name, description, kind, authMode, enabled, tools } = server
  return {
    id,
    name,
    description,
    kind,
    authMode,
    enabled,
    personal: server.ownerId !== null,
    specRevision: tools.revision,
    hasCredential,
    toolCount: offeredOf(tools).length,
    hasResources: kind === 'mcp' && (tools.offers?.resources ?? true),
    hasPrompts: kind === 'mcp' && (tools.offers?.prompts ?? true),
    details: isManager
      ? {
          baseUrl: server.baseUrl,
          specUrl: server.specUrl,
          isUploaded: server.isUploaded,
          authHeader: server.authHeader,
          headers: server.headers,
          accessMode: server.accessMode,
          timeoutMs: server.timeoutMs,
          maxResponseBytes: server.maxResponseBytes,
          specDigest: tools.revision === 0 ? null : digestOfAll(tools.accepted),
          changeCount: changesOf(tools.accepted, tools.seen).length,
          leftOut: [...tools.leftOut],
          createdAt: toIsoTime(server.createdAt),
          updatedAt: toIsoTime(server.updatedAt),
        }
      : null,
  }
}

const offeredOf = ({ accepted, seen }: Tools): AcceptedTool[] =>
  accepted.filter((tool) => tool.enabled && stateOf(tool, seen) === 'offered')

/** All tools for whoever manages the server, those that are offered for everybody else. */
export const toolsFor = ({ tools }: StoredServer, isManager: boolean): ServerTool[] =>
  (isManager ? tools.accepted : offeredOf(tools)).map((tool) => toServerTool(tool, tools))

export const toServerTool = (
  { name, originalName, title, description, inputSchema, sideEffect, claimsReadOnly, enabled, digest }: AcceptedTool,
  { seen }: Tools,
): ServerTool => ({
  name,
  originalName: originalName === name ? null : originalName,
  title,
  description,
  inputSchema,
  sideEffect,
  claimsReadOnly,
  enabled,
  state: stateOf({ name, digest }, seen),
  digest,
})

export const toHealth = (row: ToolServerHealthRow | undefined, now: number): ToolServerHealth => {
  if (!row) return { state: 'unknown', problem: null, revision: null, checkedAt: null, retryAt: null }
  const waits = row.retry_at !== null && row.retry_at > now
  return {
    state: row.fault === null ? 'ok' : waits ? 'waiting' : 'failed',
    problem: row.problem,
    revision: row.revision,
    checkedAt: toIsoTime(row.checked_at),
    retryAt: waits && row.retry_at !== null ? toIsoTime(row.retry_at) : null,
  }
}
