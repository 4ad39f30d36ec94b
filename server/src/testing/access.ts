/** Access for tests that stand below the whole app: the real one, with everything that a test does not speak of in place. */
import { type Access, createAccess } from '../core/access/index.ts'
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
