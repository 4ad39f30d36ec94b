/** What the modules of the area share. */
import type { Access, LinkWatch, Visits } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ArtifactStore } from './stores/artifacts.ts'
import type { ArtifactLinkStore, LiveArtifactLink } from './stores/links.ts'
import type { StoredArtifact } from './stores/rows.ts'
import type { StorageStore } from './stores/storage.ts'
import type { TransferStore } from './stores/transfers.ts'
import type { VersionStore } from './stores/versions.ts'
import type { ArtifactLinkRow } from './tables.ts'

export interface ArtifactsDeps
  extends Pick<Platform, 'announce' | 'clock' | 'database' | 'files' | 'indexes' | 'log' | 'vault'> {
  readonly access: Access
  readonly audit: Pick<Platform['audit'], 'recordIn'>
  /** What accounts are called, by id. */
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** What an account wants to be called; null where it said nothing, or is gone. */
  readonly displayName: (accountId: string) => Promise<string | null>
  /** Whether the administrator lets artifacts be shared by links. */
  readonly linksAllowed: (ownerId: string) => Promise<boolean>
  /** For the passwords of links. */
  readonly passwords: Accounts['passwords']
  /** Where the instance is reached; null where nobody said. */
  readonly address: () => Promise<string | null>
}

export interface ArtifactsContext extends ArtifactsDeps {
  readonly artifacts: ArtifactStore
  readonly versions: VersionStore
  readonly storage: StorageStore
  readonly transfers: TransferStore
  readonly links: ArtifactLinkStore
  /** Who has links open, in this process. */
  readonly linkWatch: LinkWatch
  readonly linkVisits: Visits<ArtifactLinkRow, LiveArtifactLink>
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
