/** How artifacts come about and change: whoever does it, each change is a version. */
import type { ArtifactKind } from '@atrium/contract/artifacts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import { announceChange, type ArtifactsContext } from './context.ts'
import { noChanges, type StoredArtifact, type StoredVersion, type VersionChanges } from './stores/rows.ts'

/** Who writes a version, and by which call of a tool. */
export interface Writer {
  readonly kind: 'person' | 'model'
  readonly accountId: string
  readonly callDigest: string | null
}

export interface NewArtifact {
  readonly id: string
  readonly kind: ArtifactKind
  readonly title: string
  readonly content: string
  readonly language: string | null
  readonly chatId: string | null
}

/** Gives what stands under the id, also where an earlier call of the same tool made it. Refuses with `artifact_limit` and `quota_full`. */
export const createArtifact = async (
  context: ArtifactsContext,
  { content, ...about }: NewArtifact,
  writer: Writer,
): Promise<StoredArtifact> => {
  const now = context.clock.now()
  const sizeBytes = Buffer.byteLength(content)
  const artifact: StoredArtifact = {
    ...about,
    accountId: writer.accountId,
    version: 1,
    sizeBytes,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  const outcome = await context.artifacts.add(artifact, versionOf(artifact, content, writer, null, now))
  if (outcome === 'limit') throw fail('artifact_limit')
  if (outcome === 'exists') return await readArtifact(context, about.id)
  await announceChange(context, artifact)
  return artifact
}

/** Refuses with `artifact_not_found`. */
export const readArtifact = async ({ artifacts }: ArtifactsContext, id: string): Promise<StoredArtifact> => {
  const [artifact] = await artifacts.readMany([id])
  if (!artifact) throw fail('artifact_not_found')
  return artifact
}

/** Refuses with `artifact_version_not_found`. */
export const readVersion = async (
  { versions }: ArtifactsContext,
  id: string,
  number: number,
): Promise<StoredVersion> => {
  const version = await versions.read(id, number)
  if (!version) throw fail('artifact_version_not_found')
  return version
}

/**
 * An artifact with its newest version: the one that was read may be replaced meanwhile by what its author saves next. Refuses
 * with `artifact_not_found`.
 */
export const readCurrent = async (
  context: ArtifactsContext,
  before: StoredArtifact,
): Promise<{ artifact: StoredArtifact; newest: StoredVersion }> => {
  let artifact = before
  for (;;) {
    const newest = await context.versions.read(artifact.id, artifact.version)
    if (newest) return { artifact, newest }
    const now = await readArtifact(context, artifact.id)
    if (now.version === artifact.version) throw fail('artifact_not_found')
    artifact = now
  }
}

export interface Change {
  readonly title?: string | undefined
  readonly language?: string | null | undefined
  readonly content?: string | undefined
  readonly restoredFrom?: number
  /** Saved by itself while a person writes: its place is taken by what the same person saves next. */
  readonly autosave?: boolean | undefined
}

/** Whoever writes for long leaves a version this often. */
const autosaveMillis = 10 * 60_000

/** So often somebody else may be quicker. */
const mostTries = 5

/**
 * Writes a version where the content differs. A title and a content that come at the same time both stay. null: somebody
 * else was quicker with another content. Refuses with `quota_full`, and `artifact_not_found` what was deleted meanwhile.
 */
export const changeArtifact = async (
  context: ArtifactsContext,
  before: StoredArtifact,
  change: Change,
  writer: Writer,
): Promise<StoredArtifact | null> => {
  let now = before
  const mayGoOn = () =>
    now.deletedAt === before.deletedAt && (change.content === undefined || now.version === before.version)
  for (let tries = 0; mayGoOn() && tries < mostTries; tries++) {
    const changed = await tryChange(context, now, change, writer)
    if (changed) return changed
    now = await readArtifact(context, before.id)
  }
  return null
}

const tryChange = async (
  context: ArtifactsContext,
  before: StoredArtifact,
  { title, language, content, restoredFrom, autosave = false }: Change,
  writer: Writer,
): Promise<StoredArtifact | null> => {
  const now = context.clock.now()
  const standing = await context.versions.read(before.id, before.version)
  if (!standing) return null
  const isNew = content !== undefined && content !== standing.content
  const text = content ?? standing.content
  const after: StoredArtifact = {
    ...before,
    title: title ?? before.title,
    language: language === undefined ? before.language : language,
    version: before.version + (isNew ? 1 : 0),
    sizeBytes: Buffer.byteLength(text),
    updatedAt: Math.max(now, before.updatedAt + 1),
  }
  const since = sinceWhen(standing, writer, now)
  const added = isNew
    ? { ...versionOf(after, text, writer, restoredFrom ?? null, now), autosaveSince: autosave ? (since ?? now) : null }
    : null
  const isSaved = content !== undefined && !autosave
  const changes: VersionChanges = {
    added,
    replaced: autosave && isNew && since !== null ? standing.number : null,
    kept: isSaved && !isNew && since !== null ? standing.number : null,
  }
  try {
    if (!(await context.artifacts.replace(before, after, text, changes))) return null
  } catch (error) {
    // How much somebody keeps is told to nobody else.
    if (before.accountId !== writer.accountId && isRefusal(error) && error.code === 'quota_full')
      throw fail('quota_full', 'The storage of this artifact’s owner is full. Nothing was saved.')
    throw error
  }
  await announceChange(context, after)
  return after
}

/** Into the trash, or out of it. false: it was not there any more. */
export const moveArtifact = async (
  context: ArtifactsContext,
  before: StoredArtifact,
  deletedAt: number | null,
): Promise<boolean> => {
  const after = { ...before, deletedAt }
  const standing = await context.versions.read(before.id, before.version)
  if (!standing || !(await context.artifacts.replace(before, after, standing.content, noChanges))) return false
  await announceChange(context, after)
  return true
}

const versionOf = (
  artifact: StoredArtifact,
  content: string,
  { kind, accountId, callDigest }: Writer,
  restoredFrom: number | null,
  createdAt: number,
): StoredVersion => ({
  artifactId: artifact.id,
  number: artifact.version,
  accountId: artifact.accountId,
  content,
  sizeBytes: artifact.sizeBytes,
  authorKind: kind,
  authorId: accountId,
  restoredFrom,
  callDigest,
  createdAt,
  autosaveSince: null,
})

/** Since when a person saves by itself what they write; null: what stands is of somebody else, or stays. */
const sinceWhen = (standing: StoredVersion, { kind, accountId }: Writer, now: number): number | null => {
  const { autosaveSince: since, authorId } = standing
  if (since === null || kind !== 'person' || authorId !== accountId) return null
  return Math.abs(now - since) < autosaveMillis ? since : null
}
