/** Media jobs over a database of their own, whose models are what a test says. */
import { migrations } from '../app/areas.ts'
import { createMediaGallery } from '../features/media-gallery/index.ts'
import type { MediaJobDeps } from '../features/media-gallery/jobs/context.ts'
import { createMediaJobs } from '../features/media-gallery/jobs/index.ts'
import { createJobStore } from '../features/media-gallery/jobs/store.ts'
import type { Clock } from '../platform/clock.ts'
import { createSearchIndexes } from '../platform/db/search/index.ts'
import { createFiles } from '../platform/files/files.ts'
import { noLimits } from '../platform/files/quota.ts'
import { createLog } from '../platform/log/log.ts'
import { openVault } from '../platform/vault/vault.ts'
import { realClock } from './clock.ts'
import type { Open } from './databases.ts'

interface Given {
  readonly connections: Omit<MediaJobDeps['connections'], 'capabilityModels'>
  readonly clock?: Clock
  /** What an account may keep, in bytes; 0: as much as there is room for. */
  readonly quotaBytes?: number
  /** What is free on the disk, in bytes; null: nobody can tell. */
  readonly freeBytes?: () => number | null
  /** Told of what open pages are told. */
  readonly announced?: (type: string) => Promise<void>
}

export const openMediaJobs = async (
  open: Open,
  { connections, clock = realClock, quotaBytes = 0, freeBytes = () => null, announced = async () => undefined }: Given,
) => {
  const database = await open(migrations)
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 5), clock })
  const limits = { ...noLimits, quotaBytes: async () => quotaBytes, freeBytes: async () => freeBytes() }
  const media = createMediaGallery({
    database,
    vault,
    files: createFiles({ database, vault, clock, limits }),
    clock,
    log: createLog({ level: 'silent', write: () => undefined }),
    indexes: createSearchIndexes({ database, vault }),
    announce: (_accountId, { type }) => announced(type),
    galleryQuotaBytes: 0,
    accountQuotaBytes: async () => quotaBytes,
  })
  const jobs = createMediaJobs(media.context, {
    processId: 'here',
    unitPriceOf: () => null,
    secondPriceOf: () => null,
    usualImage: async () => undefined,
    collects: false,
    connections: Object.assign({ capabilityModels: async () => [] }, connections),
  })
  return { media, jobs, store: createJobStore(database) }
}
