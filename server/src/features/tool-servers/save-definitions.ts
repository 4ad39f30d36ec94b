/** What becomes of a list of tools that a server gave: the first one is taken over, and what differs later waits. */
import type { AuditEntry } from '../../platform/audit/index.ts'
import { conflictWith } from '../../platform/http/refusal.ts'
import type { Circuits } from './circuits.ts'
import { announceServer, type ToolServerContext, toolIdOf } from './context.ts'
import { digestOfAll, readDefinitions } from './definitions.ts'
import { type DiscoveredTools, ServerFault } from './kind.ts'
import { changesOf } from './rules.ts'
import type { StoredServer } from './store.ts'

/** Who asked, for the audit. */
type Who = Pick<AuditEntry, 'actor' | 'requestId' | 'address'>

/** Refuses with `conflict` where somebody was quicker. */
export const saveDefinitions = async (
  context: ToolServerContext,
  server: StoredServer,
  found: DiscoveredTools,
  who: Who,
): Promise<void> => {
  const { definitions, leftOut } = readDefinitions(found.tools)
  const { tools } = server
  const isFirst = tools.revision === 0
  // Nothing is read-only because its server says so.
  const accepted = isFirst ? definitions.map((tool) => ({ ...tool, enabled: true, sideEffect: true })) : tools.accepted
  const digest = digestOfAll(definitions)
  const seen = !isFirst && digest !== digestOfAll(accepted) ? definitions : null
  const changes = changesOf(accepted, seen)
  const next = { revision: Math.max(tools.revision, 1), accepted, seen, leftOut, offers: found.offers ?? null }
  const replaced = await context.store.replace(server, { ...server, tools: next }, (trx) =>
    context.audit.recordIn(trx, {
      ...who,
      action: 'tool-server.refresh',
      target: { type: 'tool-server', id: server.id },
      details: { tools: definitions.length, changes: changes.length, digest },
    }),
  )
  if (!replaced) throw conflictWith({ id: server.id, name: server.name })
  await announceServer(context, server)
  const lost = changes.filter(({ kind }) => kind !== 'new').map(({ name }) => toolIdOf(server.id, name))
  if (lost.length > 0) await context.endStanding(lost)
}

/**
 * A call met a tool that is not the one that was accepted. Where everybody sees the same tools, they are all looked at, so
 * that administrators are shown what changed, and the owner of a personal one; where each account sees its own, an
 * administrator has to ask.
 */
export const recheckDefinitions = async (
  context: ToolServerContext,
  circuits: Circuits,
  server: StoredServer,
  accountId: string,
): Promise<void> => {
  if (server.authMode !== 'none' && server.ownerId === null) return
  try {
    const { signal } = new AbortController()
    const found = await circuits.ask(server, accountId, (link) => context.kinds[server.kind].discover(link, signal))
    await saveDefinitions(context, server, found, { actor: { kind: 'system', accountId: null } })
  } catch (error) {
    // It shows at the next call again; and whoever was quicker has seen it.
    if (!(error instanceof ServerFault) && !isConflict(error)) throw error
  }
}

const isConflict = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'conflict'
