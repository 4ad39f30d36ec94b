/**
 * How a tool is named where administrators read of it, in the audit and in the usage of everybody: one of a personal server
 * by a keyed digest, because what its owner connects is nobody else’s to read.
 */
import type { Vault } from '../../platform/vault/types.ts'
import type { CatalogTool, ToolSource } from './types.ts'

type Digests = Pick<Vault, 'blindIndex'>

/** A word for a tool of a personal server: always the same, and nobody can try out what it stands for. */
export const hiddenToolName = (vault: Digests, toolId: string): string =>
  vault.blindIndex('tools.audit-id', toolId).slice(0, 16)

/** The id of such a tool with that word in the place of its name. */
export const hiddenToolId = (vault: Digests, toolId: string): string =>
  `${toolId.slice(0, toolId.indexOf('/') + 1)}${hiddenToolName(vault, toolId)}`

export interface AuditIds {
  ofTool(tool: Pick<CatalogTool, 'id' | 'server'>): string
  /** Of one that may be gone. */
  ofId(toolId: string): Promise<string>
  /** Whether administrators read the names of its tools. */
  isShared(serverId: string): Promise<boolean>
}

export const createAuditIds = (vault: Digests, sources: () => readonly ToolSource[]): AuditIds => {
  const isShared = async (serverId: string): Promise<boolean> => {
    const known = await Promise.all(sources().map(async (source) => (await source.isShared?.(serverId)) ?? true))
    return known.includes(true)
  }
  return {
    ofTool: ({ id, server }) => (server?.isPersonal ? hiddenToolId(vault, id) : id),
    async ofId(toolId) {
      const [, serverId] = /^server:([^/]+)\//.exec(toolId) ?? []
      return serverId === undefined || (await isShared(serverId)) ? toolId : hiddenToolId(vault, toolId)
    },
    isShared,
  }
}
