/** What is set for everybody: how models are shown, and who may download some. In memory unless it changed. */
import { ModelVisibility, PullMode } from '@atrium/contract/local-runtime'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Vault } from '../../platform/vault/types.ts'
import { createLocalRuntimeStore } from './store.ts'

export interface ModelSharing {
  /** Fails open: what cannot be read hides nothing. */
  visibility(): Promise<ModelVisibility>
  saveVisibility(visibility: ModelVisibility): Promise<void>
  /** Fails closed: what cannot be read allows nobody but administrators. */
  pullMode(): Promise<PullMode>
  savePullMode(mode: PullMode): Promise<void>
  close(): void
}

export interface ModelSharingDeps {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
}

const channel = 'local-runtime-settings-changed'
const shownAsTheyCome: ModelVisibility = { hidden: [], order: [], starred: [], metadata: {} }

export const createModelSharing = (deps: ModelSharingDeps): ModelSharing => {
  const { database, log } = deps
  const store = createLocalRuntimeStore(deps)
  let kept: Promise<ReadonlyMap<string, unknown>> | null = null
  const forget = () => {
    kept = null
  }
  const stopListening = database.listen(channel, forget, forget)

  const read = async <T>(name: string, form: { safeParse(value: unknown): { data?: T } }): Promise<T | undefined> => {
    const loading = (kept ??= store.all())
    try {
      return form.safeParse((await loading).get(name)).data
    } catch (error) {
      if (kept === loading) forget()
      log.error('what is set about models could not be read', { error })
      return undefined
    }
  }
  const save = async (name: string, value: unknown): Promise<void> => {
    await store.save(name, value)
    forget()
    await database.notify(channel, '')
  }

  return {
    visibility: async () => (await read('visibility', ModelVisibility)) ?? shownAsTheyCome,
    saveVisibility: (visibility) => save('visibility', visibility),
    pullMode: async () => (await read('pull-mode', PullMode)) ?? 'admins',
    savePullMode: (mode) => save('pull-mode', mode),
    close: stopListening,
  }
}
