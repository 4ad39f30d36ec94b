/** What is set for everybody: how models are shown, and who may download some. In memory unless it changed. */
import { GroupIds } from '@atrium/contract/common'
import { ModelVisibility, PullMode } from '@atrium/contract/local-runtime'
import type { InstanceVisibility } from '../../core/connections/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Vault } from '../../platform/vault/types.ts'
import { type StoredJson, storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import { createLocalRuntimeStore, localRuntimeChannel, localRuntimePlace } from './store.ts'

export interface PullAccess {
  readonly mode: PullMode
  /** Whose members may, where the mode is groups. */
  readonly groupIds: readonly string[]
}

export interface ModelSharing {
  /** Fails closed: while what is saved cannot be read, every model is hidden; a database that is away hides none. */
  visibility(): Promise<InstanceVisibility>
  saveVisibility(visibility: ModelVisibility): Promise<void>
  /** Who may download models. Fails closed: what cannot be read allows nobody but administrators. */
  pullAccess(): Promise<PullAccess>
  savePullAccess(access: PullAccess): Promise<void>
  close(): void
}

export interface ModelSharingDeps extends Pick<Platform, 'clock' | 'database' | 'log'> {
  readonly vault: Vault
  /** The default model that the environment names. */
  readonly fixedModel?: string | undefined
}

const shownAsTheyCome: ModelVisibility = {
  hidden: [],
  order: [],
  starred: [],
  metadata: {},
  groups: {},
  defaultModel: null,
}
const visibilityJson = storedJson(localRuntimePlace, ModelVisibility)
const pullModeJson = storedJson(localRuntimePlace, PullMode)
const pullGroupsJson = storedJson(localRuntimePlace, GroupIds)

export const createModelSharing = (deps: ModelSharingDeps): ModelSharing => {
  const { database, log } = deps
  const store = createLocalRuntimeStore(deps)
  let kept: Promise<ReadonlyMap<string, string | null>> | null = null
  const forget = () => {
    kept = null
  }
  const stopListening = database.listen(localRuntimeChannel, forget, forget)

  /** undefined: nothing was set, or the database is away; null: what was set cannot be read. */
  const read = async <T>(name: string, column: StoredJson<T>): Promise<T | null | undefined> => {
    const loading = (kept ??= store.all())
    try {
      const saved = (await loading).get(name)
      return typeof saved === 'string' ? unlessUnreadable(() => column.read(name, saved), null) : saved
    } catch (error) {
      if (kept === loading) forget()
      log.error('what is set about models could not be read', { error })
      return undefined
    }
  }
  const save = async (name: string, json: string): Promise<void> => {
    await store.save(name, json)
    forget()
  }

  return {
    async visibility() {
      const saved = await read('visibility', visibilityJson)
      const set = saved === null ? { ...shownAsTheyCome, allHidden: true as const } : (saved ?? shownAsTheyCome)
      return deps.fixedModel === undefined ? set : { ...set, fixedModel: deps.fixedModel }
    },
    saveVisibility: (visibility) => save('visibility', visibilityJson.write(visibility)),
    pullAccess: async () => ({
      mode: (await read('pull-mode', pullModeJson)) ?? 'admins',
      groupIds: (await read('pull-groups', pullGroupsJson)) ?? [],
    }),
    async savePullAccess({ mode, groupIds }) {
      // The groups first: what the mode lets in is never more than what was chosen.
      await save('pull-groups', pullGroupsJson.write([...groupIds]))
      await save('pull-mode', pullModeJson.write(mode))
    },
    close: stopListening,
  }
}
