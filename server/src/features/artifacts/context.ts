/** What the modules of the area share. */
import type { Access } from '../../core/access/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ArtifactStore } from './stores/artifacts.ts'
import type { StoredArtifact } from './stores/rows.ts'
import type { StorageStore } from './stores/storage.ts'
import type { VersionStore } from './stores/versions.ts'

export interface ArtifactsDeps
  extends Pick<Platform, 'announce' | 'clock' | 'database' | 'files' | 'indexes' | 'vault'> {
  readonly access: Access
  /** What accounts are called, by id. */
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

export interface ArtifactsContext extends ArtifactsDeps {
  readonly artifacts: ArtifactStore
  readonly versions: VersionStore
  readonly storage: StorageStore
}

/** Tells the open pages of these accounts that an artifact changed for them. */
export const announceTo = async (
  { announce }: Pick<ArtifactsContext, 'announce'>,
  id: string,
  accountIds: readonly string[],
): Promise<void> => {
  for (const accountId of new Set(accountIds)) await announce(accountId, { type: 'artifact-changed', data: { id } })
}

/** Tells the owner of an artifact and everybody who reads it. */
export const announceChange = async (
  context: ArtifactsContext,
  { id, accountId }: Pick<StoredArtifact, 'id' | 'accountId'>,
): Promise<void> => announceTo(context, id, [accountId, ...(await context.access.listReaders('artifact', id))])
