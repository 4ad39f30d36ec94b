/** Access for tests that stand below the whole app: the real one, with everything that a test does not speak of in place. */
import { type Access, createAccess, type Owner } from '../core/access/index.ts'
import type { AccessDeps } from '../core/access/types.ts'
import { createAudit } from '../platform/audit/index.ts'
import { createLog } from '../platform/log/log.ts'
import type { Vault } from '../platform/vault/types.ts'

export const createTestAccess = ({
  vault,
  ...deps
}: Pick<AccessDeps, 'database' | 'clock' | 'principals'> & { vault: Vault } & Partial<AccessDeps>): Access =>
  createAccess({
    log: createLog({ level: 'silent' }),
    audit: createAudit({ vault, ...deps }),
    vault,
    standingOf: async () => null,
    interrupt: async () => undefined,
    announce: async () => undefined,
    requireProof: async () => undefined,
    ...deps,
  })

/** Chats that a test says there are, as `<account> <chat>`. */
export const ownerOfChats = (chats: ReadonlySet<string>): Owner => {
  const found = (ids: readonly string[]) =>
    [...chats]
      .map((line) => line.split(' '))
      .flatMap(([accountId = '', id = '']) => (ids.includes(id) ? [{ accountId, id }] : []))
  return {
    missing: 'chat_not_found',
    placesOf: async (ids) =>
      new Map(found(ids).map(({ accountId, id }) => [id, { ownerId: accountId, within: [], shown: true }])),
    describe: async (ids) => new Map(found(ids).map(({ accountId, id }) => [id, { accountId, name: id }])),
    changed: async () => undefined,
  }
}
