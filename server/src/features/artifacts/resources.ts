/** What artifacts are to the rest of the product: how they are shared, found, counted, restored, taken along and removed. */
import type { artifactsArea } from '@atrium/contract/artifacts'
import { createTrash, type ExportFiles, type ResourcesOf } from '../../core/resources/index.ts'
import { jsonBytes } from '../../platform/archive/write.ts'
import { announceTo, type ArtifactsContext } from './context.ts'
import { fileNameOf } from './files.ts'
import { toArtifact, toVersion } from './present.ts'
import { createArtifactSearch } from './search.ts'
import { artifactPlaces } from './stores/artifacts.ts'
import { artifactTransfer } from './transfer.ts'
import { moveArtifact } from './write.ts'

export const artifactResources = (context: ArtifactsContext): ResourcesOf<typeof artifactsArea> => {
  const { artifacts } = context
  return {
    artifact: {
      missing: 'artifact_not_found',
      places: artifactPlaces,
      within: null,
      async describe(ids) {
        const found = await artifacts.readMany(ids)
        return new Map(found.map(({ id, accountId, title }) => [id, { accountId, name: title }]))
      },
      changed: (id, accountIds) => announceTo(context, id, accountIds),
      async list(accountId, limit, cursor) {
        const { items, nextCursor } = await artifacts.page({ accountId, ids: [] }, limit, cursor)
        return { items: items.map(({ id, title, updatedAt }) => ({ id, name: title, updatedAt })), nextCursor }
      },
      search: createArtifactSearch(context),
      trash: createTrash(artifacts.trash, {
        titleOf: ({ title }) => title,
        restore: (artifact) => moveArtifact(context, artifact, null),
      }),
      count: artifacts.count,
      storage: context.storage,
      export: exportArtifacts(context),
      removeAccount: artifacts.removeAccount,
      transfer: artifactTransfer(context),
      detach: async (trx, type, id) => {
        if (type === 'chat') await context.transfers.detachChat(trx, id)
      },
    },
  }
}

/** A folder for each own one, with its versions as files and what is known of them; without those in the trash. */
const exportArtifacts = ({ artifacts, versions, namesOf }: ArtifactsContext): ExportFiles =>
  async function* (accountId, signal) {
    for (let cursor: string | undefined; ; ) {
      const { items, nextCursor } = await artifacts.page({ accountId, ids: [] }, 100, cursor)
      for (const artifact of items) {
        signal.throwIfAborted()
        const kept = await versions.list(artifact.id)
        const names = await namesOf([...new Set(kept.map(({ authorId }) => authorId))])
        const about = {
          ...toArtifact(artifact, { ownerName: null, right: 'owner' }),
          versions: kept.map((version) => toVersion(version, names)),
        }
        const folder = `artifacts/${artifact.id}`
        const modifiedAt = artifact.updatedAt
        yield { name: `${folder}/artifact.json`, modifiedAt, pack: true, content: jsonBytes(about) }
        const ending = /\.\w+$/.exec(fileNameOf(artifact))?.[0] ?? '.txt'
        for (const { number, createdAt } of kept) {
          const version = await versions.read(artifact.id, number)
          if (!version) continue
          const content = [Buffer.from(version.content)]
          yield { name: `${folder}/version-${number}${ending}`, modifiedAt: createdAt, pack: true, content }
        }
      }
      if (nextCursor === null) return
      cursor = nextCursor
    }
  }
