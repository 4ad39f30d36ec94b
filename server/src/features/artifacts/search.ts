/** Artifacts in the search over everything: by their titles, and by what is in their newest version. */
import { asksOfChats, type FindHits } from '../../core/resources/index.ts'
import { snippetOf } from '../../core/search/index.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { ArtifactsContext } from './context.ts'
import { partitionOf } from './stores/rows.ts'

export const createArtifactSearch =
  ({ access, artifacts, indexes, versions }: ArtifactsContext): FindHits =>
  async (accountId, wanted, limit) => {
    const { words, kinds, within, after, before } = wanted
    // They lie in nothing, and what else is asked of chats is not known of them.
    if (words === '' || within !== null || asksOfChats(wanted)) return []
    if (kinds !== null && !kinds.has('artifact')) return []
    const question = {
      text: words,
      everyWord: true,
      typing: true,
      limit,
      after: after ?? undefined,
      before: before ?? undefined,
    }
    const reachable = await access.listReachable(accountId, 'artifact')
    const hits = await Promise.all([
      indexes.texts.find({ ...question, partitions: [partitionOf(accountId)] }),
      indexes.texts.find({
        ...question,
        partitions: [...new Set(reachable.map(({ ownerId }) => partitionOf(ownerId)))],
        groups: reachable.map(({ resourceId }) => resourceId),
      }),
    ])
    const scores = new Map<string, number>()
    for (const { group, score } of hits.flat()) scores.set(group, Math.max(score, scores.get(group) ?? 0))
    const best = [...scores].sort((one, other) => other[1] - one[1]).slice(0, limit)
    const found = await artifacts.readMany(best.map(([id]) => id))
    return await Promise.all(
      found.map(async (artifact) => {
        const newest = await versions.read(artifact.id, artifact.version)
        return {
          kind: 'artifact' as const,
          id: artifact.id,
          title: artifact.title,
          ...snippetOf(newest?.content ?? '', words),
          chatId: null,
          ownerId: artifact.accountId === accountId ? null : artifact.accountId,
          startChar: null,
          endChar: null,
          location: null,
          time: toIsoTime(artifact.updatedAt),
          score: scores.get(artifact.id) ?? 0,
        }
      }),
    )
  }
