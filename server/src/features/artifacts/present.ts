/** Artifacts as a caller sees them. */
import type { Artifact, ArtifactVersion, OpenArtifact } from '@atrium/contract/artifacts'
import { fail } from '../../platform/http/refusal.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { ArtifactsContext } from './context.ts'
import type { ListedVersion, StoredArtifact } from './stores/rows.ts'
import { readCurrent } from './write.ts'

/** Without what only the owner and its readers know of each other. */
export const toArtifact = (
  artifact: StoredArtifact,
  { ownerName, right }: Pick<Artifact, 'ownerName' | 'right'>,
): Artifact => ({
  id: artifact.id,
  kind: artifact.kind,
  title: artifact.title,
  language: artifact.language,
  chatId: ownerName === null ? artifact.chatId : null,
  version: artifact.version,
  sizeBytes: artifact.sizeBytes,
  createdAt: toIsoTime(artifact.createdAt),
  updatedAt: toIsoTime(artifact.updatedAt),
  ownerName,
  right,
})

export const toVersion = (version: ListedVersion, names: ReadonlyMap<string, string>): ArtifactVersion => ({
  number: version.number,
  author: { kind: version.authorKind, name: names.get(version.authorId) ?? null },
  restoredFrom: version.restoredFrom,
  sizeBytes: version.sizeBytes,
  createdAt: toIsoTime(version.createdAt),
})

/** `artifacts` may be of several owners; `rights` of those of others. */
export const presentAll = async (
  { namesOf }: ArtifactsContext,
  artifacts: readonly StoredArtifact[],
  callerId: string,
  rights: ReadonlyMap<string, Artifact['right']>,
): Promise<Artifact[]> => {
  const owners = artifacts.map(({ accountId }) => accountId).filter((id) => id !== callerId)
  const names = await namesOf([...new Set(owners)])
  return artifacts.map((artifact) =>
    artifact.accountId === callerId
      ? toArtifact(artifact, { ownerName: null, right: 'owner' })
      : toArtifact(artifact, {
          ownerName: names.get(artifact.accountId) ?? '',
          right: rights.get(artifact.id) ?? 'read',
        }),
  )
}

/** With its newest version. Refuses with `artifact_not_found`. */
export const presentOpen = async (
  context: ArtifactsContext,
  before: StoredArtifact,
  viewer: { readonly accountId: string; readonly right: Artifact['right'] },
): Promise<OpenArtifact> => {
  const { artifact, newest } = await readCurrent(context, before)
  const [shown] = await presentAll(context, [artifact], viewer.accountId, new Map([[artifact.id, viewer.right]]))
  if (!shown) throw fail('artifact_not_found')
  const names = await context.namesOf([newest.authorId])
  const { author } = toVersion(newest, names)
  return { ...shown, content: newest.content, author }
}
