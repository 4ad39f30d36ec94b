/** Artifacts below the whole app, for their own tests: on whichever database, with the words of whoever asks. */
import { artifactsRoutes as routes } from '@atrium/contract/artifacts'
import { migrations } from '../app/areas.ts'
import { createPasswordHasher } from '../core/accounts/password/hashing.ts'
import { createResourceRegistry } from '../core/resources/index.ts'
import { createArtifacts } from '../features/artifacts/index.ts'
import { createAudit } from '../platform/audit/index.ts'
import { createSearchIndexes } from '../platform/db/search/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Migration } from '../platform/db/types.ts'
import { createFiles } from '../platform/files/files.ts'
import { bindRoutes } from '../platform/http/area.ts'
import { createLog } from '../platform/log/log.ts'
import { openVault } from '../platform/vault/vault.ts'
import { createTestAccess, principalsById } from './access.ts'
import { authenticateById } from './authenticate.ts'
import { createTestGroups } from './groups.ts'
import { serveAreas } from './serve.ts'

export type ArtifactsHarness = Awaited<ReturnType<typeof openArtifacts>>

export const openArtifacts = async (
  open: (migrations: readonly Migration[]) => Promise<Database>,
  { clock, linksAllowed = async () => false }: { clock: Clock; linksAllowed?: () => Promise<boolean> },
) => {
  const database = await open(migrations)
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 7), clock })
  const resources = createResourceRegistry()
  const principals = principalsById(createTestGroups(database).groups)
  const access = createTestAccess({ resources, database, vault, clock, principals })
  const artifacts = createArtifacts({
    database,
    vault,
    clock,
    access,
    audit: createAudit({ database, vault, clock }),
    files: createFiles({ database, vault, clock }),
    indexes: createSearchIndexes({ database, vault }),
    log: createLog({ level: 'silent' }),
    announce: async () => undefined,
    namesOf: async (ids) => new Map(ids.map((id) => [id, id])),
    displayName: async (accountId) => accountId,
    linksAllowed,
    passwords: createPasswordHasher({ memory: 1024, passes: 1, parallelism: 1 }),
    address: async () => 'https://atrium.example',
  })
  const { handlers, jobs, tools } = artifacts
  resources.add(artifacts.resources)
  const served = await serveAreas({
    areas: [bindRoutes({ name: 'artifacts', routes, handlers, jobs }), access.area],
    authenticate: authenticateById(),
    authorise: access.authorise,
    clock,
  })
  return { database, jobs, resources: artifacts.resources, served, tools }
}
