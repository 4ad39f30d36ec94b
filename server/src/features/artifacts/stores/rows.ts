/** Rows as artifacts and versions, sealed with the keys of the artifact's owner. */
import { ArtifactKind, ArtifactLanguage } from '@atrium/contract/artifacts'
import { z } from 'zod'
import { readColumns, storedJson } from '../../../platform/stored-json.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ArtifactRow, ArtifactVersionRow } from '../tables.ts'

/** An artifact without its content; times are integer milliseconds. */
export interface StoredArtifact {
  readonly id: string
  readonly accountId: string
  readonly kind: ArtifactKind
  readonly title: string
  readonly language: string | null
  readonly chatId: string | null
  /** The number of the newest version. */
  readonly version: number
  /** Of the newest version, in UTF-8. */
  readonly sizeBytes: number
  readonly createdAt: number
  readonly updatedAt: number
  /** When it went to the trash. */
  readonly deletedAt: number | null
}

export interface StoredVersion {
  readonly artifactId: string
  readonly number: number
  readonly accountId: string
  readonly content: string
  readonly sizeBytes: number
  readonly authorKind: 'person' | 'model'
  readonly authorId: string
  readonly restoredFrom: number | null
  readonly callDigest: string | null
  readonly createdAt: number
  /** It was saved by itself while somebody wrote, and since when; null: it stays. */
  readonly autosaveSince: number | null
}

/** What becomes of the versions of an artifact that changes, by their numbers. */
export interface VersionChanges {
  readonly added: StoredVersion | null
  /** Goes, as the new one takes its place; it stays where a link shows it. */
  readonly replaced: number | null
  /** Is no longer replaced by what is saved next. */
  readonly kept: number | null
}

export const noChanges: VersionChanges = { added: null, replaced: null, kept: null }

/** What a list of versions tells of one. */
export type ListedVersion = Omit<StoredVersion, 'content' | 'callDigest' | 'autosaveSince'>

const about = storedJson(
  'artifacts.about',
  z.strictObject({ title: z.string(), language: ArtifactLanguage.nullable() }),
)
const kinds = z.object({ kind: ArtifactKind })
const authorKinds = z.object({ author_kind: z.enum(['person', 'model']) })
const versionRow = (artifactId: string, number: number): string => `${artifactId}:${number}`

export const artifactToRow = (keys: Keyring, artifact: StoredArtifact): ArtifactRow => ({
  id: artifact.id,
  account_id: artifact.accountId,
  kind: artifact.kind,
  about: about.seal(keys, artifact.id, { title: artifact.title, language: artifact.language }),
  chat_id: artifact.chatId,
  version: artifact.version,
  size_bytes: artifact.sizeBytes,
  created_at: artifact.createdAt,
  updated_at: artifact.updatedAt,
  deleted_at: artifact.deletedAt,
})

/** Throws UnreadableRow. */
export const rowToArtifact = (keys: Keyring, row: ArtifactRow): StoredArtifact => ({
  id: row.id,
  accountId: row.account_id,
  kind: readColumns('artifacts.kind', kinds, row.id, row).kind,
  ...about.open(keys, row.id, row.about),
  chatId: row.chat_id,
  version: row.version,
  sizeBytes: row.size_bytes,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
})

export const versionToRow = (keys: Keyring, version: StoredVersion): ArtifactVersionRow => ({
  artifact_id: version.artifactId,
  number: version.number,
  account_id: version.accountId,
  content: keys.seal('artifact_versions.content', versionRow(version.artifactId, version.number), version.content),
  size_bytes: version.sizeBytes,
  author_kind: version.authorKind,
  author_id: version.authorId,
  restored_from: version.restoredFrom,
  call_digest: version.callDigest,
  created_at: version.createdAt,
  autosave_since: version.autosaveSince,
})

export const rowToVersion = (keys: Keyring, row: ArtifactVersionRow): StoredVersion => ({
  artifactId: row.artifact_id,
  number: row.number,
  accountId: row.account_id,
  content: keys.open('artifact_versions.content', versionRow(row.artifact_id, row.number), row.content),
  sizeBytes: row.size_bytes,
  authorKind: readColumns('artifact_versions.author_kind', authorKinds, row.artifact_id, row).author_kind,
  authorId: row.author_id,
  restoredFrom: row.restored_from,
  callDigest: row.call_digest,
  createdAt: row.created_at,
  autosaveSince: row.autosave_since,
})

/** The partition of the index that holds an account's artifacts; a group of it is one of them. */
export const partitionOf = (accountId: string): string => `artifacts:${accountId}`
/** Under it the room that an artifact takes is held, in `platform/files`. */
export const roomOf = (id: string): string => `artifact:${id}`
